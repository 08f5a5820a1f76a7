"""Files that are nearly valid: mutations of bytes, text and JSON, drawn by a seed."""

import json
import re

DEEP = 100_000  # of nested JSON: more than any reader recurses
MOST_CHANGES = 3
NUMBER = re.compile(rb"-?\d+(?:\.\d+)?(?:e[-+]?\d+)?")
MEMBER = re.compile(rb'"\w+":\s*(?:-?[\d.]+|"[^"\\]*"|true|false|null)')
WORDS = (  # replacements for a number
    *(b"NaN", b"nan", b"Infinity", b"-inf", b"1e999", b"-1e-999", b"-0.0", b"0", b"-1", b"5e-324"),
    *(b"1.7976931348623157e308", b"9223372036854775808", b"1_000", b"0x10", b"1" + b"0" * 400),
    *(b"9" * 5000, b"1." + b"3" * 5000, b"", b"true", b"null", b'"12"', b"[1]", b"{}", b"\xd9\xa3"),
)
PIECES = (  # inserted anywhere
    *(
        b"\0",
        b"\xff\xfe",
        b"\xef\xbb\xbf",
        b"\x1b[2J",
        b"\xed\xa0\x80",
        b"\r",
        b"\n\n",
        b"#",
        b"//",
    ),
    *(b'"', b"\\", b"[", b"]", b"{", b"}", b",", b":", b"x" * 5000, b"\xe2\x80\xa8", b"NaN"),
    *(b"[" * DEEP, b'{"a":' * DEEP, b"[" * 400 + b"]" * 400),
)
KINDS = (  # replacements for a GeoJSON type
    *("Feature", "FeatureCollection", "GeometryCollection", "Polygon", "MultiPolygon", "Point"),
    *("", "x" * 5000, "\x1b[31mred", "two\nlines", "\u202egnp", "\ud800", "none", "rung"),
)
# Placeholders replaced in the text: json.dumps cannot write their values, or takes long.
MARKS = {
    "@deep": "[" * DEEP + "]" * DEEP,
    "@objects": '{"type":"Feature","geometry":' * 2000 + "null" + "}" * 2000,
    "@digits": "9" * 5000,
    "@large": "1" + "0" * 400,
    "@exponent": "1e999999999",
}


def of_bytes(rng, content):
    """Return bytes with one to three changes."""
    for _ in range(rng.randint(1, MOST_CHANGES)):
        content = rng.choice(CHANGES)(rng, content)
    return content


def of_json(rng, text):
    """Return JSON with one to three nodes changed, removed, duplicated, or renamed."""
    tree = json.loads(text)
    for _ in range(rng.randint(1, MOST_CHANGES)):
        tree = _changed(rng, tree)
    text = json.dumps(tree)
    for mark, value in MARKS.items():
        text = text.replace(f'"{mark}"', value)
    return text.encode("utf-8", "surrogatepass")


def _changed(rng, tree):
    """Return a tree with one node changed, chosen by a walk that may end at any depth."""
    holder, key, node = None, None, tree
    while isinstance(node, (dict, list)) and node and rng.random() < 0.85:
        holder = node
        key = rng.choice(list(node)) if isinstance(node, dict) else rng.randrange(len(node))
        node = node[key]
    if holder is None:
        return rng.choice([_value(rng), [tree], {"type": tree}])
    choice = rng.random()
    if choice < 0.6:
        holder[key] = _value(rng)
    elif choice < 0.75:
        del holder[key]
    elif isinstance(holder, list):
        holder.insert(rng.randrange(len(holder) + 1), node)
    else:
        holder[rng.choice([*KINDS, *holder])] = holder.pop(key)
    return tree


def _value(rng):
    """Return a JSON value that hardly any reader expects."""
    plain = [None, True, False, 0, -1, 2**31, 2**63, -0.0, 1e308, float("nan"), float("inf")]
    lists = [[], {}, [[]], [[[]]], [{}], [None], ["a"], [1], [1, [2]], [[1, 2]] * 2, {"type": {}}]
    large = [["x"] * 5000, {"k" * 5000: 1}, [[float("nan")] * 2] * 4]
    return rng.choice([*plain, *lists, *KINDS, *MARKS, *large])


def _span(rng, content):
    """Return the ends of a random piece, usually a short one."""
    begin = rng.randrange(len(content) + 1)
    return begin, min(len(content), begin + int(2 ** rng.uniform(0, 10)))


def _cut(rng, content):
    return content[: rng.randrange(len(content) + 1)]


def _flipped(rng, content):
    changed = bytearray(content)
    for _ in range(rng.randint(1, 8) if content else 0):
        changed[rng.randrange(len(changed))] ^= 1 << rng.randrange(8)
    return bytes(changed)


def _set_early(rng, content):
    """Change a byte in the header."""
    changed = bytearray(content)
    if changed:
        changed[rng.randrange(min(len(changed), 128))] = rng.choice([0, 1, 127, 128, 255])
    return bytes(changed)


def _removed(rng, content):
    begin, end = _span(rng, content)
    return content[:begin] + content[end:]


def _repeated(rng, content):
    begin, end = _span(rng, content)
    return content[:end] + content[begin:end] * rng.choice([1, 2, 50]) + content[end:]


def _inserted(rng, content):
    begin, _ = _span(rng, content)
    return content[:begin] + rng.choice(PIECES) + content[begin:]


def _other_number(rng, content):
    return _replaced(rng, content, NUMBER, lambda _: rng.choice(WORDS))


def _repeated_member(rng, content):
    return _replaced(rng, content, MEMBER, lambda member: member + b"," + member)


def _replaced(rng, content, pattern, replacement):
    places = [match.span() for match in pattern.finditer(content)]
    if not places:
        return content
    begin, end = rng.choice(places)
    return content[:begin] + replacement(content[begin:end]) + content[end:]


def _recoded(rng, content):
    text = content.decode("latin-1")
    return text.encode(rng.choice(["utf-16", "utf-32", "utf-8", "cp500"]), "replace")


CHANGES = (
    *(_cut, _flipped, _set_early, _removed, _repeated, _inserted, _recoded),
    *(_other_number, _other_number, _repeated_member),
)
