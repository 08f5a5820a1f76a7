"""A file reader as a target of libFuzzer, guided by the Python code that files reach.

    python tests/support/guided_reader.py READER FOLDER [libFuzzer option | folder of more files]...

Atheris includes libFuzzer, and measures coverage of polymask and of the libraries that it reads
with. FOLDER must be empty; libFuzzer writes files there, and ends the process without cleaning up.
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

MOST_BYTES = 8192  # of a file; `readers.hostile` draws deep and long ones
OF_TREES = 0.6  # of the mutations of JSON files: libFuzzer's own seldom result in JSON


def mutate(content, most, seed):
    """Return a mutation of a file's content, by libFuzzer or of its JSON tree."""
    rng = random.Random(seed)
    if content[:1] == b"{" and rng.random() < OF_TREES:
        try:
            mutation = mutations.of_json(rng, content.decode("utf-8", "surrogatepass"))
        except (ValueError, RecursionError):  # no longer JSON
            mutation = b""
        if 0 < len(mutation) <= most:
            return mutation
    return atheris.Mutate(content, most)


def fuzz(reader, good, file, options):
    """Let a reader read libFuzzer's mutations of a good file; this ends the process.

    Parameters
    ----------
    reader : callable
        Takes the path of a file.
    good : bytes
        Content of the first file.
    file : Path
        Path of each file, with a name by which the reader recognizes the format.
    options : list of str
        Options of libFuzzer.
    """

    def read(content):
        file.write_bytes(content)
        readers.refusal(reader, file)

    begin = file.parent / "begin"
    begin.mkdir()
    (begin / "good").write_bytes(good)
    most = f"-max_len={max(MOST_BYTES, 2 * len(good))}"
    warnings.simplefilter("error")  # a warning is neither a result nor a refusal
    atheris.Setup([sys.argv[0], most, *options, str(begin)], read, custom_mutator=mutate)
    atheris.Fuzz()


def main(name, folder, *options):
    """Fuzz a reader by its name in `readers.READERS`."""
    reader, make, file_name = readers.READERS[name]
    good = make(Path(folder) / "made")
    fuzz(reader, readers.as_bytes(good), Path(folder) / file_name, options)


if __name__ == "__main__":
    main(*sys.argv[1:])
