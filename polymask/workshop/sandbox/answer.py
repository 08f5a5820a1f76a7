"""A student's answer as the judge sees it.

`Answer` looks like the student's module: ``answer.make_mask(vertices, shape)``. What it returns has
come from a `asking.Child` as plain values; an object of the student's class stays there, and a
`things.Thing` stands for it. An exception of the student's code is raised here as
`failures.Failed`, and as the builtin exception that it is; the end of the child as
`failures.Stopped`.
"""

from polymask.workshop.sandbox import build, translated
from polymask.workshop.sandbox.things import attribute


class Answer:
    """Looks like the student's module; what has other names than these is the student's.

    `start` returns a `Child`, given environments: names with their settings.
    """

    def __init__(self, start, environments=None):
        vars(self).update(
            _start=start,
            _environments=environments or {},
            _others={},
            _started=None,
            _imported=False,
        )

    def begun(self):
        """Return the process, which is started when it is first asked for anything."""
        self.start()
        if not self._imported:
            vars(self)["_imported"] = True  # or it could not be
            self._started.imported()
        return self._started

    def start(self):
        """Start the process, and do not wait for it: there may be something to do meanwhile."""
        if self._started is None:
            vars(self)["_started"] = self._start(self._environments)

    def __getattr__(self, name):
        return attribute(self.begun(), name)

    def __setattr__(self, name, value):
        self.begun().ask("set", name=name, value=value)

    def source(self, name):
        """Return the text of a file of the student's, as it was copied."""
        return (self.begun().source / name).read_text(encoding="utf-8", errors="replace")

    def commands(self):
        """Return the commands that setup.py ran to build the answer, lists of words."""
        return build.commands(self.begun().source.parent)

    def translated(self):
        """Return what Cython made of the main file: a `translated.Translated`."""
        begun = self.begun()
        made = build.translation(begun.exercise, begun.source.parent)
        return translated.Translated(made.read_text(encoding="utf-8"))

    def doing(self, what):
        """Note what is going on, in words, for the case that the child ends."""
        self.begun().doing = what

    def under(self, *names, **settings):
        """Return the same answer in other environments, in a process of its own.

        `names` are modules of `polymask.workshop.sandbox.environments`; `settings` are dicts, of
        the environment of that name.
        """
        wanted = {name: settings.get(name, {}) for name in names}
        key = repr(sorted(wanted.items()))
        if key not in self._others:
            self._others[key] = Answer(self._start, wanted)
        return self._others[key]

    def switch(self, name, **settings):
        """Change an environment which the answer is under."""
        self.begun().ask("switch", name=name, settings=settings)

    def found(self, name):
        """Return what an environment has seen since it was asked last."""
        return self.begun().ask("found", name=name)

    def inside(self, name, *arguments, **keywords):
        """Call a function of inside.py, which lies beside check.py, in the child.

        Its first argument is the student's module; it returns facts, plain values, and the judge
        says what they mean.
        """
        return self.observe_inside(name, *arguments, **keywords)[0]

    def observe_inside(self, name, *arguments, **keywords):
        """Call a function of inside.py; return what it gave, and facts as `observe` does."""
        said = self.begun().ask("inside", name=name, arguments=list(arguments), keywords=keywords)
        return said["value"], said["facts"]

    def ours(self, module, name, *arguments):
        """Call a function of a module of the sandbox in the child."""
        return self.begun().ask("ours", module=module, name=name, arguments=list(arguments))

    def observe(self, name, *arguments, keep=False, **keywords):
        """Call a function; return what it gave, and facts: what it did besides."""
        said = self.begun().ask(
            "observe", name=name, arguments=list(arguments), keywords=keywords, keep=keep
        )
        return said["value"], said["facts"]

    def bare(self, name, *arguments):
        """Make an object of a class without calling its __init__."""
        return self.begun().ask("bare", name=name, arguments=list(arguments))

    def at_once(self, name, calls):
        """Do several calls at once, a Python thread each; return what they gave."""
        return self.begun().ask("at_once", name=name, calls=[list(one) for one in calls])

    def busy(self, name, *arguments, **keywords):
        """Call a function; return what it gave, and the seconds that threads were busy."""
        said = self.begun().ask("busy", name=name, arguments=list(arguments), keywords=keywords)
        return said["value"], said["busy"]

    def kept_here(self, value):
        """Hand a value to the child, once: the answer gets the very same object each time."""
        said = self.begun().ask("hold", value=value)["held"]
        return self.begun().stands_for(said)

    def rewrite(self, held, value):
        """Write into an array that was handed over by `kept_here`."""
        self.begun().ask("rewrite", of=held._number, value=value)

    def printed(self):
        """Return what it printed."""
        return self._started.printed() if self._started else ""

    def close(self):
        """End all its processes."""
        for other in self._others.values():
            other.close()
        if self._started is not None:
            self._started.close()
