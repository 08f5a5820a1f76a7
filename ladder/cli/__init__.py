"""The commands of the course, which `polymask` offers in a clone."""

SECTIONS = {  # of the help: the first sentence about each command
    "Start here": {
        "workshop": "Work on exercises with hints, and check your answers.",
        "bench": "Measure the rungs, check every mask, and print a table of speed-ups.",
        "doctor": "Check the features of this machine; print OK, or LOOK and a remedy, for each.",
    },
    "Rungs of the ladder": {
        "list": "List the rungs, and the reasons why some of them do not run here.",
        "show": "Print a rung: its idea, its lesson, its measured time, and its file.",
        "run": "Make one mask with a rung; print the time of this first call.",
        "report": "Print the tables of saved results, or write them as Markdown, plots or a page.",
    },
    "The cost of a rung": {
        "profile": "Profile a rung: count the calls to each function, and measure their times.",
        "explain": "Explain the time of a rung: what limits it, and how far it is from that limit.",
        "annotate": "Write Cython's annotated page of a rung or file; "
        "count lines that call Python.",
        "pipeline": "Print the stages in which Numba compiles a rung, by default numba.njit.",
    },
}
MODULES = {"list": "show", "profile": "profiles"}  # the others have the command's name
COMMANDS = {  # the module of each command, and that sentence
    section: {name: (f"ladder.cli.{MODULES.get(name, name)}", text) for name, text in about.items()}
    for section, about in SECTIONS.items()
}
