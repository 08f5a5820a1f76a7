"""Common parts of all charts: sizes, colours, and functions to save and inline figures.

A chart is a function that returns a matplotlib figure, or None if there is nothing to draw.
"""

import functools
import html
import io
import os
import re
import warnings
from pathlib import Path

from ladder.common import caches
from polymask.common import saving
from polymask.contract import BadSetting, Unavailable

WIDE = 960
INCH = 72  # pixels, so that a point in matplotlib is a pixel on a page
SIZE = 12  # of text, pixels
PAD = 6  # between text and the side of a drawing
# Name: light (also for paper), dark. No colour is #000000, which matplotlib omits in SVG.
COLOURS = {
    "paper": ("#ffffff", "#11161c"),
    "ink": ("#1b1f24", "#e2e8ee"),
    "soft": ("#57606a", "#9fabb7"),
    "grid": ("#dde3e9", "#2b353f"),
    "tint": ("#f3f6f9", "#1c242d"),
    "slow": ("#b34700", "#f29157"),
    # after Okabe and Ito, distinct for the colour-blind, and dark enough for lines on paper
    "blue": ("#0072b2", "#4aa8e0"),
    "vermilion": ("#d55e00", "#f5854a"),
    "green": ("#00855f", "#2dc39a"),
    "purple": ("#b8578c", "#e3a0c8"),
    "amber": ("#a87400", "#e6b03c"),
    "sky": ("#2a8fcc", "#9bd6f7"),
    "grey": ("#666666", "#a0a6ac"),
}
LIGHT = {name: light for name, (light, _) in COLOURS.items()}
OF_ROWS = ("blue", "vermilion", "green", "purple", "amber", "sky", "ink")
NAMES = {light: name for name, light in LIGHT.items()}
STYLE = {
    "svg.fonttype": "none",  # keep text as text
    "svg.hashsalt": "polymask",  # the same data gives the same bytes
    "font.family": "sans-serif",
    "font.sans-serif": ["DejaVu Sans", "Verdana"],  # fonts of about the same width
    "font.size": SIZE,
    "figure.dpi": INCH,
    "figure.facecolor": LIGHT["paper"],
    "axes.facecolor": "none",
    "axes.axisbelow": True,
    "grid.color": LIGHT["grid"],
    "grid.linewidth": 1,
    "hatch.linewidth": 1.5,
    **dict.fromkeys(("xtick.labelsize", "ytick.labelsize"), SIZE - 1),
    **dict.fromkeys(("axes.edgecolor", "xtick.color", "ytick.color"), LIGHT["soft"]),
    **dict.fromkeys(("text.color", "axes.labelcolor"), LIGHT["ink"]),
    **dict.fromkeys(("xtick.labelcolor", "ytick.labelcolor"), LIGHT["ink"]),
    **dict.fromkeys(("axes.spines.top", "axes.spines.right"), False),
    **dict.fromkeys(("legend.frameon", "text.parse_math"), False),
}


def need():
    """Return matplotlib; raise `Unavailable` if it is not installed or refuses a setting."""
    caches.ensure()
    try:
        import matplotlib as mpl
    except ImportError:
        reason = "there are no charts, as matplotlib is not installed"
        raise Unavailable(reason, "pip install 'polymask[bench]'") from None
    except ValueError:  # its message lists twenty backends, but does not name the variable
        backend = os.environ.get("MPLBACKEND")
        if backend is None:
            raise
        reason = f"MPLBACKEND={backend} is not a backend of matplotlib"
        raise BadSetting(reason, "unset it, as the charts need none") from None
    return mpl


def chart(draw):
    """Decorate a drawing function so that it uses our style instead of the caller's."""

    @functools.wraps(draw)
    def styled(*arguments, **options):
        mpl = need()
        with mpl.rc_context(), warnings.catch_warnings():
            # do not warn of characters that the font lacks: they become boxes in a .png
            warnings.filterwarnings("ignore", r"Glyph \d+ ", UserWarning)
            mpl.rcdefaults()
            mpl.rcParams.update(STYLE)
            return draw(*arguments, **options)

    return styled


def figure(width, height):
    """Return an empty figure, without a window; its size is in pixels."""
    from matplotlib.figure import Figure

    return Figure((width / INCH, height / INCH))


def axes(figure, left, right, top, bottom):
    """Return the axes of a figure, with margins in pixels."""
    width, height = figure.get_size_inches() * INCH
    return figure.add_axes(
        (left / width, bottom / height, (width - left - right) / width, 1 - (top + bottom) / height)
    )


def title(figure, text):
    """Write the title above the axes."""
    width, height = figure.get_size_inches() * INCH
    figure.text(PAD / width, 1 - PAD / height, text, va="top")


def legend(figure, handles, top, **looks):
    """Write the legend `top` pixels below the upper side."""
    width, height = figure.get_size_inches() * INCH
    place = {"loc": "upper left", "bbox_to_anchor": (PAD / width, 1 - top / height)}
    looks |= {"borderaxespad": 0, "borderpad": 0, "labelspacing": 0.3}
    figure.legend(handles=handles, **place, **looks)


