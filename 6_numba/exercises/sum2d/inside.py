"""Says what types Numba has inferred in the answer's own process."""

import numba
import numpy as np
from numba.core.dispatcher import Dispatcher


def inferred(module, name, image):
    """Return the type that a compiled function returns for an image; None if it is not compiled."""
    function = getattr(module, name)
    if not isinstance(function, Dispatcher):
        return None
    function(image)
    wanted = (numba.typeof(image),)
    return next(
        (str(one.return_type) for one in function.nopython_signatures if one.args == wanted), None
    )


def named(module, names):
    """Return what the answer says of types, each as text: a name, or a type itself."""
    return {name: text(getattr(module, name, None)) for name in names}


def text(said):
    """Return the name of a type of Python's, NumPy's or Numba's; None for what is none."""
    if isinstance(said, str | numba.types.Type):
        return str(said)
    try:
        return None if said is None else np.dtype(said).name
    except TypeError:
        return None
