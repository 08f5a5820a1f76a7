"""Options of the benchmark suite."""


def pytest_addoption(parser):
    parser.addoption("--sizes", default="64,256", help="sizes of square images, apart by commas")


def pytest_generate_tests(metafunc):
    if "size" in metafunc.fixturenames:
        sizes = metafunc.config.getoption("--sizes").split(",")
        metafunc.parametrize("size", list(map(int, sizes)))
