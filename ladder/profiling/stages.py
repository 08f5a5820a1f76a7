"""The stages in which Numba compiles a rung: bytecode, types, LLVM's language, assembly.

Each stage is reduced to the innermost loop around the rule's division: the loop over the edges,
which takes most of the time.
"""

import dis
import io
import re
from dataclasses import dataclass

from ladder.profiling.innermost import Block, loops_around
from polymask.contract import Unavailable

NAMES = ("bytecode", "types", "llvm", "assembly")
TRIANGLE = [(0, 0), (6, 1), (2, 5)]
UNCONDITIONAL = re.compile(r"JUMP_(?:FORWARD|BACKWARD|ABSOLUTE)|RETURN_|RAISE_|RERAISE")
# In assembly for x86-64 and aarch64: labels, jumps with their labels, and ends of blocks.
LABEL = re.compile(r"^(\.?L\w+|_?[A-Za-z]\w*):")
JUMP = re.compile(r"^(j\w+|b|b\.\w+|cbn?z|tbn?z)\s+(?:.*,\s*)?(\.?L\w+)$")
ENDS = re.compile(r"^(?:jmpq?|b|br|retq?|ud2)\b(?!\.)")
DIVISION = {  # of doubles
    "bytecode": re.compile(r"BINARY_TRUE_DIVIDE|BINARY_OP .* /$"),
    "llvm": re.compile(r"\bfdiv\b"),
    "assembly": re.compile(r"^(?:v?divsd|v?divpd|fdiv)\b"),
}
COUNTED = {  # in assembly
    "divisions of doubles": DIVISION["assembly"],
    "divisions of integers": re.compile(r"^(?:i?div[lq]?|[su]div)\b"),
    "conditional jumps": re.compile(r"^(?:j(?!mp)\w+|b\.\w+|cbn?z|tbn?z)\b"),
    "calls": re.compile(r"^(?:callq?|blr?)\b"),
    "fused multiply-adds": re.compile(r"^(?:vfn?m(?:add|sub)|fn?m(?:add|sub|la|ls))"),
}


@dataclass(frozen=True)
class Stage:
    """A stage of compilation: its title, its code, and what to look for."""

    name: str  # one of `NAMES`
    title: str
    look: str
    lines: list[str]


def of_rung(rung):
    """Compile a rung with Numba; return its stages in order."""
    if rung.jit != "numba" or rung.device:
        raise Unavailable(
            f"{rung.key} is not compiled with Numba for this processor",
            "`polymask annotate` shows Cython's translation of a rung, `show` its source",
        )
    loop, rule = compile_rung(rung)
    llvm, assembly = loop.inspect_llvm(), loop.inspect_asm()
    remark = ": a function of one pixel and one edge; its loop is not shown" if loop is rule else ""
    machine_code = assembly_functions("\n".join(assembly.values()))
    return [
        Stage(
            "bytecode",
            f"bytecode of {rule.py_func.__name__}, as Python's own interpreter runs it",
            "instructions without types: BINARY_OP and COMPARE_OP look up the types of their "
            "objects each time they run. Numba compiles this bytecode, not the source.",
            cut("bytecode", bytecode(rule.py_func)),
        ),
        Stage(
            "types",
            f"types that Numba inferred for {rule.py_func.__name__}",
            "float64 and int64, which fit into the processor's registers. pyobject would mean "
            "Python's objects, and an int64 coordinate would be converted for each comparison.",
            types(rule),
        ),
        Stage(
            "llvm",
            f"LLVM's language, after its optimizer{remark}",
            "one fdiv without `fast`, so the arithmetic is that of the source, and no call, as the "
            "rule was inlined.",
            cut("llvm", llvm_functions("\n".join(llvm.values()))),
        ),
        of_assembly(cut("assembly", machine_code), remark),
    ]


def compile_rung(rung):
    """Return Numba's function with the loop over the pixels, and the rule that it calls."""
    make_mask, module = rung.load(), rung.module()  # loading reports missing packages
    import numba

    make_mask(TRIANGLE, (5, 6))  # compiles it
    loop = getattr(module, "fill", None)
    if loop is None:  # a ufunc hides its machine code, so compile its function again
        function = module.kernel("cpu").__wrapped__
        loop = numba.njit(module.TYPES, error_model="numpy")(function)
    return loop, getattr(module, "rule", loop)


