"""Answers that submit kernels to SYCL queues: what their environment notes, and leaves undone."""

import numpy as np
import pytest

BOTH = """
def both(rows, cols):
    kernel = create_program_from_source(queue, TEXT).get_sycl_kernel("number")
    memory = MemoryUSMShared(4 * rows * cols, queue=queue)
    image = np.frombuffer(memory, np.int32)
    image[:] = -1
    arguments = [c_long(rows), c_long(cols), c_long(7), memory]
    queue.submit(kernel, arguments, [rows, cols])
    event = queue.submit_async(kernel, arguments, [rows, cols], [1, cols])
    event.wait()
    return image.copy()
"""


@pytest.fixture
def given(answer_of):
    """Start the solution of `reversed`, and a function that submits in both ways."""
    return answer_of("reversed", BOTH)


def test_each_kernel_is_noted_once_with_its_items_and_groups(given):
    got, facts = given.observe("both", 2, 3)
    np.testing.assert_array_equal(got, [7, 8, 9, 1007, 1008, 1009])
    assert facts["found"]["submitted"] == [
        {"items": [2, 3], "groups": None},
        {"items": [2, 3], "groups": [1, 3]},
    ]


def test_an_idle_queue_runs_no_kernel_until_it_is_switched_on(given):
    given.switch("submitted", idle=True)
    assert (given.both(2, 3) == -1).all()
    given.switch("submitted")
    assert (given.both(2, 3) != -1).all()
