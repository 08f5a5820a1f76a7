"""The commands of the course, which `polymask` offers in a clone."""

# For each section of the help its commands: the module, and the first sentence of the help.
COMMANDS = {
    "Start here": {
        "workshop": (
            "ladder.cli.workshop",
            "Work on exercises with hints, and check your answers.",
        ),
        "bench": (
            "ladder.cli.bench",
            "Measure the rungs, check every mask, and print a table of speed-ups.",
        ),
        "doctor": (
            "ladder.cli.doctor",
            "Check the features of this machine; print OK, or LOOK and a remedy, for each.",
        ),
    },
    "Rungs of the ladder": {
        "list": (
            "ladder.cli.show",
            "List the rungs, and the reasons why some of them do not run here.",
        ),
        "show": (
            "ladder.cli.show",
            "Print a rung: its idea, its lesson, its measured time, and its file.",
        ),
        "run": ("ladder.cli.run", "Make one mask with a rung; print the time of this first call."),
        "report": (
            "ladder.cli.report",
            "Print the tables of saved results, or write them as Markdown, plots or a page.",
        ),
    },
    "The cost of a rung": {
        "profile": (
            "ladder.cli.profiles",
            "Profile a rung: count the calls to each function, and measure their times.",
        ),
        "explain": (
            "ladder.cli.explain",
            "Explain the time of a rung: what limits it, and how far it is from that limit.",
        ),
        "annotate": (
            "ladder.cli.annotate",
            "Write Cython's annotated page of a rung or file; count lines that call Python.",
        ),
        "pipeline": (
            "ladder.cli.pipeline",
            "Print the stages in which Numba compiles a rung, by default numba.njit.",
        ),
    },
}


def explain_edits():
    """Return a sentence that names the edited files of lessons, or an empty text."""
    from ladder.cli import edits

    return edits.explained()
