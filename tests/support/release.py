"""`make release`: the files of a release, each tried in an empty folder; nothing is published.

They are written to build/release: sdist, wheel, the archive of the engine, the site that
`make docs` has built, and SHA256SUMS. With --check, nothing is made: the program only refuses.
"""

import os
import re
import shutil
import sys
import tempfile
import venv
from hashlib import sha256
from pathlib import Path
from urllib.parse import unquote

import chromium
from commands import ran
from quoting import all_blocks

ROOT = Path(__file__).resolve().parents[2]
TRIANGLE = [[(2, 1), (37, 3), (9, 17)], [(9, 5), (20, 6), (11, 10)]]  # of the engine's examples
PICTURE = f"""
from polymask import polygon_mask
for row in polygon_mask({TRIANGLE}, (18, 40), dtype="u1"):
    print("".join(".#"[inside] for inside in row))
"""
LIBRARY = re.compile(r"^## The library\n.*?^```python\n(.*?)^```$", re.M | re.S)
AREA = "assert abs(part.sum(dtype=float) - 250_000) < 1, part.sum()"  # of README's triangle
SCRIPT = re.compile(r"<(script|style)\b.*?</\1>", re.S)
LINK = re.compile(r'<\w[^<>]*\s(?:href|src)="(?!\w+:|//)([^"#?]*)[^"#]*#?([^"]*)')


def check(command, cwd=None):
    """Run a command that must not fail, without our variables; return its output."""
    own = ("PYTHON", "POLYMASK", "MAKE", "MFLAGS")
    kept = {name: text for name, text in os.environ.items() if not name.startswith(own)}
    done = ran(command, cwd=cwd or ROOT, env=kept)
    if done.returncode:
        sys.exit(f"release: {' '.join(map(str, command))}\n{done.stdout}{done.stderr}")
    return done.stdout


def refuse():
    """Refuse uncommitted changes, and a version without an entry in the changelog; return it."""
    if changed := check(["git", "status", "--porcelain"]).splitlines():
        more = f" and {len(changed) - 1} more" if changed[1:] else ""
        sys.exit(f"release: uncommitted: {changed[0][3:]}{more}; commit, stash or remove it")
    version = (ROOT / "csrc/engine/VERSION").read_text(encoding="utf-8").strip()
    changes = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    if not re.search(rf"^## {re.escape(version)}(?= |$)", changes, re.M):
        sys.exit(f"release: CHANGELOG.md has no entry for {version}: add a heading, ## {version}")
    return version


def distributions(source, folder):
    """Build an sdist and, from its files alone, the wheel; return their paths."""
    check([sys.executable, "-m", "build", "-q", "--outdir", folder], source)
    return next(folder.glob("polymask-*.tar.gz")), next(folder.glob("polymask-*.whl"))


def environment_with(wheel, folder):
    """Return the Python of a new environment with the wheel, and what it requires."""
    venv.create(folder / "env", with_pip=True, symlinks=True)
    python = folder / "env/bin/python"
    check([python, "-m", "pip", "install", "-q", "--disable-pip-version-check", wheel], folder)
    return python


def try_wheel(python, empty):
    """Run the tests of an installed library, and README's program, which knows the true area."""
    check([python, ROOT / "tests/support/wheel.py"], empty)
    program = LIBRARY.search((ROOT / "README.md").read_text(encoding="utf-8"))[1]
    check([python, "-c", program + AREA], empty)


def project(folder, way, language, languages, *options):
    """Configure a project whose program has the engine in a way that the engine's README shows."""
    blocks = all_blocks((ROOT / "csrc/engine/README.md").read_text(encoding="utf-8"))
    blocks = [block.code for block in blocks if block.language == "cmake"]
    (block,), (link,) = ([code for code in blocks if word in code] for word in (way, "target_link"))
    source = ROOT / f"csrc/engine/examples/triangle.{language}"
    (folder / "CMakeLists.txt").write_text(
        f"cmake_minimum_required(VERSION 3.21)\nproject(consumer LANGUAGES {languages})\n"
        f"{block}add_executable(program {source})\n{link}",
        encoding="utf-8",
    )
    options = "-DCMAKE_EXPORT_COMPILE_COMMANDS=ON", *options
    check(["cmake", "-S", ".", "-B", "build", *options], folder)


