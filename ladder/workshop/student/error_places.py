"""The places in a student's files that a message names, as editors need them."""

import re

# "p.pyx:9:4: text" from compilers, and "p.py, line 9: text" in our own messages
PLACE = r"^(?:error: |warning: )?({files})(?::(\d+):(\d+)|, line (\d+)): (?!note:)(.+)"
CYTHON = (".pyx", ".pxd", ".pxi")  # in these files, Cython counts columns from zero
MOST = 20


def of(message, exercise, folder):
    """Return the places that a message names, in its order; a compiler's remarks are omitted.

    Parameters
    ----------
    message : str
        The message of a check.
    exercise : ladder.workshop.exercises.Exercise
        The exercise, whose files are searched for.
    folder : pathlib.Path
        The student's folder of the exercise.

    Returns
    -------
    list of dict
        At most `MOST` dicts with the keys file (its absolute path), line, column and message. Lines
        and columns count from one; the column is None if it is unknown.
    """
    files = "|".join(map(re.escape, exercise.files))
    matches = re.findall(PLACE.format(files=files), message, re.M)
    places = []
    for name, line, column, only_line, text in matches[:MOST]:
        from_zero = name.endswith(CYTHON)
        places.append(
            {
                "file": str((folder / name).resolve()),
                "line": int(line or only_line),
                "column": int(column) + from_zero if column else None,
                "message": text,
            }
        )
    return places