def keys_at_right(axes, curves):
    """Write the keys of `curves` (key to line) beside the axes, in the order of their ends."""
    order = sorted(curves, key=lambda key: -curves[key].get_ydata()[-1])
    looks = {"fontsize": SIZE - 1, "borderaxespad": 0, "labelspacing": 0.2, "handlelength": 2.5}
    handles = [curves[key] for key in order]
    axes.legend(handles, order, loc="center left", bbox_to_anchor=(1.02, 0.5), **looks)


@functools.cache
def width(text, size=SIZE, weight="normal"):
    """Return the approximate width of a text in pixels, as the fonts of browsers differ."""
    from matplotlib.font_manager import FontProperties
    from matplotlib.textpath import text_to_path

    font = FontProperties(size=size, weight=weight)
    return 1.05 * text_to_path.get_text_width_height_descent(text, font, ismath=False)[0]


def decades(axis, write):
    """Put ticks at the powers of ten of a logarithmic axis, with at most nine labels.

    An axis with fewer than two of these also has ticks at two and five times the powers of ten.
    """
    from matplotlib.ticker import FixedLocator, LogLocator, NullLocator

    low, high = axis.get_view_interval()
    for parts in ((1,), (1, 2, 5)):
        values = LogLocator(subs=parts, numticks=99).tick_values(low, high)
        ticks = [value for value in values if low <= value <= high]
        if len(ticks) > 1:
            break
    axis.set_major_locator(FixedLocator(ticks))
    axis.set_minor_locator(NullLocator())
    every = -(-len(ticks) // 9)
    axis.set_ticklabels([write(v) if n % every == 0 else "" for n, v in enumerate(ticks)])


@chart
def save(figure, stem, formats=("png", "svg")):
    """Write a figure as `stem`.png and so on; return the files, or [] without a figure."""
    files = [Path(f"{stem}.{extension}") for extension in formats if figure]
    for file in files:
        with saving.replacing(file) as unfinished:
            if file.suffix == ".svg":
                unfinished.write_text(both_schemes(svg(figure)), encoding="utf-8", newline="\n")
            else:
                _write(figure, unfinished, file.suffix[1:])
    return files


def both_schemes(text):
    """Return the text of an SVG file with a style for dark mode.

    The marks keep their light colours, for programs that do not know media queries.
    """
    rules = {
        f'[style*="{part}: {colour}"], [{part}="{colour}"] '
        f"{{ {part}: {COLOURS[NAMES[colour]][1]} !important }}\n"
        for part, colour in re.findall(r'\b(fill|stroke)(?:: |=")(#[0-9a-f]{6})', text)
    }
    dark = f"@media screen and (prefers-color-scheme: dark) {{\n{''.join(sorted(rules))}}}"
    return text.replace("</style>", f"\n{dark}</style>", 1)


def _write(figure, file, form, **options):
    # without date and version, the file is reproducible
    metadata = {"Software": None} if form == "png" else {"Date": None, "Creator": None}
    figure.savefig(file, format=form, dpi=1.5 * INCH, metadata=metadata, **options)


@chart
def svg(figure, **options):
    """Return a figure as the text of an SVG file."""
    file = io.StringIO()
    _write(figure, file, "svg", **options)
    return file.getvalue()


def inline(figure, name, label, css_class):
    """Return a figure as markup for a page.

    Its ids begin with `name`, so that they are unique in the page. `label` describes it for screen
    readers; `css_class` is for the style sheet. Its colours are the variables of `colours`,
    which differ in light and dark mode.
    """
    text = svg(figure, facecolor="none")
    _, attributes, inside = re.split(r"<svg\b([^>]*)>", text, maxsplit=1)
    inside = re.sub(r"<metadata>.*?</metadata>|<style.*?</style>", "", inside, flags=re.S)
    inside = re.sub(r' transform="rotate\(-?0 [^"]*"| ?font-family: [^;"]*;?', "", inside)
    inside = re.sub(r'\bid="', f'id="{name}-', inside).replace("xlink:", "")
    inside = re.sub(r'(url\(|href=")#', rf"\1#{name}-", inside)
    inside = re.sub(' fill="(#[0-9a-f]{6})"', lambda match: f' style="fill: {match[1]}"', inside)
    inside = re.sub("#[0-9a-f]{6}", lambda match: f"var(--{NAMES[match[0]]})", inside)
    box = re.search('viewBox="0 0 ([^ ]+) [^ ]+"', attributes)
    return (
        f'<svg class="chart {css_class}" style="width: {box[1]}px" {box[0]} role="img" '
        f'aria-label="{html.escape(label)}">{inside}'
    )


def colours(dark):
    """Return the variables for the colours of charts, for a style sheet."""
    return " ".join(f"--{name}: {both[dark]};" for name, both in COLOURS.items())