def types(function):
    """Return a line for each variable of a compiled function: its name and its types."""
    listing = io.StringIO()
    function.inspect_types(file=listing, signature=function.signatures[-1])
    types_of = {}
    for line in listing.getvalue().splitlines():
        # x1.2 is the second value of x1; a name that begins with $ is not a variable
        if match := re.match(r"\s*#\s+([A-Za-z_]\w*)[.\d]* = .* :: (.+)$", line):
            type_name = match[2].rpartition(" -> ")[2].strip()  # the type that a call returns
            type_name = re.sub(r"^Literal\[(\w+)\]\(.*\)$", r"\1", type_name)
            types_of.setdefault(match[1], []).append(type_name)
    width = max(map(len, types_of), default=0)
    return [f"{name:<{width}}  {', '.join(dict.fromkeys(of))}" for name, of in types_of.items()]


def of_assembly(lines, remark=""):
    """Return the last stage, with counts of the instructions to look for."""
    code = [line.strip() for line in lines]
    counts = {name: sum(map(bool, map(pattern.match, code))) for name, pattern in COUNTED.items()}
    summary = ", ".join(f"{name}: {count}" for name, count in counts.items())
    return Stage(
        "assembly",
        f"assembly for this processor{remark}",
        f"{summary}. A division of integers would come from a %, a call from an exception or a "
        "function that was not inlined. A mispredicted jump costs about 15 cycles.",
        lines,
    )


def cut(language, functions):
    """Return the lines of the innermost loop around a division.

    A function without a loop, as it is called for each pixel, is returned whole.
    """
    best = [], []  # loops around the division, and the function; the mask's loops are the deepest
    for blocks in functions:
        for block in blocks:
            if any(DIVISION[language].search(line.strip()) for line in block.lines):
                loops = loops_around(blocks, block)
                best = max(best, (loops, blocks), key=lambda pair: (len(pair[0]), bool(pair[1])))
    loops, blocks = best
    return [line for block in (loops[0] if loops else blocks) for line in block.lines]


def bytecode(function):
    """Return a list with one function: the blocks of a function's bytecode."""
    steps = []
    for instruction in dis.get_instructions(function):
        jumps = instruction.opcode in (*dis.hasjrel, *dis.hasjabs)
        steps.append(
            Step(
                f"{instruction.offset:>4}  {instruction.opname:<26} {instruction.argrepr}".rstrip(),
                instruction.offset if instruction.is_jump_target else None,
                [instruction.argval] if jumps else [],
                not UNCONDITIONAL.match(instruction.opname),
            )
        )
    return [in_blocks(steps)]


def llvm_functions(text):
    """Return the functions of a module in LLVM's language as blocks."""
    functions = []
    for body in re.findall(r"^define .*?^}", text, re.M | re.S):
        blocks = [Block("")]
        for line in body.splitlines()[1:-1]:
            if label := re.match(r'("[^"]+"|[\w.$-]+):', line):
                blocks.append(Block(label[1]))
            if line.strip():
                blocks[-1].lines.append(line)
                blocks[-1].following += re.findall(r'\blabel %("[^"]+"|[\w.$-]+)', line)
        functions.append([block for block in blocks if block.lines])
    return functions


def assembly_functions(text):
    """Return the functions in assembly as blocks, without directives and comments."""
    functions, steps = [], []
    for line in text.splitlines():
        code = line.partition("#")[0].rstrip().replace("\t", "    ").strip()
        if label := LABEL.match(code):
            if "L" not in label[1][:2]:  # the name of a new function
                functions.append(steps := [])
            steps.append(Step(label[0], label[1], [], True))
        elif code and not code.startswith((".", "//")):
            jump = JUMP.match(code)
            targets = [jump[2]] if jump else []
            steps.append(Step(f"    {code}", None, targets, not ENDS.match(code)))
    return [in_blocks(steps) for steps in functions if steps]


@dataclass(frozen=True)
class Step:
    """An instruction or a label: its text, its name as a jump target, and its successors."""

    text: str
    name: object  # None if it is not a jump's target
    targets: list
    falls: bool  # whether the next step may run after it


def in_blocks(steps):
    """Divide instructions into blocks, each of which begins at a jump's target or after a jump."""
    blocks, ended, falls = [], True, False
    for number, step in enumerate(steps):
        if ended or step.name is not None:
            block = Block(f"step {number}" if step.name is None else step.name)
            if falls:
                blocks[-1].following.append(block.name)
            blocks.append(block)
        blocks[-1].lines.append(step.text)
        blocks[-1].following += step.targets
        falls = step.falls
        ended = bool(step.targets) or not falls
    return blocks
