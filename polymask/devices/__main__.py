"""`python -m polymask.devices`: try all devices; the exit code says whether one works."""

import sys

from polymask.contract import Unavailable
from polymask.devices import opencl


def main():
    """Print a line for each device; return 0 if one works, else 1."""
    try:
        tried = opencl.survey()
        for one in tried:
            print(f"OpenCL: {opencl.line(one)}")
        opencl.works(tried)
    except Unavailable as unavailable:
        print(unavailable)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
