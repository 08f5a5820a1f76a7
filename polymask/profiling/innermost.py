"""The innermost loop around an instruction, in any code of blocks and jumps.

Blocks, in bytecode, LLVM's language and assembly, are runs of instructions entered at the top and
left at the end. A jump to a block that is on every path to the jump closes a loop.
"""

from dataclasses import dataclass, field


@dataclass
class Block:
    """Instructions in a row, as lines of text, and the names of the blocks that may follow."""

    name: str
    lines: list = field(default_factory=list)
    following: list = field(default_factory=list)


def loops_around(blocks, target):
    """Return the loops around a block, the innermost first, each as its blocks in order.

    Parameters
    ----------
    blocks : list of Block
        The first is the entry of the code.
    target : Block

    Returns
    -------
    list of list of Block
    """
    by_name = {block.name: block for block in blocks}
    before = {block.name: [] for block in blocks}
    for block in blocks:
        for name in block.following:
            if name in by_name:
                before[name].append(block.name)
    passed = dominators(blocks, before)
    bodies = {}  # by the first block of a loop, to which several jumps may lead back
    for block in blocks:
        for name in block.following:
            if name in passed.get(block.name, ()):
                bodies.setdefault(name, {name}).update(body(name, block.name, before))
    around = sorted((names for names in bodies.values() if target.name in names), key=len)
    return [[block for block in blocks if block.name in names] for names in around]


def dominators(blocks, before):
    """Map each reachable block to the names of its dominators: blocks on every path to it."""
    first, reached, left = blocks[0].name, set(), [blocks[0].name]
    by_name = {block.name: block for block in blocks}
    while left:
        name = left.pop()
        if name in by_name and name not in reached:
            reached.add(name)
            left += by_name[name].following
    passed = {name: {name} if name == first else set(reached) for name in reached}
    changed = True
    while changed:
        changed = False
        for block in blocks:
            if block.name == first or block.name not in reached:
                continue
            ways = [passed[name] for name in before[block.name] if name in reached]
            now = {block.name}.union(set.intersection(*ways))
            changed |= now != passed[block.name]
            passed[block.name] = now
    return passed


def body(head, tail, before):
    """Return the names of the blocks of the loop closed by the jump from `tail` to `head`."""
    names, left = {head}, [tail]
    while left:
        name = left.pop()
        if name not in names:
            names.add(name)
            left += before[name]
    return names
