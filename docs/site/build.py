"""Builds the site from the Markdown of the checkout: python docs/site/build.py [folder].

The pages are collected in a folder of their own. Links to source files become links to pages that
show them. Sphinx then builds the site; a warning is an error.
"""

import filecmp
import math
import re
import shutil
import subprocess
import sys
from pathlib import Path

from ladder import registry
from ladder.cli.show import difference
from ladder.report import marks, readme, results, rung_facts
from ladder.report.page import page as report_page
from ladder.workshop import exercises
from polymask.common import figures

ROOT = Path(__file__).resolve().parents[2]
SITE = ROOT / "docs/site"
EXECUTED = ROOT / "build/executed"  # notebooks with their outputs, from `make docs`
PAGES = ("*.md", "*.ipynb")
PAGES_OF_RUNG = {"lesson", "result"}  # facts that are pages
NO_PAGES = re.compile(r"^\.|/hints\.md$")
IMAGES = {".svg", ".png"}
# From the page of a task to the student's folder, in the order of the workshop.
FOLDERS = {
    f"{exercise.folder.relative_to(ROOT).as_posix()}/task.md": exercise.directory
    for exercise in exercises.every()
}
ORPHAN = "---\norphan: true\n---\n\n"  # no table of contents lists the page
FENCE = re.compile(r"^( *)(`{3,}).*?^\1\2`*$", re.M | re.S)
HTML_IMAGE = re.compile(r'<img src="([^"]+)" width="(\d+)" alt="([^"]*)">')
SITE_ONLY = re.compile(r"<!-- site: (.*?) -->")  # HTML that is a comment elsewhere
PICTURE = re.compile(r"\[!\[[^\]]+\]\([^)]+\)\]\(([^)]+)\)")  # linked to the script that draws it
FUNCTION = re.compile(r"^\| `(\w+)` \|", re.M)  # in docs/api.md
USERS = "docs/how_to/*.md", "docs/library.md", "COMING_FROM.md"  # pages with calls of functions
LINK = re.compile(r"\]\(<?(?!\w+:)([^)#>\s]+)(#[^)>]*)?>?\)")
CPP = dict.fromkeys((".h", ".hpp", ".inl"), "cpp")
LEXERS = CPP | {".pyx": "cython", ".pxd": "cython", ".cl": "c", ".txt": "text"}
LEXERS |= {".geojson": "json", ".cff": "yaml"}


def main(output="build/site"):
    """Collect the pages and build the site; return Sphinx's exit code.

    Sphinx reads only the pages that have changed since the last build.
    """
    print("collecting the pages", flush=True)
    staged, before = ROOT / "build/site-source", ROOT / "build/site-before"
    shutil.rmtree(before, ignore_errors=True)
    if staged.exists():
        staged.rename(before)
    stage(staged)
    keep_times(staged, before)
    mark = marks.MARKS.search((ROOT / "README.md").read_text(encoding="utf-8"))
    (ROOT / output).mkdir(parents=True, exist_ok=True)
    report_page.write(results.load_named([ROOT / mark["of"]]), ROOT / output / "report.html")
    play = [sys.executable, ROOT / "docs/play/build.py", ROOT / output / "play.html"]
    subprocess.run(play, check=True)
    command = [sys.executable, "-m", "sphinx", "-W", "--keep-going", "-j", "auto"]
    command += [] if sys.stdout.isatty() else ["-q"]  # in a terminal, Sphinx shows its progress
    command += ["-c", SITE, "-d", ROOT / "build/site-doctrees", staged, ROOT / output]
    return subprocess.run(command, check=False).returncode


def stage(staged):
    """Write all pages of the site to a folder, from which Sphinx builds it."""
    collect(staged)
    write_rungs(staged)
    write_reference(staged)


def keep_times(staged, before):
    """Give each page that equals the one of the last build its time, so that Sphinx keeps it."""
    for file in staged.rglob("*.*"):
        old = before / file.relative_to(staged)
        # sphinx-click notes no dependency of the page of commands on their source
        if file.is_file() and file.name != "commands.rst" and old.is_file():
            if filecmp.cmp(file, old, shallow=False):
                shutil.copystat(old, file)


def tracked(*patterns):
    """Return the paths of the checkout's files that match patterns of git."""
    command = ["git", "ls-files", "--cached", "--others", "--exclude-standard", *patterns]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)
    return done.stdout.splitlines()


