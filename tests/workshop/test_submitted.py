"""Answers that submit kernels to SYCL queues: what their environment notes, and leaves undone."""

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


UNDER = {"submitted": {}}


def test_each_kernel_is_noted_once_with_its_items_and_groups(checked):
    check = """
    got, facts = child.observe(answer.both, 2, 3)
    np.testing.assert_array_equal(got, [7, 8, 9, 1007, 1008, 1009])
    assert facts["submitted"] == [
        {"items": [2, 3], "groups": None},
        {"items": [2, 3], "groups": [1, 3]},
    ]
    """
    assert checked("reversed", check, BOTH, under=UNDER).message == ""


def test_an_idle_queue_runs_no_kernel_until_it_is_switched_on(checked):
    check = """
    child.switch("submitted", idle=True)
    assert (answer.both(2, 3) == -1).all()
    child.switch("submitted")
    assert (answer.both(2, 3) != -1).all()
    """
    assert checked("reversed", check, BOTH, under=UNDER).message == ""
