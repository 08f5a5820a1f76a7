"""What a checkout of the project has and a wheel has not: the comparisons in benchmarks/."""

import importlib
import importlib.util
import sys

from polymask.common.errors import Unavailable
from polymask.common.staleness import ROOT


def load(name):
    """Import a module of the checkout, "benchmarks.peers" say; `Unavailable` in a wheel.

    Its folder is named, so that nothing else of that name is imported.
    """
    folder = name.partition(".")[0]
    init = ROOT / folder / "__init__.py"
    if not init.exists():
        raise Unavailable(
            f"{name} is in a checkout of polymask alone",
            "git clone the project, `make build`, and run this there",
        )
    if folder not in sys.modules:
        spec = importlib.util.spec_from_file_location(
            folder, init, submodule_search_locations=[str(init.parent)]
        )
        sys.modules[folder] = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(sys.modules[folder])
    return importlib.import_module(name)
