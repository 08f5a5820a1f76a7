"""Many polygons as input of the engine, for results that are smaller than the image."""

from polymask.masks import _many
from polymask.masks.sampling import check_samples, check_sampling


def many_of(arrays, shape, *options):
    """Return ragged polygons together with their checked sampling options.

    Parameters
    ----------
    arrays : polymask.geodata.ragged.Ragged
    shape : tuple of int
        (rows, cols) of the image. Memory does not limit it, so its samples are checked, too.
    *options
        The parameters of `check_sampling` from `border_value` on.

    Returns
    -------
    polymask.masks._many.Many
    """
    sampling = check_sampling(shape, *options)
    check_samples(shape, sampling.offset, sampling.center)
    return _many.Many(arrays, shape, sampling)
