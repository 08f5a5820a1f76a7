"""Result files that must neither stop nor hang the class view, nor get through unescaped."""

import json
import os

TEXTS = {
    "html": "<script>alert(1)</script><img src=x onerror=alert(1)>",
    "markdown": "![x](//evil/x.png) [y](javascript:alert) `z` **b** | c | _d_ www.evil.com",
    "rich": "[bold]bold[/bold] [link=https://evil.example]x[/link] :pile_of_poo:",
    "terminal": "\x1b[2J\x1b]0;owned\x07",
    "formula": '=HYPERLINK("https://evil.example","x")',
    "bidi": "anna\u202egnp.nosj\u2066x",
    "newlines": "a\nb\r\n| c |\u2028d",
    "mathtext": r"$\frac{1}{0}$ \x $",
    "surrogate": "\ud800\udfff\udc80",
    "long": "x" * 200_000,
}
# JSON in place of a number in the file: none is a speed-up, or a count.
NUMBERS = {
    "nan": "NaN",
    "exponent": "1e999999999",
    "huge": "1" + "0" * 5000,
    "negative": "-1",
    "text": '"12"',
    "true": "true",
    "object": '{"a": 1}',
}
# Names of files whose content is a good result.
NAMES = {
    "html": "<script>alert(1)<.json",
    "markdown": "[x](javascript:alert) ![y](z) `q` | **b** | a_b _c_ #1 @you www.evil.example.json",
    "rich": "[red]x[red] [link=evil]y[] :pile_of_poo:.json",
    "formula": "=cmd|' C calc'!A0.json",
    "terminal": "\x1b[31mred\x07.json",
    "newline": "two\nlines.json",
    "bytes": os.fsdecode(b"\xff\xfe\x80.json"),
    "long": "y" * 250 + ".json",
    "blank": " .json",
    "wide": "名前 имя שם.json",
}


def result(name="vectorize", cpu="AMD EPYC", **changes):
    """Return a good result with changes."""
    done = {"state": "passed", "speed_up": 2.5, "predicted": 4.0, "hints": 1, "checks": 2}
    machine = {"cpu": cpu, "cores": 2, "python": "3.12.3"}
    exercises = {name: done | changes}
    return {"format": "polymask workshop 2", "machine": machine, "exercises": exercises}


def contents():
    """Map the names of files with hostile contents to these contents."""
    good = json.dumps(result())
    number = json.dumps(result(speed_up=12345.5))
    texts = {f"cpu_{kind}": json.dumps(result(cpu=text)) for kind, text in TEXTS.items()}
    texts |= {f"exercise_{kind}": json.dumps(result(text)) for kind, text in TEXTS.items()}
    texts |= {f"number_{kind}": number.replace("12345.5", t) for kind, t in NUMBERS.items()}
    texts |= {
        "deep": "[" * 100_000,
        "empty": "",
        "null": "null",
        "no_fields": "{}",
        "cut": good[:-30],
        "format_other": good.replace("workshop 2", "workshop 1"),
        "exercises_list": json.dumps(result() | {"exercises": [1, 2]}),
        "machine_text": json.dumps(result() | {"machine": "AMD"}),
        "exercise_number": json.dumps(result() | {"exercises": {"vectorize": 7}}),
        "state_other": json.dumps(result(state="yes")),
        "cores": good.replace('"cores": 2', '"cores": 1e400'),
        "commas": "[" + "0," * 400_000 + "0]",
        "large": good + " " * 1_000_000,
        "mark": "\ufeff" + good,  # otherwise valid
    }
    encoded = {name: text.encode("utf-8", "surrogatepass") for name, text in texts.items()}
    return encoded | {"utf16": good.encode("utf-16"), "binary": bytes(range(256)) * 100}


def write(folder):
    """Write all these files, irregular files, and good results with hostile names."""
    for name, content in contents().items():
        (folder / f"{name}.json").write_bytes(content)
    for name in NAMES.values():
        (folder / name).write_text(json.dumps(result()))
    (folder / "folder.json").mkdir()
    os.mkfifo(folder / "pipe.json")
    for name, target in {"link": "mark.json", "loop": "loop.json", "zero": "/dev/zero"}.items():
        (folder / f"{name}.json").symlink_to(target)
    with open(folder / "sparse.json", "wb") as file:
        file.truncate(2**40)
