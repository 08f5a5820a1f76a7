"""Helpers for the notebooks: climb the ladder, and show code, tables and pictures.

A notebook measures with the driver, like `polymask bench`: a rung and its `before` in one run, with
each mask checked before it is timed.
"""

import numbers as kinds
import re
import textwrap

from ladder import registry
from ladder.bench import driver
from ladder.bench import sweep as sweeps
from ladder.bench.plan import Plan
from ladder.registry import workload
from ladder.report import table as result_table
from ladder.report import text_table
from ladder.report.charts import drawing, in_rows
from polymask import contract
from polymask.common import figures

SECONDS = 0.3  # for the rounds of a climb: enough for a ratio, but a short wait
SWEEP_SECONDS = 2.0  # for the rounds of all values of a sweep
FARTHEST = 1e9  # a larger prediction is a typing error
WIDTH = 80  # of a printed line, so that narrow windows do not break words
TOP = 44  # space above the dots for the legend and the yardstick's name


class Ladder:
    """The rungs measured so far on one polygon, and their predictions.

    The vertices are (N, 2), columns x and y in pixels; the shape is rows and columns of the mask.
    """

    def __init__(self, vertices, shape):
        self.vertices, self.shape, _ = contract.check(vertices, shape)
        # All map the key of a rung, in the order of the climb.
        self.times = {}  # median seconds per mask, in the run of its climb
        self.factors = {}  # speed-up over its `before`, in the same run, or None
        self.predictions = {}  # the predicted speed-up, or None
        self.noisy = {}  # the disturbed rungs of the run: itself, its `before`, both, or none
        self.memset_s = None  # the yardstick: seconds to fill a new mask
        self._last = self._before_s = None  # the newest rung, and the time of its `before`

    def climb(self, key, prediction=None):
        """Measure a rung together with its `before`, print the result, and draw the ladder so far.

        If the rung is unavailable, print the reason and skip it. A prediction is the expected
        speed-up over its `before`.
        """
        rung = registry.get(key)
        if prediction is not None and not _is_factor(prediction):
            print(f"a prediction is a number like 2.5, above 0 (or None), not {prediction!r}")
            prediction = None
        keys = [key] if rung.before is None else [rung.before, key]
        result = driver.measure(Plan(keys, self.vertices, self.shape, seconds=SECONDS))
        row, before = result.row(key), result.row(rung.before)
        if not row.ok:
            print(f"{key} {row.status}: {row.reason}")
            return
        if self.memset_s is None:
            self.memset_s = result.yardstick.memset_fresh_s
        self.times[key] = row.median_s
        self.factors[key] = row.speedup_before
        self.predictions[key] = prediction
        self.noisy[key] = [each.key for each in result.rows if each.disturbed]
        self._last = key
        self._before_s = before.median_s if before else None
        print(self._sentence(rung, row))
        _warn(self.noisy[key])
        self.draw()

    def _sentence(self, rung, row):
        """Return the result as a sentence, with the prediction."""
        text = f"{rung.key}: {figures.seconds(row.median_s)} a mask"
        if row.speedup_before is None:
            return text
        factor = figures.ratio(row.speedup_before, row.samples)
        text += f", {factor} times as fast as {rung.before}"
        return f"{text}; {said(self.predictions[rung.key])}"

    def draw(self):
        """Show the `figure`."""
        from IPython.display import display

        display(picture(self.figure()))

    @drawing.chart
    def figure(self):
        """Draw the time of each rung so far, the prediction for the newest, and memset.

        A dot keeps its place until its rung is climbed again. The `before` of the newest rung was
        measured again in the same run: a ring marks that time, from which the factor is computed.
        Return None before the first climb.
        """
        if not self.times:
            return None
        last, before = self._last, registry.get(self._last).before
        blue, grey, vermilion = (drawing.LIGHT[name] for name in ("blue", "grey", "vermilion"))
        beside = []  # marks besides the dots: key, seconds, and matplotlib's options
        if before in self.times and self._before_s:
            ring = {"marker": "o", "markersize": 12, "color": blue}
            text = f"{before} again, in the run of {last}"
            beside.append((before, self._before_s, {**ring, "label": text}))
        if self.predictions[last] and self.factors[last]:
            predicted_s = self.times[last] * self.factors[last] / self.predictions[last]
            diamond = {"marker": "D", "markersize": 9, "color": vermilion}
            beside.append((last, predicted_s, {**diamond, "label": "your prediction"}))
        rows = [
            in_rows.Row(key, figures.seconds(seconds) + ", noisy" * (key in self.noisy[key]))
            for key, seconds in self.times.items()
        ]
        values = [*self.times.values(), self.memset_s, *(seconds for _, seconds, _ in beside)]
        figure, axes, middles = in_rows.draw(rows, values, 24, figures.seconds_tick, TOP)
        y_of = dict(zip(self.times, middles, strict=True))
        for key, seconds in self.times.items():
            axes.plot(seconds, y_of[key], "o", color=blue if key == last else grey, markersize=8)
        hollow = {"markerfacecolor": "none", "markeredgewidth": 1.6, "linestyle": ""}
        for key, seconds, options in beside:
            axes.plot(seconds, y_of[key], **hollow, **options)
        axes.axvline(self.memset_s, color=drawing.LIGHT["ink"], linestyle=":", linewidth=1.2)
        text = f"memset: {figures.seconds(self.memset_s)}"
        axes.annotate(text, (self.memset_s, 0), (4, 3), textcoords="offset points")
        drawing.title(figure, "time per mask: left is faster")
        if beside:
            figure.legend(loc="upper right", ncols=2)
        return figure

    def account(self):
        """Return a Markdown table of the predictions and the measured speed-ups."""
        rows = []
        for key, predicted in self.predictions.items():
            if self.factors[key]:
                factor = figures.digits(self.factors[key]) + " (noisy)" * bool(self.noisy[key])
                rows.append((key, factor, "–" if predicted is None else f"{predicted:,}"))
        account = text_table.make("", ("rung", "× before", "you predicted"), 1, rows)
        return "\n".join(text_table.markdown(account)) + "\n"


