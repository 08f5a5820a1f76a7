"""Runs the lines that were predicted, and reads the predictions; in the answer's process."""


def happens(module, lines):
    """Return for each line the type of the exception that it raises, or None."""
    classes = dict(vars(module)) | {"Derived": type("Derived", (module.Closed,), {})}
    return [what_happens(line, dict(classes)) for line in lines]


def what_happens(line, names):
    """Run a line; return the type of the exception, or None."""
    try:
        exec(line, names)
    except Exception as error:
        return type(error)
    return None


def predicted(module):
    """Return the predictions, line to the name of an exception, or "None"."""
    return {str(line): named(said) for line, said in dict(module.PREDICTED).items()}


def named(said):
    """Return the name of an exception, given as a class, as an object, or as a text."""
    if isinstance(said, type):
        return said.__name__
    if isinstance(said, BaseException):
        return type(said).__name__
    return said.strip() if isinstance(said, str) else repr(said)
