"""polymask.dask with each scheduler, and with a cluster that loses a worker or is cancelled."""

import os
import signal
import time

import numpy as np
import pytest

import polymask

dask = pytest.importorskip("dask")
distributed = pytest.importorskip("distributed")
lazy = pytest.importorskip("polymask.dask")
SHAPE = 600, 700
ANGLES = np.arange(8) * np.pi / 4
OCTAGON = 5 * np.stack([np.cos(ANGLES), np.sin(ANGLES)], axis=1)
CELLS = np.random.default_rng(0).uniform(0, 700, (2000, 1, 2)) + OCTAGON


@pytest.fixture
def client():
    """A client of two worker processes, which their nannies start again."""
    options = {"n_workers": 2, "threads_per_worker": 1, "dashboard_address": None}
    with distributed.Client(silence_logs=50, **options) as client:
        yield client


def tasks(client, state=None):
    """Return the number of tasks that the scheduler knows, all or in a state."""
    return client.run_on_scheduler(
        lambda dask_scheduler: sum(
            state in (None, task.state) for task in dask_scheduler.tasks.values()
        )
    )


def wait_until(is_true):
    deadline = time.monotonic() + 60
    while not is_true():
        assert time.monotonic() < deadline


def test_threads():
    image = lazy.label_mask(CELLS, SHAPE, chunks=50)
    with dask.config.set(scheduler="threads"):
        assert (image.compute() == polymask.label_mask(CELLS, SHAPE)).all()


@pytest.mark.slow
def test_processes():
    image = lazy.label_mask(CELLS, SHAPE, chunks=200)
    statistics = lazy.polygon_statistics(CELLS, image % 2)
    with dask.config.set(scheduler="processes", num_workers=2):
        labels, count = dask.compute(image, statistics.count)
    assert (labels == polymask.label_mask(CELLS, SHAPE)).all()
    assert (count == polymask.pixel_counts(CELLS, SHAPE)).all()


@pytest.mark.slow
def test_cluster_of_processes(client):
    image = lazy.label_mask(CELLS, SHAPE, chunks=100)
    mask = lazy.polygon_mask(CELLS[0] * 3, SHAPE, chunks=100)
    expected = polymask.label_mask(CELLS, SHAPE)
    labels, one, totals = dask.compute(
        image, mask, lazy.polygon_statistics(CELLS, image.astype(float)).sum
    )
    assert (labels == expected).all()
    assert (one == polymask.polygon_mask(CELLS[0] * 3, SHAPE)).all()
    assert (totals == polymask.polygon_statistics(CELLS, expected.astype(float)).sum).all()
    wait_until(lambda: tasks(client) == 0)


@pytest.mark.slow
def test_killed_workers(client):
    """Both workers are killed in turn, with their copies of the polygons."""
    cells = np.concatenate([CELLS * scale for scale in (1, 4, 9)])
    image = lazy.label_mask(cells, (5000, 5000), chunks=100).persist()
    for number in (0, 1):
        finished = 300 * (number + 1)
        wait_until(lambda finished=finished: tasks(client, "memory") >= finished)
        os.kill(client.cluster.workers[number].pid, signal.SIGKILL)
    assert (image.compute() == polymask.label_mask(cells, (5000, 5000))).all()


@pytest.mark.slow
def test_cancelled_work_leaves_nothing_behind(client):
    image = lazy.label_mask(CELLS, (5000, 5000), chunks=100).persist()
    wait_until(lambda: tasks(client, "memory") > 10)
    assert any(key.startswith("polymask-polygons-") for key in map(str, client.who_has()))
    client.cancel(image)
    del image
    wait_until(lambda: tasks(client) == 0)
