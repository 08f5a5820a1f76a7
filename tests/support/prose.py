"""The linter of the project's English: `make lint` runs it; --count counts habits per folder.

It reads Markdown outside code, comments, docstrings, and strings that hold a sentence. The rules
are in prose.toml.
"""

import argparse
import io
import re
import sys
import tokenize
from collections import Counter
from fnmatch import fnmatch

from checkouts import ROOT, committed
from commands import ran

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

PYTHON, C = (".py", ".pyx", ".pxd"), (".c", ".h", ".cpp", ".hpp", ".inl", ".cl", ".cu")
GENERATED = re.compile(r"<!-- table of .*?<!-- end of table -->", re.DOTALL)
CODE = re.compile(r"^ *```.*?^ *```|`[^`\n]+`|\]\([^)]*\)|<[^>\n]+>", re.DOTALL | re.MULTILINE)
C_TEXT = re.compile(r"//[^\n]*|/\*.*?\*/|\"(?:[^\"\\\n]|\\.)* (?:[^\"\\\n]|\\.)*\"", re.DOTALL)
LONGEST_SUBJECT = 72
WIDTH = 26  # of a column of counts


def blanked(match):
    """Return as many lines as the match has, without their text."""
    return " " + "\n" * match.group().count("\n")


def passages(name, text):
    """Yield (line number, prose) of a file's text."""
    if name.endswith(".md"):
        text = CODE.sub(blanked, GENERATED.sub(blanked, text))
        yield from paragraphs(text)
    elif name.endswith(PYTHON):
        for token in tokenize.generate_tokens(io.StringIO(text).readline):
            is_sentence = token.type == tokenize.STRING and " " in token.string
            if token.type == tokenize.COMMENT or is_sentence:
                yield token.start[0], token.string
    elif name.endswith(C):
        for match in C_TEXT.finditer(text):
            yield text.count("\n", 0, match.start()) + 1, match.group()


def paragraphs(text):
    """Yield (line number, text) of paragraphs, so that a phrase may run over the end of a line."""
    number = 1
    for paragraph in re.split(r"(\n\s*\n)", text):
        if paragraph.strip():
            yield number, paragraph
        number += paragraph.count("\n")


def names(name, text, words):
    """Yield the names of a Python file that are among the words."""
    if name.endswith(PYTHON):
        for token in tokenize.generate_tokens(io.StringIO(text).readline):
            if token.type == tokenize.NAME and token.string in words:
                yield token.string


def is_any(name, patterns):
    """Whether a file's name matches one of the patterns."""
    return any(fnmatch(name, pattern) for pattern in patterns)


def read(rules):
    """Yield (name, text) of the files whose prose is checked or counted."""
    for file in committed():
        name = file.relative_to(ROOT).as_posix()
        if name.endswith((".md", *PYTHON, *C)) and not is_any(name, rules["generated"]):
            yield name, file.read_text(encoding="utf-8")


def lint(rules):
    """Return a line for each place where a strict file, or a commit's subject, breaks a rule."""
    faults = []
    compiled = {re.compile(rule, re.IGNORECASE): better for rule, better in rules["rules"].items()}
    for name, text in read(rules):
        if not is_any(name, rules["strict"]):
            continue
        for number, prose in passages(name, text):
            for rule, better in compiled.items():
                for match in rule.finditer(" ".join(prose.split())):
                    faults.append(f"{name}:{number}: {match.group()!r}: write {better}")
    return faults + subjects(rules["subjects_since"])


def subjects(since):
    """Return a line for each commit subject since then that is too long."""
    log = ran(["git", "log", "--no-merges", "--format=%h %s", f"{since}..HEAD"], cwd=ROOT)
    return [  # of none in a clone without that part of the history
        f"commit {commit}: its subject has more than {LONGEST_SUBJECT} characters"
        for commit in log.stdout.splitlines()
        if len(commit.split(" ", 1)[1]) > LONGEST_SUBJECT
    ]


def count(rules):
    """Return how often each habit occurs: a Counter of (folder, habit)."""
    habits = {"rule": "|".join(rules["rules"]), **rules["habits"]}
    habits = {habit: re.compile(pattern, re.IGNORECASE) for habit, pattern in habits.items()}
    counts = Counter()
    for name, text in read(rules):
        folder = name.split("/")[0] if "/" in name else "*.md"
        for _, prose in passages(name, text):
            for habit, pattern in habits.items():
                counts[folder, habit] += len(pattern.findall(" ".join(prose.split())))
        counts[folder, "name"] += len(list(names(name, text, rules["names"]["words"])))
    return counts


def main():
    """Lint, or count with --count."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--count", action="store_true", help="count habits per folder instead")
    rules = tomllib.loads((ROOT / "tests/support/prose.toml").read_text(encoding="utf-8"))
    if not parser.parse_args().count:
        faults = lint(rules)
        print(*faults, sep="\n", end="\n" if faults else "")
        return bool(faults)
    counts = count(rules)
    habits = ["rule", *rules["habits"], "name"]
    for (_, habit), number in list(counts.items()):
        counts["all", habit] += number
    print(f"{'':12}", *[f"{habit:>{WIDTH}}" for habit in habits])
    for folder in sorted(
        {folder for folder, _ in counts}, key=lambda folder: (folder == "all", folder)
    ):
        print(f"{folder:12}", *[f"{counts[folder, habit]:{WIDTH}}" for habit in habits])
    return 0


if __name__ == "__main__":
    sys.exit(main())
