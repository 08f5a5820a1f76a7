"""Many polygons as the engine takes them, for results that are smaller than the image."""

from polymask.masks import _many
from polymask.masks.sampling import check_samples, check_sampling


def many_of(found, shape, *options):
    """Return ragged polygons with how they are sampled, each option checked.

    Parameters
    ----------
    found : polymask.geodata.ragged.Ragged
    shape : tuple of int
        (rows, cols) of the image. No memory limits it, so its samples are checked, too.
    *options
        As `check_sampling` takes them, from `border_value` on.

    Returns
    -------
    polymask.masks._many.Many
    """
    sampling = check_sampling(shape, *options)
    check_samples(shape, sampling.offset, sampling.center)
    return _many.Many(found, shape, sampling)
