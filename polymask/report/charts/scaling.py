"""A sweep over threads: how many times as fast each rung is, beside the ideal and Amdahl's law."""

from polymask.cost import amdahl
from polymask.cost.scaling import speedups
from polymask.report import figures
from polymask.report.charts import curve_keys, curves, drawing


@drawing.chart
def draw(found, narrow=False):
    """Draw the speed-up of each rung over the number of threads; None where none has a time.

    Thin lines are Amdahl's law, where it was fitted to enough counts to be wrong.
    """
    scaled, values = speedups(found), found.values
    if not scaled:
        return None
    first, last = values[0], values[-1]
    laws = {key: law for key, law in amdahl.of_sweep(found).items() if not law.exact}
    figure, axes = curves.frame(found, [*scaled, "ideal"], narrow, "speed-up over threads")
    axes.set_ylabel(f"times as fast as with {figures.count(first, 'thread')}")
    grey = drawing.LIGHT["grey"]
    drawn = {"ideal": axes.plot([first, last], [1, last / first], "--", color=grey)[0]}
    for key, points in scaled.items():
        x, y = [point.threads for point in points], [point.speedup for point in points]
        drawn[key] = curves.line(axes, key, x, y)
        colour = drawn[key].get_color()
        for point in points:
            if point.ci95:
                axes.plot([point.threads] * 2, point.ci95, color=colour, linewidth=4, alpha=0.5)
        if key in laws:
            law = [points[0].seconds / laws[key].at(count) for count in x]
            axes.plot(x, law, color=colour, linewidth=0.8, gid=f"law-{key}")
    axes.set_ylim(bottom=0)
    axes.yaxis.set_major_formatter(lambda value, _: figures.stated(value))
    curves.ticks(axes, values)
    curve_keys.put(axes, drawn)
    return figure