def collect(staged):
    """Write the pages, and a page for each source file or folder that one of them links to."""
    pages = [page for page in tracked(*PAGES) if not NO_PAGES.search(page)]
    pages = {page for page in pages if not page.startswith("docs/site/")}
    sources, texts = set(), {}
    listed = set()
    for menu in SITE.glob("*.md"):
        text = menu.read_text(encoding="utf-8")
        listed.update(re.findall(r"[^\s<>]+", text))
        write(staged / menu.name, text.replace("<!-- stairs -->", stairs()))
    for page in pages:
        is_notebook = page.endswith(".ipynb")
        file = EXECUTED / Path(page).name if is_notebook else ROOT / page
        text = relink(file.read_text(encoding="utf-8"), page, pages, sources)
        if not is_notebook:
            text = SITE_ONLY.sub(r"\1", HTML_IMAGE.sub(r"![\3](\1){width=\2px}", text))
            inner = below(page, pages)
            listed.update(inner)
            text += contents(inner)
        if page == "docs/api.md":
            functions = [f"reference/{name}" for name in FUNCTION.findall(text)]
            text = FUNCTION.sub(r"| [`\1`](/reference/\1.md) |", text) + contents(functions)
        if page in FOLDERS:
            text = re.sub("^# .*\n", rf"\g<0>\nYour folder: `workshop/{FOLDERS[page]}`\n", text)
        if page.startswith("results/") and not re.search("^# ", text, re.M):
            text = f"# {Path(page).stem}\n\n{text}"
        texts[page] = text
    for page, text in texts.items():
        in_menu = Path(page).with_suffix("").as_posix() in listed
        write(staged / page, text if in_menu else ORPHAN + text)
    for source in sources:
        write_source(staged, source)
    for image in tracked(*(f"*{suffix}" for suffix in IMAGES)):
        copy = staged / image
        copy.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(ROOT / image, copy)


def stairs():
    """Return the rungs as links, each with a bar as long as the logarithm of its speed-up."""
    mark = marks.MARKS.search((ROOT / "README.md").read_text(encoding="utf-8"))
    (result,) = results.load(ROOT / mark["of"])
    timed = {key: row.speedup or 1 for key, row in result.timed.items()}
    lowest, highest = (math.log10(end(timed.values())) for end in (min, max))
    lines = []
    for rung in registry.RUNGS:
        if speed := timed.get(rung.key):
            step = (math.log10(speed) - lowest) / (highest - lowest)
            link = f'<a href="{rung.page.removesuffix("md")}html">{rung.key}</a>'
            bar = f'<span class="bar" style="--step: {step:.3f}"></span>'
            times = figures.digits(speed) if speed < 1000 else f"{int(figures.digits(speed)):,}"
            lines.append(f"<li>{bar}{link} {times}&nbsp;×</li>")
    conditions = f"{readme.heading(result)}, {result.machine.date[:10]}"
    numbers = f"/{mark['of'].removesuffix('json')}md"
    return (
        f"<ul class='stairs'>{''.join(lines)}</ul>\n\nSpeed-ups over pure Python, on a logarithmic "
        f"scale ({conditions}). [All numbers]({numbers}), and\n"
        '<a href="report.html">the race of the rungs</a>.\n'
    )


def below(page, pages):
    """Return the pages to list below one: the others of its folder, and the tasks of a lesson."""
    folder = Path(page).parent
    if Path(page).name != "README.md" or len(folder.parts) == 0 or str(folder) == "docs":
        return []
    beside = sorted(other for other in pages if Path(other).parent == folder and other != page)
    rungs = [rung.page for rung in registry.RUNGS if rung.page in beside]
    tasks = [task for task in FOLDERS if task.startswith(f"{folder}/")]
    inner = [*rungs, *(other for other in beside if other not in rungs), *tasks]
    return [other.removesuffix(".md") for other in inner]


def contents(inner):
    """Return a hidden table of contents, for the menu of a page.

    Rungs and exercises have their short names there.
    """
    short = {rung.page: rung.key for rung in registry.RUNGS} | FOLDERS
    names = [short.get(f"{page}.md") for page in inner]
    lines = zip(inner, names, strict=True)
    entries = "\n".join(f"{name} </{page}>" if name else f"/{page}" for page, name in lines)
    return f"\n```{{toctree}}\n:hidden:\n\n{entries}\n```\n" if inner else ""


def write(file, text):
    """Write a text file; make its folders."""
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(text, encoding="utf-8")


def relink(text, page, pages, sources):
    """Return a text whose links to source files lead to their pages; add these files to a set."""

    def new_link(link):
        target = (ROOT / page).parent.joinpath(link[1]).resolve()
        if not target.exists() or not target.is_relative_to(ROOT):
            return link[0]  # Sphinx reports it
        path = target.relative_to(ROOT).as_posix()
        if path in pages or target.suffix in IMAGES:
            return link[0]
        if f"{path}/README.md" in pages:
            return f"](/{path}/README.md)"
        sources.add(path)
        return f"](/source/{path}.md)"

    fences = [*FENCE.finditer(text)]
    starts, ends = [0, *(fence.end() for fence in fences)], [fence.start() for fence in fences]
    outside = [text[start:end] for start, end in zip(starts, [*ends, len(text)], strict=True)]
    parts = [LINK.sub(new_link, part) for part in outside]
    blocks = [*(fence[0] for fence in fences), ""]
    return "".join(part + block for part, block in zip(parts, blocks, strict=True))


