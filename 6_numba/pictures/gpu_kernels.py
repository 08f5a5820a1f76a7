"""Draw the calls and kernels of three rungs on a GPU, for a large image, from a committed result.

python 6_numba/pictures/gpu_kernels.py
"""

import runpy
from pathlib import Path

from ladder.report.charts import drawing

ROOT = Path(__file__).resolve().parents[2]
RESULT = ROOT / "results/2026-11-26-nvidia-h100-8192.json"
RULES = {  # each key, and the language of its rule
    "opencl.pixels": "OpenCL C",
    "numba.gpu": "Python",
    "numba.linked": "C",
}
lesson7 = runpy.run_path(str(ROOT / "7_offload/pictures/styles.py"))


def calls():
    """Return the text, the time of the call and that of the kernel of each rung."""
    rows = lesson7["rows"](RESULT)
    return [
        (f"{key}, in {language}", rows[key]["median_s"], rows[key]["kernel_s"])
        for key, language in RULES.items()
    ]


def draw():
    """Return the figure."""
    return lesson7["bars"](calls())


if __name__ == "__main__":
    drawing.save(draw(), Path(__file__).with_suffix(""), ("svg",))
