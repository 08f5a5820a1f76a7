"""The linter of the project's English: `make lint` runs it.

It reads Markdown outside code, comments, docstrings, and strings that hold a sentence. The rules
are in prose.toml.
"""

import io
import re
import sys
import tokenize
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


def is_any(name, patterns):
    """Whether a file's name matches one of the patterns."""
    return any(fnmatch(name, pattern) for pattern in patterns)


def lint(rules):
    """Return a line for each place where a file, or a commit's subject, breaks a rule."""
    faults = []
    compiled = {re.compile(rule, re.IGNORECASE): better for rule, better in rules["rules"].items()}
    for file in committed():
        name = file.relative_to(ROOT).as_posix()
        if not name.endswith((".md", *PYTHON, *C)) or is_any(name, rules["generated"]):
            continue
        for number, prose in passages(name, file.read_text(encoding="utf-8")):
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


def main():
    """Print the faults; return the exit code."""
    rules = tomllib.loads((ROOT / "tests/support/prose.toml").read_text(encoding="utf-8"))
    faults = lint(rules)
    print(*faults, sep="\n", end="\n" if faults else "")
    return bool(faults)


if __name__ == "__main__":
    sys.exit(main())
