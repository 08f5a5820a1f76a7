"""The option of the suite for pytest-benchmark."""


def pytest_addoption(parser):
    """Let `pytest benchmarks/rungs.py` be told the sizes of images."""
    parser.addoption("--sizes", default="64,256", help="sizes of square images, apart by commas")


def pytest_generate_tests(metafunc):
    """Run each benchmark at every size."""
    if "size" in metafunc.fixturenames:
        sizes = metafunc.config.getoption("--sizes").split(",")
        metafunc.parametrize("size", list(map(int, sizes)))
