"""Times of many polygons as bars on a logarithmic axis: for each scene, ours and the libraries'."""

from polymask.report import figures, many
from polymask.report.charts import drawing, in_rows

HEIGHT = 13  # of a bar, pixels


@drawing.chart
def draw(found, narrow=False):
    """Draw the times of all scenes; None where nothing has one."""
    rows = [(scene, row) for scene in found.scenes for row in found.of(scene) if row.ok]
    if not rows:
        return None
    words, last, begins = [], None, []
    for number, (scene, row) in enumerate(rows):
        if scene is not last:
            begins.append(number)
        place = f"{scene.task}: {scene.title}, {scene.shape[0]} x {scene.shape[1]}"
        beneath = place if scene is not last else ""
        words.append(in_rows.Row(row.key, figures.seconds(row.median_s), beneath))
        last = scene
    values = [row.median_s for _, row in rows]
    top = 20 if narrow else 46
    figure, axes, middles = in_rows.draw(
        words, values, 2.5 * HEIGHT, figures.seconds_tick, narrow, top
    )
    for number in begins[1:]:  # a line between scenes, across the figure
        y = number * (middles[1] - middles[0])
        axes.axhline(y, -1, 2, clip_on=False, linewidth=0.6, color=drawing.LIGHT["soft"])
    low = axes.get_xlim()[0]
    for (_, row), middle in zip(rows, middles, strict=True):
        colour = drawing.LIGHT["amber" if row.kind == "peer" else "blue"]
        axes.barh(middle, row.median_s - low, HEIGHT, left=low, color=colour, linewidth=0)
    _legend(figure, narrow)
    if not narrow:
        drawing.title(figure, f"time of a call. {many.heading(found)}")
    return figure


def _legend(figure, narrow):
    from matplotlib.patches import Patch

    said = (("blue", "polymask"), ("amber", "other libraries"))
    patches = [Patch(facecolor=drawing.LIGHT[colour], label=text) for colour, text in said]
    drawing.legend(figure, patches, 4 if narrow else 24, ncols=2)
