"""The commands of the course, which `polymask` offers in a clone."""

SENTENCES = {  # the first sentences of their help
    "annotate": "Write Cython's annotated page of a rung or file; count lines that call Python.",
    "bench": "Measure the rungs on one polygon, check every mask, and print a table of speed-ups.",
    "doctor": "Check the features of this machine; print OK, or LOOK and a remedy, for each.",
    "explain": "Explain the time of a rung: what limits it, and how far it is from that limit.",
    "list": "List the rungs, and the reasons why some of them do not run here.",
    "pipeline": "Print the stages in which Numba compiles a rung, by default numba.njit.",
    "profile": "Profile a rung: count the calls to each function, and measure their times.",
    "report": "Print the tables of saved results; on request, write Markdown, plots or a web page.",
    "run": "Make one mask with a rung; print the time of this first call and the number of pixels "
    "inside.",
    "show": "Print a rung: its idea, its lesson, its measured time, and its file.",
    "workshop": "Work on exercises with hints, and check your answers.",
}
MODULES = {"list": "show", "profile": "profiles"}  # the others have the command's name
COMMANDS = {n: (f"ladder.cli.{MODULES.get(n, n)}", text) for n, text in SENTENCES.items()}


def explain_edits():
    """Return a sentence that names the edited files of lessons, or an empty text."""
    from ladder.cli import edits

    files = edits.edited_files()
    return edits.explain(files) if files else ""
