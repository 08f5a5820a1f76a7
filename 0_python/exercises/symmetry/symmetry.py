"""A polygon and an image for a test of masks: `python symmetry.py` names the bugs that it hides."""

from bugs import hidden

# Choose them so that each bug in bugs.py changes the mask.
SHAPE = (9, 12)  # rows and columns
VERTICES = [(2, 1), (14.6, 3.2), (4.3, 7.7)]  # (x, y)

if __name__ == "__main__":
    print("hidden:", ", ".join(hidden(VERTICES, SHAPE)) or "none")