def build(folder):
    """Build a configured project; return its program."""
    check(["cmake", "--build", "build", f"-j{os.cpu_count()}"], folder)
    return folder / "build/program"


def try_engine(archive, folder, picture):
    """Draw a picture with the archive alone, in a project that fetches it."""
    shutil.copy(archive, folder)
    project(folder, "FetchContent", "c", "C CXX")
    if check([build(folder)]).splitlines()[:-1] != picture.splitlines():
        sys.exit("release: the engine draws another mask than Python")


def broken_links(site):
    """Return the pages of a site, each with a target that does not exist; absolute ones count.

    A target is a page, a part of a page, or an image.
    """
    pages = set(site.rglob("*.html")) - set(site.glob("_static/*"))  # templates of the theme
    texts = {page.resolve(): SCRIPT.sub("", page.read_text(encoding="utf-8")) for page in pages}
    parts = {page: {"", *re.findall(r'\bid="([^"]+)"', text)} for page, text in texts.items()}
    for page, text in texts.items():
        for name, part in LINK.findall(text):
            target = (page.parent / unquote(name)).resolve() if name else page
            known = target.exists() and unquote(part) in parts.get(target, {unquote(part)})
            if name.startswith("/") or not known:
                yield page.relative_to(site.resolve()).as_posix(), f"{name}#{part}"


def try_site(archive, folder):
    """Open the home page of the unpacked site, and follow all links within the site."""
    check(["tar", "-xf", archive], folder)
    site = folder / "site"
    if broken := sorted(set(broken_links(site))):
        sys.exit(f"release: the site has {len(broken)} broken links, such as {broken[0]}")
    with chromium.Browser() as browser:
        browser.open((site / "index.html").as_uri())
        if browser.complaints or not browser.evaluate("document.links.length"):
            sys.exit(f"release: index.html does not open: {browser.complaints}")


def main():
    """Make and try all files, or, with --check, only refuse."""
    version = refuse()
    if not (shutil.which("cmake") and chromium.find()):
        sys.exit("release: needs CMake and Chromium, to try the engine and the site: install them")
    if "--check" in sys.argv:
        return
    made, name = ROOT / "build/release", f"polymask-engine-{version}"
    shutil.rmtree(made, ignore_errors=True)
    made.mkdir(parents=True)
    with tempfile.TemporaryDirectory() as temporary:
        empty = {each: Path(temporary, each) for each in ("source", "library", "engine", "site")}
        for folder in empty.values():
            folder.mkdir()
        check(["git", "clone", "-q", ROOT, "."], empty["source"])
        sdist, wheel = distributions(empty["source"], made)
        python = environment_with(wheel, empty["library"])
        try_wheel(python, empty["site"])
        print(f"{sdist.name}: {wheel.name} is built from it, and works", flush=True)
        archive = made / f"{name}.tar.gz"
        command = ["git", "archive", f"--prefix={name}/", f"--add-file={ROOT / 'LICENSE'}"]
        check([*command, "-o", archive, "HEAD:csrc/engine"])
        try_engine(archive, empty["engine"], check([python, "-c", PICTURE], empty["site"]))
        print(f"{archive.name}: CMake finds it, and its mask is that of the wheel", flush=True)
        archive = made / f"polymask-site-{version}"
        archive = Path(shutil.make_archive(archive, "gztar", ROOT / "build", "site"))
        try_site(archive, empty["site"])
        print(f"{archive.name}: it opens, and every link has a target", flush=True)
    sums = [f"{sha256(file.read_bytes()).hexdigest()}  {file.name}\n" for file in made.iterdir()]
    (made / "SHA256SUMS").write_text("".join(sorted(sums)), encoding="utf-8")
    print(f"nothing is published; the files and their SHA256SUMS are in {made}")


if __name__ == "__main__":
    main()
