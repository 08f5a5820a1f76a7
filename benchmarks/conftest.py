"""The option of the suite for pytest-benchmark."""


def pytest_addoption(parser):
    """Add the option --sizes to `pytest benchmarks/rungs.py`."""
    parser.addoption("--sizes", default="64,256", help="Set image sizes, separated by commas.")


def pytest_generate_tests(metafunc):
    """Run each benchmark at every size."""
    if "size" in metafunc.fixturenames:
        sizes = metafunc.config.getoption("--sizes").split(",")
        metafunc.parametrize("size", list(map(int, sizes)))
