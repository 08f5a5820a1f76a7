"""The sections of concept pages that the messages of a check name: they explain mistakes."""

from dataclasses import dataclass

FOLDER = "docs/concepts"  # from the checkout's root


@dataclass(frozen=True)
class Section:
    """A section of a page; its text refers a student to it."""

    page: str
    heading: str

    def __str__(self):
        return f'(read {FOLDER}/{self.page}, "{self.heading}")'


GUARD = Section("devices.md", "Whole work-groups, and the guard")
QUEUE = Section("devices.md", "A launch only enters the queue")
DEVICE = Section("devices.md", "A device that cannot compile")
READ_ONLY = Section("buffers.md", "Read-only buffers, and const")
ADDRESS = Section("buffers.md", "The address of the first element")
DECLARED = Section("linker.md", "What a .pxd declares")
UNDEFINED = Section("linker.md", "Undefined symbols")
RAISED = Section("starters.md", "The line that raises")

PROFILE = Section("profilers.md", "Three ways to profile")
GIL = Section("gil.md", "One lock for all Python code")
EXACT = Section("floating_point.md", "One operation has one result")
RULE = Section("even_odd.md", "The rule")
RACE = Section("data_races.md", "The definition")
FORK = Section("fork.md", "How the rungs and the library avoid it")
QUIET = Section("how_to_measure.md", "A quiet machine")

ALL = tuple(value for value in globals().values() if isinstance(value, Section))
