"""Numba's stages of compiling a rung: bytecode, types, LLVM's language, assembly.

Each stage is cut down to the innermost loop around the rule's division, which takes most of the
time: the loop over the edges.
"""

import dis
import io
import re
from dataclasses import dataclass

from polymask.contract import Unavailable
from polymask.profiling.innermost import Block, loops_around

NAMES = ("bytecode", "types", "llvm", "assembly")
TRIANGLE = [(0, 0), (6, 1), (2, 5)]
LEFT_FOR_GOOD = re.compile(r"JUMP_(?:FORWARD|BACKWARD|ABSOLUTE)|RETURN_|RAISE_|RERAISE")
# In assembly for x86-64 and aarch64: an instruction, and the label that it jumps to.
LABEL = re.compile(r"^(\.?L\w+|_?[A-Za-z]\w*):")
JUMP = re.compile(r"^(j\w+|b|b\.\w+|cbn?z|tbn?z)\s+(?:.*,\s*)?(\.?L\w+)$")
ENDS = re.compile(r"^(?:jmpq?|b|br|retq?|ud2)\b(?!\.)")
DIVISION = {  # of doubles
    "bytecode": re.compile(r"BINARY_TRUE_DIVIDE|BINARY_OP .* /$"),
    "llvm": re.compile(r"\bfdiv\b"),
    "assembly": re.compile(r"^(?:v?divsd|v?divpd|fdiv)\b"),
}
COUNTED = {  # of assembly
    "divisions of doubles": DIVISION["assembly"],
    "divisions of integers": re.compile(r"^(?:i?div[lq]?|[su]div)\b"),
    "conditional jumps": re.compile(r"^(?:j(?!mp)\w+|b\.\w+|cbn?z|tbn?z)\b"),
    "calls": re.compile(r"^(?:callq?|blr?)\b"),
    "fused multiply-adds": re.compile(r"^(?:vfn?m(?:add|sub)|fn?m(?:add|sub|la|ls))"),
}


@dataclass(frozen=True)
class Stage:
    """A stage: its code, its title, and advice for reading it."""

    name: str  # one of `NAMES`
    title: str
    look: str
    lines: list[str]


def of_rung(rung, whole=False):
    """Compile a rung of Numba, and return its stages in order.

    With `whole` they show the whole function of the loop, not the loop alone.
    """
    if rung.jit != "numba" or rung.device:
        raise Unavailable(
            f"{rung.key} is not compiled with Numba for this processor",
            "`polymask annotate` shows what Cython makes of a rung, `show` its source",
        )
    loop, rule = compiled(rung)
    llvm, assembly = loop.inspect_llvm(), loop.inspect_asm()
    of_one = (
        ": a function of one pixel and one edge, as the loops are NumPy's" if loop is rule else ""
    )
    machine_code = assembly_functions("\n".join(assembly.values()))
    return [
        Stage(
            "bytecode",
            f"bytecode of {rule.py_func.__name__}, as Python's own interpreter runs it",
            "no instruction knows a type: each BINARY_OP and COMPARE_OP asks its objects what they "
            "are, each time. Numba reads these, not the source.",
            cut("bytecode", bytecode(rule.py_func), whole),
        ),
        Stage(
            "types",
            f"types that Numba inferred for {rule.py_func.__name__}",
            "float64 and int64 are registers of the processor. pyobject would be Python's objects "
            "again, and int64 for a coordinate a conversion for each comparison.",
            types(rule),
        ),
        Stage(
            "llvm",
            f"LLVM's language, after its optimizer{of_one}",
            "one fdiv and no `fast` beside it: the arithmetic is as written. No call is left: the "
            "rule was inlined.",
            cut("llvm", llvm_functions("\n".join(llvm.values())), whole),
        ),
        of_assembly(cut("assembly", machine_code, whole), of_one),
    ]


def compiled(rung):
    """Return Numba's function with the loop over the pixels, and the rule in it."""
    make_mask, module = rung.load(), rung.module()  # reports missing packages
    import numba

    make_mask(TRIANGLE, (5, 6))  # compiles it
    loop = getattr(module, "fill", None)
    if loop is None:  # a ufunc hides its machine code: compile its function again
        function = module.kernel("cpu").__wrapped__
        loop = numba.njit(module.TYPES, error_model="numpy")(function)
    return loop, getattr(module, "rule", loop)


def types(function):
    """Return a line with the name and the types of each variable of a compiled function."""
    listing = io.StringIO()
    function.inspect_types(file=listing, signature=function.signatures[-1])
    types_of = {}
    for line in listing.getvalue().splitlines():
        # x1.2 is the second value of x1; names that begin with $ are not variables
        if match := re.match(r"\s*#\s+([A-Za-z_]\w*)[.\d]* = .* :: (.+)$", line):
            kind = match[2].rpartition(" -> ")[2].strip()  # the type that a call returns
            kind = re.sub(r"^Literal\[(\w+)\]\(.*\)$", r"\1", kind)
            types_of.setdefault(match[1], []).append(kind)
    width = max(map(len, types_of), default=0)
    return [f"{name:<{width}}  {', '.join(dict.fromkeys(of))}" for name, of in types_of.items()]


def of_assembly(lines, of_one=""):
    """Return the last stage, with counts of the instructions to look for."""
    code = [line.strip() for line in lines]
    counts = {name: sum(map(bool, map(pattern.match, code))) for name, pattern in COUNTED.items()}
    summary = ", ".join(f"{name}: {count}" for name, count in counts.items())
    return Stage(
        "assembly",
        f"assembly for this processor{of_one}",
        f"{summary}. A division of integers would be a % that is left; a call an exception, or a "
        "function that was not inlined. A jump that is guessed wrong costs some 15 cycles.",
        lines,
    )


def cut(language, functions, whole):
    """Return the lines of the innermost loop around a division, or of its function if `whole`.

    A function without a loop, called for each pixel, is returned whole.
    """
    best = [], []  # loops around the division, and the function; the mask's is the deepest
    for blocks in functions:
        for block in blocks:
            if any(DIVISION[language].search(line.strip()) for line in block.lines):
                around = loops_around(blocks, block)
                best = max(best, (around, blocks), key=lambda pair: (len(pair[0]), bool(pair[1])))
    around, blocks = best
    chosen = blocks if whole or not around else around[0]
    return [line for block in chosen for line in block.lines]


def bytecode(function):
    """Return Python's bytecode of a function, in blocks, as a list of one function."""
    steps = []
    for instruction in dis.get_instructions(function):
        jumps = instruction.opcode in (*dis.hasjrel, *dis.hasjabs)
        steps.append(
            Step(
                f"{instruction.offset:>4}  {instruction.opname:<26} {instruction.argrepr}".rstrip(),
                instruction.offset if instruction.is_jump_target else None,
                [instruction.argval] if jumps else [],
                not LEFT_FOR_GOOD.match(instruction.opname),
            )
        )
    return [in_blocks(steps)]


def llvm_functions(text):
    """Return the functions of a module in LLVM's language, each in blocks."""
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
    """Return the functions of assembly, each in blocks, without directives and comments."""
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
    name: object  # None if no jump leads to it
    targets: list
    falls: bool  # whether the next step may follow


def in_blocks(steps):
    """Return instructions as blocks: each begins at a jump's target or after a jump."""
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
