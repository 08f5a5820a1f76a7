"""The task file for VS Code: a check of the exercise whose file is open."""

import json
import sys

from polymask.common import saving

FILE = ".vscode/tasks.json"  # in the workshop's folder
PLACES = {  # in the messages of a check: those of compilers, and our own
    "compiler": {
        # the severity, an error unless named, is before the file or before the message
        "regexp": r"^(?=.*?\b(error|warning): |)(?:\w+: )?([^\s:]+):(\d+):(\d+): (?!note:)(.+)$",
        "severity": 1,
        "file": 2,
        "line": 3,
        "column": 4,
        "message": 5,
    },
    "message": {
        "regexp": r"^NOT YET ([^\s:]+), line (\d+): (.+)$",
        "file": 1,
        "line": 2,
        "message": 3,
    },
}


def write_tasks(where):
    """Write the task file into the workshop's folder, unless it exists."""
    file = where / FILE
    if file.exists():
        return
    matchers = [
        {
            "owner": f"polymask {name}",
            "source": "polymask",
            "fileLocation": ["relative", "${fileDirname}"],
            "pattern": pattern,
        }
        for name, pattern in PLACES.items()
    ]
    check = {
        "label": "check this exercise",
        "type": "process",
        "command": sys.executable,
        "args": ["-m", "polymask", "workshop", "check"],
        "options": {"cwd": "${fileDirname}"},
        "group": {"kind": "test", "isDefault": True},
        "problemMatcher": matchers,
    }
    saving.make_folder(file.parent)
    saving.write(file, json.dumps({"version": "2.0.0", "tasks": [check]}, indent=2) + "\n")
