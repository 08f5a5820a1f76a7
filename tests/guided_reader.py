"""A reader of files as a target of libFuzzer, led by what Python code its files reach.

    python tests/guided_reader.py READER FOLDER [an option of libFuzzer | a folder of more files]...

Atheris brings libFuzzer, and counts what is reached of polymask's code and of what reads for it.
Files are written into FOLDER, an empty one: libFuzzer ends the process, and tidies nothing up.
"""

import random
import sys
import warnings
from pathlib import Path

import atheris
import mutations

COUNTED = ["polymask", "numpy.lib", "zipfile", "csv", "json", "PIL"]
with atheris.instrument_imports(include=COUNTED):
    import readers

MOST_BYTES = 8192  # of a file; deep and long ones are drawn by `readers.hostile`
OF_TREES = 0.6  # of the mutations, where a file is JSON: libFuzzer's own seldom leave it JSON


def mutated(content, most, seed):
    """Return another file: one of libFuzzer's mutations, or of a tree's."""
    rng = random.Random(seed)
    if content[:1] == b"{" and rng.random() < OF_TREES:
        try:
            made = mutations.of_json(rng, content.decode("utf-8", "surrogatepass"))
        except (ValueError, RecursionError):  # no JSON any more
            made = b""
        if 0 < len(made) <= most:
            return made
    return atheris.Mutate(content, most)


def fuzz(reader, good, file, options):
    """Give a reader what libFuzzer makes of a good file; this ends the process.

    Parameters
    ----------
    reader : callable
        Takes the path of a file.
    good : bytes
        What to begin with.
    file : Path
        Where each file is written, by a name that the reader knows the format by.
    options : list of str
        Of libFuzzer.
    """

    def read(content):
        file.write_bytes(content)
        readers.told(reader, file)

    begin = file.parent / "begin"
    begin.mkdir()
    (begin / "good").write_bytes(good)
    most = f"-max_len={max(MOST_BYTES, 2 * len(good))}"
    warnings.simplefilter("error")  # to warn is neither to read nor to refuse
    atheris.Setup([sys.argv[0], most, *options, str(begin)], read, custom_mutator=mutated)
    atheris.Fuzz()


def main(name, folder, *options):
    """Fuzz a reader by its name in `readers.READERS`."""
    reader, make, called = readers.READERS[name]
    good = make(Path(folder) / "made")
    fuzz(reader, readers.as_bytes(good), Path(folder) / called, options)


if __name__ == "__main__":
    main(*sys.argv[1:])
