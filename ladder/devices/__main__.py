"""`python -m ladder.devices [KIND ...]`: try all devices; the exit code is 0 if one works."""

import sys

from ladder import devices
from polymask.contract import Unavailable


def main(kinds):
    """Print a line for each device; return 0 if one of each kind works, else 1."""
    code = 0
    for name in kinds:
        kind = devices.kind(name)
        try:
            trials = kind.survey()
            for trial in trials:
                print(f"{devices.KINDS[name]}: {kind.line(trial)}")
            kind.works(trials)
        except Unavailable as unavailable:
            print(unavailable)
            code = 1
    return code


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:] or devices.KINDS))