def write_source(staged, path):
    """Write the page of a source file, or the list of a folder's files."""
    file = ROOT / path
    body = "\n".join(tracked(path)) if file.is_dir() else file.read_text(encoding="utf-8")
    lexer = LEXERS.get(file.suffix, file.suffix[1:]) or "text"
    write(staged / f"source/{path}.md", page_of(f"`{path}`", block(lexer, body)))


def page_of(heading, body):
    """Return a page that no table of contents lists."""
    return f"{ORPHAN}# {heading}\n\n{body}"


def block(lexer, text):
    """Return a code block, fenced by more backquotes than the text has in a row."""
    fence = "`" * max(3, 1 + max((len(ticks) for ticks in re.findall("`+", text)), default=0))
    return f"{fence}{lexer}\n{text.rstrip()}\n{fence}\n"


def write_rungs(staged):
    """Write a page for each rung, with the facts of `polymask show`, and a list of them."""
    rows = []
    for rung in registry.RUNGS:
        rows.append(f"| [{rung.key}]({rung.key}.md) | {rung.title} | {rung.idea} |")
        facts = {"title": rung.title, **rung_facts.of(rung)}
        facts |= {name: f"[{facts[name]}](/{facts[name]})" for name in PAGES_OF_RUNG & facts.keys()}
        text = "".join(f"- {name}: {fact}\n" for name, fact in facts.items()) + "\n"
        text += block(LEXERS.get(Path(rung.file).suffix, "python"), rung.source())
        if rung.before:
            text += f"\n## What changed from [{rung.before}]({rung.before}.md)\n\n"
            text += block("diff", difference(rung))
        write(staged / f"rungs/{rung.key}.md", page_of(rung.key, text))
    table = "\n".join(["| rung | title | idea |", "|---|---|---|", *rows])
    write(staged / "rungs/index.md", f"# The rungs\n\n{table}\n")


def function_page(name, pictures):
    """Return the page of a function or class: pictures that use it, its docstring, and uses.

    `pictures` are linked images, by the page of the script that draws them.
    """
    call = re.compile(rf"\b{name}\(")

    def calls(file):
        return call.search((ROOT / file).read_text(encoding="utf-8"))

    scripts = {page: page.removeprefix("/source/").removesuffix(".md") for page in pictures}
    drawn = [page for page, script in scripts.items() if calls(script)]
    drawn.sort(key=lambda page: Path(scripts[page]).stem != name)
    first, *others = [pictures[page] for page in drawn] or [""]
    directive = f"autofunction:: polymask.{name}"
    if not name.islower():
        directive = f"autoclass:: polymask.{name}\n   :members:"
    users = "".join(f"- [](/{page})\n" for page in tracked(*USERS) if calls(page))
    more = "\n".join(others)
    return (
        f"# {name}\n\n{first}\n\n"
        f"```{{eval-rst}}\n.. {directive}\n```\n\n"
        f"## See also\n\n{users}- [](/docs/gallery.md)\n\n{more}\n"
    )


def write_reference(staged):
    """Write the pages that Sphinx fills from docstrings, commands and headers."""
    gallery = (staged / "docs/gallery.md").read_text(encoding="utf-8")
    pictures = {
        link[1]: re.sub(r"\]\((?!/)", "](/docs/", link[0]) for link in PICTURE.finditer(gallery)
    }
    for name in FUNCTION.findall((ROOT / "docs/api.md").read_text(encoding="utf-8")):
        write(staged / f"reference/{name}.md", function_page(name, pictures))
    write(
        staged / "reference/offload.rst",
        "Offload runtime\n===============\n\n.. automodule:: ladder.offload\n   :members:\n"
        "   :imported-members:\n",
    )
    write(
        staged / "reference/commands.rst",
        "Command line\n============\n\n.. click:: polymask.cli:polymask_command\n"
        "   :prog: polymask\n   :nested: full\n",
    )
    headers = sorted((ROOT / "csrc/engine/include/polymask").glob("*.h*"))
    headers = [header for header in headers if "@file" in header.read_text(encoding="utf-8")]
    parts = [f"{h.name}\n{'-' * len(h.name)}\n\n.. cpp:autodoc:: {h.name}\n" for h in headers]
    write(staged / "reference/engine.rst", "\n".join(["C++ and C\n=========\n", *parts]))


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
