"""The linter of the project's English: the passages that it reads, and its reports."""

import re
from types import SimpleNamespace

import prose
import pytest


@pytest.mark.parametrize(
    ("name", "text", "expected"),
    [
        ("a.md", "One\nline.\n\n```\ncode\n```\n\nTwo `code` three\n", ["One line.", "Two three"]),
        ("a.md", "<!-- table of x -->\n| row |\n<!-- end of table -->\nAfter\n", ["After"]),
        ("a.py", "found = 'key'  # a comment\nsay('two words')\n", ["# a comment", "'two words'"]),
        ("a.c", 'int a; /* two\nlines */ f("a word"); g("%d");', ["/* two lines */", '"a word"']),
    ],
)
def test_prose_is_read_without_code(name, text, expected):
    assert [" ".join(passage.split()) for _, passage in prose.passages(name, text)] == expected


def test_a_phrase_is_reported_with_its_line_and_a_better_one(tmp_path, monkeypatch):
    page = tmp_path / "page.md"
    page.write_text("Fine.\n\nSkipped in\nabsence of a device.\n")
    monkeypatch.setattr(prose, "ROOT", tmp_path)
    monkeypatch.setattr(prose, "committed", lambda: [page])
    monkeypatch.setattr(
        prose, "ran", lambda *command, **options: SimpleNamespace(stdout="1 a" * 40)
    )
    rules = {"strict": ["*.md"], "generated": [], "rules": {"in absence of": "without"}}
    phrase, subject = prose.lint({**rules, "subjects_since": "here"})
    assert re.match("page.md:3: .*without", phrase)
    assert "commit 1" in subject
