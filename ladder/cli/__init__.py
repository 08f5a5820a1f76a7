"""The commands of the course, which `polymask` offers in a clone."""

# For each command its module, and the first sentence of its help.
COMMANDS = {
    "annotate": (
        "ladder.cli.annotate",
        "Write Cython's annotated page of a rung or file; count lines that call Python.",
    ),
    "bench": (
        "ladder.cli.bench",
        "Measure the rungs on one polygon, check every mask, and print a table of speed-ups.",
    ),
    "doctor": (
        "ladder.cli.doctor",
        "Check the features of this machine; print OK, or LOOK and a remedy, for each.",
    ),
    "explain": (
        "ladder.cli.explain",
        "Explain the time of a rung: what limits it, and how far it is from that limit.",
    ),
    "list": (
        "ladder.cli.show",
        "List the rungs, and the reasons why some of them do not run here.",
    ),
    "pipeline": (
        "ladder.cli.pipeline",
        "Print the stages in which Numba compiles a rung, by default numba.njit.",
    ),
    "profile": (
        "ladder.cli.profiles",
        "Profile a rung: count the calls to each function, and measure their times.",
    ),
    "report": (
        "ladder.cli.report",
        "Print the tables of saved results; on request, write Markdown, plots or a web page.",
    ),
    "run": (
        "ladder.cli.run",
        "Make one mask with a rung; print the time of this first call and the number of pixels "
        "inside.",
    ),
    "show": (
        "ladder.cli.show",
        "Print a rung: its idea, its lesson, its measured time, and its file.",
    ),
    "workshop": ("ladder.cli.workshop", "Work on exercises with hints, and check your answers."),
}


def explain_edits():
    """Return a sentence that names the edited files of lessons, or an empty text."""
    from ladder.cli import edits

    files = edits.edited_files()
    return edits.explain(files) if files else ""
