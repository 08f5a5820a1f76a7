"""A bar chart of the speed-ups on a logarithmic axis, with the course's below ours."""

from ladder import registry
from ladder.report import table
from ladder.report.charts import drawing, in_rows
from polymask.common import figures

HEIGHT = 12  # of one of our bars, pixels
OTHER, COURSE = "\\\\\\", "///"  # hatches of another algorithm's bars, and of the course's
SUPERSCRIPTS = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")


@drawing.chart
def draw(result):
    """Draw the speed-ups of a result; return None if no row has one."""
    rows = [row for row in result.rows if row.speedup]
    if not rows:
        return None
    base = result.samples(registry.BASE)
    course = any(row.course_speedup for row in rows)
    other = any(row.other_algorithm for row in rows)
    first = result.row(registry.BASE)
    limit = first.times_yardstick if first else None
    values = [value for row in rows for value in (row.speedup, row.course_speedup) if value]
    values += [1.0, limit or 1.0]  # the speed-up of memset over the base
    words = []
    for row in rows:
        value = f"{figures.ratio(row.speedup, min(base, row.samples))} ×"
        value += f"; course {figures.stated(row.course_speedup)} ×" if row.course_speedup else ""
        words.append(in_rows.Row(row.key + " ¹" * row.other_algorithm, value))
    height = 2 * HEIGHT if course else HEIGHT + 4
    figure, axes, middles = in_rows.draw(words, values, height, times, top=78)
    for row, middle in zip(rows, middles, strict=True):
        y = middle - HEIGHT / 2 if row.course_speedup else middle
        _bar(axes, y, row.speedup, HEIGHT, "blue", OTHER if row.other_algorithm else "")
        if row.course_speedup:
            _bar(axes, y + HEIGHT, row.course_speedup, HEIGHT - 3, "amber", COURSE)
    span = [y - HEIGHT for y in middles], [y + HEIGHT for y in middles]
    ink = {"color": drawing.LIGHT["ink"], "linewidth": 1.2}
    axes.vlines([1] * len(middles), *span, **ink)
    if limit:
        axes.vlines([limit] * len(middles), *span, linestyle=":", zorder=0, **ink)
        axes.annotate("memset", (limit, 0), (0, 3), textcoords="offset points", ha="center")
    handles = [_patch("blue", "", "here")]
    handles += [_patch("blue", OTHER, "here, another algorithm ¹")] if other else []
    handles += [_patch("amber", COURSE, "the course, on its machine")] if course else []
    drawing.legend(figure, handles, 40, ncols=3)
    drawing.title(figure, f"speed-up against {registry.BASE}:\n{table.heading(result)}")
    return figure


def times(value):
    """Write a tick of an axis of ratios: 0.1, 1, 10, 100, 10³."""
    text = f"{value:.0e}"
    if 0.01 <= value <= 100:
        return figures.stated(value)
    return "10" + str(int(text.partition("e")[2])).translate(SUPERSCRIPTS)


def _bar(axes, y, value, height, colour, hatch):
    """Draw a bar from 1 to `value`, in either direction."""
    low, high = axes.get_xlim()
    least = (high / low) ** 0.005
    value = least if 1 / least < value < least else value  # keep a bar near 1 visible
    face, gap = drawing.LIGHT[colour], drawing.LIGHT["paper"]
    axes.barh(y, value - 1, height, left=1, color=face, hatch=hatch, edgecolor=gap, linewidth=0)


def _patch(colour, hatch, label):
    """Return the legend's entry for a bar."""
    from matplotlib.patches import Patch

    looks = {"facecolor": drawing.LIGHT[colour], "edgecolor": drawing.LIGHT["paper"]}
    return Patch(hatch=hatch, label=label, linewidth=0, **looks)
