"""Tools of authors and instructors: proofs of exercises, and the results of a class."""
