"""Texts of numbers, with units and the digits that their samples justify, and of lists."""

ENOUGH = 5  # samples that a meaningful interval needs


def seconds(value, write=None):
    """Write a time with the unit that fits: 1.23 s, 45.6 ms, 7.89 µs."""
    if value is None:
        return ""
    write = write or digits
    units = (("s", 1), ("ms", 1e-3), ("µs", 1e-6))
    unit, size = next((entry for entry in units if value >= entry[1]), ("ns", 1e-9))
    return f"{write(value / size)} {unit}"


def size(count):
    """Write a number of bytes with the unit that fits: 1.23 GB, 45.6 MB."""
    if count is None:
        return ""
    units = (("GB", 1e9), ("MB", 1e6))
    unit, each = next((entry for entry in units if count >= entry[1]), ("kB", 1e3))
    return f"{digits(count / each)} {unit}"


def seconds_tick(value):
    """Write a tick of an axis of times: 10 µs."""
    return seconds(value, stated)


def interval(ends):
    """Write an interval of times in one unit: 34.6 to 34.8 ms."""
    if not ends:
        return ""
    low, high = (seconds(end) for end in ends)
    (low, unit), (_, other) = low.split(), high.split()
    return f"{low}–{high}" if unit == other else f"{low} {unit}–{high}"


def of_ratio(ends):
    """Write an interval of ratios: 1.95 to 1.97, with a fourth digit if three are equal."""
    if not ends:
        return ""
    low, high = (digits(end) for end in ends)
    if low == high:
        low, high = (digits(end, 4) for end in ends)
    return low if low == high else f"{low}–{high}"


def digits(value, count=3):
    """Write a number with `count` significant digits, no exponent: 0.0804, 1.20, 13500."""
    if value is None:
        return ""
    if value == 0:
        return "0"
    rounded = float(f"{value:.{count - 1}e}")
    exponent = int(f"{rounded:e}".partition("e")[2])
    return f"{rounded:.{max(count - 1 - exponent, 0)}f}"


def ratio(value, samples):
    """Write a ratio with three digits, or with two if there are fewer than five samples."""
    return digits(value, 3 if samples >= ENOUGH else 2)


def count(number, singular, plural=None):
    """Write a number with its noun: 1 core, 2 cores."""
    return f"{number} {singular if number == 1 else plural or singular + 's'}"


def grouped(text):
    """Separate the thousands of an integer's text: 310,000."""
    return f"{int(text):,}" if text.isdigit() else text


def listed(words):
    """Write a list of words: a, b and c."""
    return " and ".join(filter(None, (", ".join(words[:-1]), words[-1])))


def by_reason(reasons):
    """Return a line for each reason, after the names that share it, from names with reasons."""
    names = {}
    for name, why in reasons.items():
        names.setdefault(str(why), []).append(name)
    return [f"{', '.join(each)}: {why}" for why, each in names.items()]


def stated(value):
    """Write a published number with its own digits: 36, 0.08."""
    return "" if value is None else f"{float(digits(value)):.15g}"
