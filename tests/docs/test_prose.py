"""The linter of the project's English: the passages that it reads, and its reports."""

import re
from types import SimpleNamespace

import prose


def test_a_phrase_is_reported_with_its_line_and_a_better_one(tmp_path, monkeypatch):
    page = tmp_path / "page.md"
    page.write_text("Fine.\n\nSkipped in\nabsence of a device.\n")
    monkeypatch.setattr(prose, "ROOT", tmp_path)
    monkeypatch.setattr(prose, "committed", lambda: [page])
    monkeypatch.setattr(
        prose, "ran", lambda *command, **options: SimpleNamespace(stdout="1 a" * 40)
    )
    rules = {"generated": [], "rules": {"in absence of": "without"}}
    phrase, subject = prose.lint({**rules, "subjects_since": "here"})
    assert re.match("page.md:3: .*without", phrase)
    assert "commit 1" in subject