def _is_factor(value):
    """Return whether a value is a number above 0 that an axis can show; Booleans are not."""
    number = isinstance(value, kinds.Real) and not isinstance(value, bool)
    return number and 1 / FARTHEST < value < FARTHEST


def said(prediction):
    """Describe a prediction: a number with thousands separated, anything else unchanged."""
    if prediction is None:
        return "no prediction"
    number = isinstance(prediction, kinds.Real)
    return f"you predicted {prediction:,}" if number else f"you predicted {prediction}"


def _warn(names):
    """Print a warning about disturbed rungs, if there are any."""
    if names:
        text = (
            f"noisy: {', '.join(names)}; other programs seem to have used the cores. "
            "Run the cell again before you trust the result"
        )
        print(textwrap.fill(text, WIDTH))


def load(key):
    """Return a rung's `make_mask`; if it cannot run here, print the reason and return None."""
    try:
        return registry.get(key).load()
    except contract.Unavailable as unavailable:
        print(f"{key} skipped: {unavailable}")
        return None


def sweep(over, keys, chosen=None, shape=workload.SHAPE):
    """Measure rungs along a sweep on the course's polygon, like `polymask bench sweep`.

    Parameters and result are those of `ladder.bench.sweep.sweep`. A printed line lists the values
    at which a rung was disturbed.
    """
    measured = sweeps.sweep(over, Plan(keys, shape=shape, seconds=SWEEP_SECONDS), chosen=chosen)
    noisy = {}
    for value, result in measured.points:
        for row in result.rows:
            if row.key in keys and row.disturbed:
                noisy.setdefault(row.key, []).append(str(value))
    _warn([f"{key} ({over}: {', '.join(values)})" for key, values in noisy.items()])
    return measured


def code(key, first=None, last=None):
    """Show a rung's source, or a part of it.

    `first` and `last` are the beginnings of the first and last lines to show, without indentation.
    The search for `last` starts at the first line. None means no bound.
    """
    from IPython.display import Markdown

    rung = registry.get(key)
    lines = rung.source().splitlines()
    start = 0 if first is None else _find(lines, first, 0, rung.file)
    stop = len(lines) if last is None else _find(lines, last, start, rung.file) + 1
    text = textwrap.dedent("\n".join(lines[start:stop]))
    return Markdown(f"```{rung.language}\n# {rung.file}\n{text}\n```")


def _find(lines, beginning, start, file):
    """Return the index of the first line from `start` on with this beginning."""
    for number, line in enumerate(lines[start:], start):
        if line.lstrip().startswith(beginning):
            return number
    raise ValueError(f"{file} has no line that begins with {beginning!r}")


def style():
    """Show displayed code in a fixed-width font, and Cython's annotated lines in yellow.

    Pages from nbconvert lack the font. A rule of JupyterLab, more specific than `.cython.score-N`,
    overrides the colour (Cython's issue 7319), so these rules repeat the class.
    """
    from IPython.display import HTML

    rules = [".jp-OutputArea-output pre { font-family: var(--jp-code-font-family); }"]
    for score in range(255):
        blue = int(255 / (1 + score / 10))  # Cython's own shades
        chosen = f".cython.line.score-{score}.score-{score}"
        rules.append(f"{chosen} {{ background-color: #ffff{blue:02x}; }}")
    return HTML(f"<style>{' '.join(rules)}</style>")


def table(result):
    """Show the table of a result, without line breaks between a time and its unit."""
    from IPython.display import Markdown

    return Markdown(re.sub(r"(\d) (s|ms|µs|ns)\b", "\\1\u00a0\\2", result_table.markdown(result)))


def picture(figure):
    """Show a chart of `ladder.report.charts` as SVG; nothing for None."""
    from IPython.display import SVG

    if figure is None:
        return None
    # fit into a narrow window
    style = '<svg style="max-width: 100%; height: auto" '
    return SVG(drawing.svg(figure).replace("<svg ", style, 1))
