"""Many polygons as input for the engine, for results that are smaller than the image."""

from polymask.masks import _many
from polymask.masks.sampling import check_samples, check_sampling


def make_many(arrays, shape, *options):
    """Combine ragged polygons with their sampling options, which are checked.

    Parameters
    ----------
    arrays : polymask.forms.ragged.Ragged
    shape : tuple of int
        (rows, cols) of the image. Memory does not limit it, so its samples are checked too.
    *options
        The arguments of `check_sampling` from `border_value` onwards.

    Returns
    -------
    polymask.masks._many.Many
    """
    sampling = check_sampling(shape, *options)
    check_samples(shape, sampling.offset, sampling.center)
    return _many.Many(arrays, shape, sampling)
