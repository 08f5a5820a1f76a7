"""Draws a polygon on few pixels: its mask, and the fraction of each pixel that it covers."""

import squares

import polymask
from ladder.report.charts import drawing

SHAPE = (6, 8)
polygon = [(0.7, 1.6), (5.2, 0.3), (7.5, 3.1), (3.9, 5.6)]
mask = polymask.polygon_mask(polygon, SHAPE, center=True)
covered = polymask.coverage(polygon, SHAPE, center=True)


@drawing.chart
def draw():
    """Return the figure."""
    titles = f"polygon_mask: {mask.sum()} pixels", f"coverage, in %: {covered.sum():.1f} pixels"
    figure, left, right = squares.panels(SHAPE, *titles, pixel=32)
    squares.fill(left, mask)
    squares.fill(right, covered)
    squares.write(right, (100 * covered).round())
    squares.outline(left, polygon)
    squares.outline(right, polygon)
    return figure


if __name__ == "__main__":
    squares.save(draw(), __file__)
