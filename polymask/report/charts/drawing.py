"""What all charts share: sizes, colours, how a figure is saved, and how it gets into a page.

A chart is a function that returns a figure of matplotlib, or None where there is nothing to draw.
With `narrow` it is drawn for a phone: text in a picture that is scaled to one cannot be read.
"""

import functools
import html
import io
import os
import re
import warnings
from pathlib import Path

from polymask.common import caches, saving
from polymask.contract import BadSetting, Unavailable

WIDE, NARROW = 960, 360
INCH = 72  # pixels: a point of matplotlib's is a pixel of a page
SIZE = 12  # of words, pixels
PAD = 6  # between words and the side of a drawing
# Name: for light, which is also for paper, and for dark. None is #000000: matplotlib leaves it out.
COLOURS = {
    "paper": ("#ffffff", "#11161c"),
    "ink": ("#1b1f24", "#e2e8ee"),
    "soft": ("#57606a", "#9fabb7"),
    "grid": ("#dde3e9", "#2b353f"),
    "tint": ("#f3f6f9", "#1c242d"),
    "slow": ("#b34700", "#f29157"),
    # after Okabe and Ito: told apart by the colour-blind; on paper as dark as lines have to be
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
    "svg.fonttype": "none",  # text stays text
    "svg.hashsalt": "polymask",  # the same data make the same bytes
    "font.family": "sans-serif",
    "font.sans-serif": ["DejaVu Sans", "Verdana"],  # letters of one width
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
    """Return matplotlib; raise `Unavailable` where it is not installed or refuses a setting."""
    caches.ensure()
    try:
        import matplotlib as mpl
    except ImportError:
        raise Unavailable(
            "no charts, as matplotlib is not installed", "pip install 'polymask[bench]'"
        ) from None
    except ValueError:  # whose text names no variable, but some twenty backends
        backend = os.environ.get("MPLBACKEND")
        if backend is None:
            raise
        reason = f"MPLBACKEND={backend} is no backend of matplotlib's"
        raise BadSetting(reason, "unset it, as our charts need none") from None
    return mpl


def chart(draw):
    """Let a function draw in our style, whatever the style of who calls it."""

    @functools.wraps(draw)
    def styled(*arguments, **options):
        mpl = need()
        with mpl.rc_context(), warnings.catch_warnings():
            # a name in a script that the font lacks becomes boxes in a .png, and no lines here
            warnings.filterwarnings("ignore", r"Glyph \d+ ", UserWarning)
            mpl.rcdefaults()
            mpl.rcParams.update(STYLE)
            return draw(*arguments, **options)

    return styled


def figure(width, height):
    """Return an empty figure of that size in pixels, which no window shows."""
    from matplotlib.figure import Figure

    return Figure((width / INCH, height / INCH))


def axes(drawn, left, right, top, bottom):
    """Return the axes of a figure with so many pixels at each side of them."""
    width, height = drawn.get_size_inches() * INCH
    return drawn.add_axes(
        (left / width, bottom / height, (width - left - right) / width, 1 - (top + bottom) / height)
    )


def title(drawn, text):
    """Write above the axes what is drawn."""
    width, height = drawn.get_size_inches() * INCH
    drawn.text(PAD / width, 1 - PAD / height, text, va="top")


def legend(drawn, handles, top, **looks):
    """Write what marks mean, so many pixels below the upper side."""
    width, height = drawn.get_size_inches() * INCH
    place = {"loc": "upper left", "bbox_to_anchor": (PAD / width, 1 - top / height)}
    looks |= {"borderaxespad": 0, "borderpad": 0, "labelspacing": 0.3}
    drawn.legend(handles=handles, **place, **looks)


@functools.cache
def width(text, size=SIZE, weight="normal"):
    """Return about how many pixels a text takes: browsers have other fonts, no two alike."""
    from matplotlib.font_manager import FontProperties
    from matplotlib.textpath import text_to_path

    font = FontProperties(size=size, weight=weight)
    return 1.05 * text_to_path.get_text_width_height_descent(text, font, ismath=False)[0]


def decades(axis, write, most=9):
    """Put ticks at the powers of ten of a logarithmic axis, and write no more than `most`.

    An axis that has hardly one gets ticks at twice and five times these, too.
    """
    from matplotlib.ticker import FixedLocator, LogLocator, NullLocator

    low, high = axis.get_view_interval()
    for parts in ((1,), (1, 2, 5)):
        values = LogLocator(subs=parts, numticks=99).tick_values(low, high)
        found = [value for value in values if low <= value <= high]
        if len(found) > 1:
            break
    axis.set_major_locator(FixedLocator(found))
    axis.set_minor_locator(NullLocator())
    every = -(-len(found) // most)
    axis.set_ticklabels([write(v) if n % every == 0 else "" for n, v in enumerate(found)])


@chart
def save(drawn, stem, formats=("png", "svg"), **options):
    """Write a figure as `stem`.png and so on; return the files, none where there is no figure."""
    files = [Path(f"{stem}.{extension}") for extension in formats if drawn]
    for file in files:
        with saving.replacing(file, **options) as unfinished:
            _write(drawn, unfinished, file.suffix[1:])
    return files


def _write(drawn, file, form, **options):
    # no date and no version inside: made twice, it is the same file
    unsigned = {"Software": None} if form == "png" else {"Date": None, "Creator": None}
    drawn.savefig(file, format=form, dpi=1.5 * INCH, metadata=unsigned, **options)


@chart
def svg(drawn, **options):
    """Return a figure as the text of an SVG file."""
    file = io.StringIO()
    _write(drawn, file, "svg", **options)
    return file.getvalue()


def inline(drawn, name, label, kind):
    """Return a figure as the markup of a page's element.

    Its ids begin with `name`: no two charts of a page share one. `label` says what it shows, for
    those who cannot see it; of `kind`, "wide" and "narrow", the page shows one. Colours are
    variables, of `colours`, so they follow light and dark.
    """
    text = svg(drawn, facecolor="none")
    _, attributes, inside = re.split(r"<svg\b([^>]*)>", text, maxsplit=1)
    inside = re.sub(r"<metadata>.*?</metadata>|<style.*?</style>", "", inside, flags=re.S)
    inside = re.sub(r' transform="rotate\(-?0 [^"]*"| ?font-family: [^;"]*;?', "", inside)
    inside = re.sub(r'\bid="', f'id="{name}-', inside).replace("xlink:", "")
    inside = re.sub(r'(url\(|href=")#', rf"\1#{name}-", inside)
    inside = re.sub(' fill="(#[0-9a-f]{6})"', lambda found: f' style="fill: {found[1]}"', inside)
    inside = re.sub("#[0-9a-f]{6}", lambda found: f"var(--{NAMES[found[0]]})", inside)
    box = re.search('viewBox="0 0 ([^ ]+) [^ ]+"', attributes)
    return (
        f'<svg class="chart {kind}" style="width: {box[1]}px" {box[0]} role="img" '
        f'aria-label="{html.escape(label)}">{inside}'
    )


def colours(dark):
    """Return the variables that charts in a page take their colours from, for a style sheet."""
    return " ".join(f"--{name}: {both[dark]};" for name, both in COLOURS.items())
