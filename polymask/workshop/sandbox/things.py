"""Objects that stayed in an answer's process, as the judge sees them."""

from polymask.workshop.sandbox import wire


class Thing(wire.Held):
    """An object that stayed in the child: an instance of a student's class, or a function."""

    __slots__ = ("_child", "_number")

    def __init__(self, child, number, type_name, callable_):
        for name, value in (("_child", child), ("_number", number), ("_type_name", type_name)):
            object.__setattr__(self, name, value)

    def __getattr__(self, name):
        return attribute(self._child, name, self)

    def __setattr__(self, name, value):
        self._child.ask("set", name=name, value=value, of=self._number)

    def __call__(self, *arguments, **keywords):
        """Call it in the child."""
        return self._child.ask(
            "call", name="", of=self._number, arguments=list(arguments), keywords=keywords
        )

    def __del__(self):
        self._child.dropped.append(self._number)

    def __repr__(self):
        return f"<{self._type_name}>"


def attribute(child, name, of=None):
    """Return an attribute of an object in the child, or of the answer's module."""
    found = child.ask("get", name=name, of=None if of is None else of._number)
    if "missing" in found:
        owner = child.exercise.main if of is None else of._type_name
        raise AttributeError(f"{owner} has no {name}")
    return found["value"]
