"""Record the calls to Python in the C code of the condition in tuples.py.

python 1_cython/pictures/record_objects.py

Cython translates tuples.py. The calls for each operator, and those that release an object, are
recorded in objects.json, in their order, with the C variable that contains the object.
"""

import html
import json
import re

from objects import DATA

SOURCE = DATA.parents[2] / "0_python/tuples.py"
LINE = "if x1 == x2 or x <= "  # the beginning of the line
CALL = re.compile(
    r"(\w+) = __Pyx_(?:PyNumber_|PyObject_CompareBool)([A-Z][a-z]+)\w*\((\w+), (\w+)"
    r"|__Pyx_DECREF\((\w+)\)"
)


def record():
    """Write the calls in the C code of the line to objects.json."""
    import Cython

    from ladder.workshop.sandbox import yellow

    lines = SOURCE.read_text(encoding="utf-8").splitlines()
    (number,) = (n for n, text in enumerate(lines, 1) if text.strip().startswith(LINE))
    page = yellow.annotate(SOURCE).decode("utf-8")
    code = re.search(rf'<span class="">0*{number}</span>.*?<pre class=.cython code.*?</pre>', page,
                     re.S)[0]  # fmt: skip
    text = html.unescape(re.sub(r"<[^>]+>", "", code))
    text = text.replace("__pyx_v_", "")  # from the names of the source's variables
    calls = [[part or "" for part in match.groups()] for match in CALL.finditer(text)]
    first = next(n for n, call in enumerate(calls) if call[1] == "Subtract")
    data = {"cython": Cython.__version__, "result, operator, operands, released": calls[first:]}
    text = json.dumps(data).replace("[[", "\n[[").replace("], ", "],\n")
    DATA.write_text(text + "\n", encoding="utf-8")


if __name__ == "__main__":
    record()
