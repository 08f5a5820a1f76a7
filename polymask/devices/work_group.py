"""The shape of a work-group, which is a block by CUDA's name: what a user may ask for."""

from polymask import contract


def work_group_within(work_group, most, most_rows=None):
    """Return a work-group as (rows, columns); refuse one of more items than `most`.

    `most_rows` says how many rows the device has memory for; None is any number.
    """
    rows, cols = contract.check_shape(work_group, "work_group")
    if not 1 <= rows * cols <= most or rows > (most if most_rows is None else most_rows):
        in_rows = "" if most_rows is None else f" in at most {most_rows} rows"
        raise ValueError(f"a work-group has 1 to {most} items{in_rows} here, got {rows}x{cols}")
    return rows, cols
