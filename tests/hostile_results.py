"""Result files of which none may stop the class view, hang it, or get through unescaped."""

import copy
import json
import os
import socket

BOLD = "[bold]bold[/bold] [link=https://evil.example]x[/link] :pile_of_poo:"
HTML = "<script>alert(1)</script><img src=x onerror=alert(1)>"
MARKDOWN = "![x](//evil/x.png) [y](javascript:alert) `z` **b** | c | _d_ www.evil.com"
TERMINAL = "\x1b[2J\x1b]0;owned\x07\x1b]8;;https://evil.example\x1b\\click\x1b]8;;\x1b\\"
FORMULA = '=HYPERLINK("https://evil.example","x")'
BIDI = "anna\u202egnp.nosj\u2066x"
UNSEEN = "an\u200bn\u3164a\ufeff"
ZALGO = "Z" + "\u0301\u0315\u031b\u0489" * 15
TEXTS = {
    "html": HTML,
    "markdown": MARKDOWN,
    "rich": BOLD,
    "terminal": TERMINAL,
    "formula": FORMULA,
    "bidi": BIDI,
    "unseen": UNSEEN,
    "zalgo": ZALGO,
    "newlines": "a\nb\r\n| c |\u2028d",
    "mathtext": r"$\frac{1}{0}$ \x $",
    "surrogate": "\ud800\udfff\udc80",
    "long": "x" * 200_000,
    "underscore": "_hidden",
}
# A number's place in the file, as JSON says it: none is a speed-up, or a count.
NUMBERS = {
    "infinity": "Infinity",
    "minus_infinity": "-Infinity",
    "nan": "NaN",
    "exponent": "1e999999999",
    "tiny": "1e-999999999",
    "huge": "1" + "0" * 5000,
    "larger": "9" * 900_000,
    "fraction": "0." + "3" * 900_000,
    "double": "1.7976931348623157e308",
    "negative": "-1",
    "text": '"12"',
    "true": "true",
    "list": "[1]",
    "object": '{"a": 1}',
}
# The name of a file, whose content is a good result.
NAMES = {
    "html": "<script>alert(1)<.json",
    "markdown": "[x](javascript:alert) ![y](z) `q` | **b** | a_b _c_ #1 @you www.evil.example.json",
    "rich": "[red]x[/red] [link=evil]y[] :pile_of_poo:.json".replace("/", ""),
    "formula": "=cmd|' C calc'!A0.json",
    "option": "--out=x.json",
    "terminal": "\x1b[31mred\x07.json",
    "newline": "two\nlines.json",
    "bidi": "anna\u202enosj.json",
    "unseen": "an\u200bna.json",
    "bytes": os.fsdecode(b"\xff\xfe\x80.json"),
    "long": "y" * 250 + ".json",
    "blank": " .json",
    "wide": "名前 имя שם.json",
}


def number(text):
    """Return the JSON of a result whose speed-up and prediction are `text`."""
    said = json.dumps(result(times_before=12345.5))
    return said.replace("12345.5", text)


def result(name="vectorize", cpu="AMD EPYC", **changes):
    """Return a good result, changed."""
    done = {"passed": True, "judged": True, "times_before": 2.5, "predicted": 4.0}
    done |= {"of_solution": 1.0, "before": "python.tuples", "hints": 1, "checks": 2, "check_s": 1.0}
    machine = {"cpu": cpu, "affinity": 2, "python": "3.12.3"}
    exercises = {name: done | changes}
    return {"format": "polymask workshop 1", "machine": machine, "exercises": exercises}


def contents():
    """Return name to bytes, of files that are hostile by what is in them."""
    good = json.dumps(result())
    found = {f"cpu_{kind}": json.dumps(result(cpu=text)) for kind, text in TEXTS.items()}
    found |= {f"exercise_{kind}": json.dumps(result(text)) for kind, text in TEXTS.items()}
    found |= {f"number_{kind}": number(text) for kind, text in NUMBERS.items()}
    many = result()
    many["exercises"] = {f"exercise{n}": many["exercises"]["vectorize"] for n in range(3000)}
    known = copy.deepcopy(result())
    known["exercises"] |= {f"n{n}": 1 for n in range(300)}
    found |= {
        "many_exercises": json.dumps(many),
        "some_exercises": json.dumps(known),
        "deep": "[" * 100_000,
        "deep_closed": "[" * 2_000 + "]" * 2_000,
        "deep_inside": good.replace('"AMD EPYC"', '{"a":' * 2_400 + "1" + "}" * 2_400),
        "twice": good[:-1] + ', "format": "polymask workshop 1"}',
        "twice_inside": good.replace('"hints": 1', '"hints": 1, "hints": 2'),
        "empty": "",
        "blank": " " * 900_000,
        "null": "null",
        "a_list": "[1, 2]",
        "a_text": '"polymask workshop 1"',
        "no_fields": "{}",
        "zeros": "\0" * 4096,
        "cut": good[:-30],
        "after": good + good,
        "comment": "// hello\n" + good,
        "format_list": good.replace('"polymask workshop 1"', '["polymask workshop 1"]'),
        "format_other": good.replace("workshop 1", "workshop 2"),
        "exercises_list": json.dumps(result() | {"exercises": [1, 2]}),
        "machine_text": json.dumps(result() | {"machine": "AMD"}),
        "exercise_number": json.dumps(result() | {"exercises": {"vectorize": 7}}),
        "passed_text": json.dumps(result(passed="yes")),
        "hints_missing": good.replace('"hints": 1, ', ""),
        "checks_half": good.replace('"checks": 2', '"checks": 2.5'),
        "case": json.dumps(result("Vectorize")),
        "cores": good.replace('"affinity": 2', '"affinity": 1e400'),
        "shown": json.dumps(result(times_before=None, shown=12345.5)).replace("12345.5", "1e999"),
        "commas": "[" + "0," * 400_000 + "0]",
        "braces": "[" + "{}," * 300_000 + "{}]",
        "large": good + " " * 1_000_000,
    }
    made = {name: text.encode("utf-8", "surrogatepass") for name, text in found.items()}
    return made | {
        "mark": "\ufeff".encode() + good.encode(),  # and nothing else is wrong with it
        "utf16": good.encode("utf-16"),
        "latin": good.replace("EPYC", "ÉPYC").encode("latin-1"),
        "surrogate_bytes": good.replace("EPYC", "\ud800").encode("utf-8", "surrogatepass"),
        "overlong": good.encode().replace(b"EPYC", b"\xc0\xbc"),
        "binary": bytes(range(256)) * 100,
    }


def write(folder):
    """Write them all, and what is no regular file, and good results under hostile names."""
    for name, content in contents().items():
        (folder / f"{name}.json").write_bytes(content)
    for name in NAMES.values():
        (folder / name).write_text(json.dumps(result()))
    outside = folder.parent / "outside.json"
    outside.write_text(json.dumps(result()))
    (folder / "folder.json").mkdir()
    os.mkfifo(folder / "pipe.json")
    links = {"link": outside, "dangling": "nowhere.json", "loop": "loop.json", "zero": "/dev/zero"}
    links |= {"to_folder": "..", "to_pipe": "pipe.json"}
    for name, target in links.items():
        (folder / f"{name}.json").symlink_to(target)
    with socket.socket(socket.AF_UNIX) as made:
        here = os.open(folder, os.O_RDONLY)
        made.bind(f"/proc/self/fd/{here}/socket.json")
        os.close(here)
    with open(folder / "sparse.json", "wb") as file:
        file.truncate(2**40)
