"""Watches the functions that Cython made: how often each is called, and what if one is off.

The judge's side; `counters` is that of the child. The exercise has to be `counted`, so that
`polymask.workshop.sandbox.instrumented` had its C.
"""

from polymask.workshop.sandbox import build, instrumented
from polymask.workshop.sandbox.failures import Failed
from polymask.workshop.sandbox.wrong import Wrong

OFF = "off"  # what `Watched.off` returns where the answer fails without the functions


class Watched:
    """What goes on within an answer, seen by the judge.

    Parameters
    ----------
    answer : Answer
        Of an exercise that is `counted`.
    """

    def __init__(self, answer):
        begun = answer.begun()
        self.answer = answer
        self.file = str(build.find(begun.exercise, begun.source.parent))
        self.made = answer.translated()

    def calls(self, functions, call):
        """Return what a call gave, and how often functions were called meanwhile.

        Parameters
        ----------
        functions : sequence of polymask.workshop.sandbox.translated.Function or str
            A text is the name of a method of C++'s that the exercise names as `switched`.
        call : callable
            Without arguments; asks the answer for something.
        """
        self.answer.ours("counters", "watch", self.file, [], True)
        got = call()
        seen = self.answer.ours("counters", "entered", self.file)
        self.answer.ours("counters", "watch", self.file, [], False)
        return got, sum(seen.get(name, 0) for name in in_c(functions))

    def off(self, functions, call):
        """Return what a call gives while functions return at once; `OFF` if the answer fails then.

        Parameters
        ----------
        functions, call
            As for `calls`.
        """
        self.answer.ours("counters", "watch", self.file, in_c(functions), True)
        try:
            return call()
        except Failed:
            return OFF
        finally:
            self.answer.ours("counters", "watch", self.file, [], False)

    def memory(self):
        """Return how many pieces of memory were asked for, given back, and the bytes asked for.

        All of them until now.
        """
        return tuple(self.answer.ours("counters", "memory", self.file))


def check_loop(functions, name, over):
    """Raise `Wrong` if none of the functions that Cython made has a loop: C has it, as it stands.

    Parameters
    ----------
    functions : sequence of polymask.workshop.sandbox.translated.Function
    name : str
        How the student calls the first of them.
    over : str
        What the loop goes through, in words.
    """
    if functions and not any(one.loops() for one in functions):
        raise Wrong(
            f"Cython made no loop of {name}: the loop over {over} is yours, in Cython, and not "
            "one of C that is handed over"
        )


def in_c(functions):
    """Return how functions are called in what is counted."""
    return [instrumented.CALL + one if isinstance(one, str) else one.name for one in functions]
