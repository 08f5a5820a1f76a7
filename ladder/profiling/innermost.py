"""The innermost loop around an instruction, in any code that consists of blocks and jumps.

A block, in bytecode, LLVM's language or assembly, is a series of instructions entered at its top
and left at its end. A jump to a block that lies on every path to the jump closes a loop.
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

    The first of `blocks` is the entry of the code.
    """
    by_name = {block.name: block for block in blocks}
    before = {block.name: [] for block in blocks}
    for block in blocks:
        for name in block.following:
            if name in by_name:
                before[name].append(block.name)
    dominators = find_dominators(blocks, before)
    bodies = {}  # by the first block of a loop, to which several jumps may lead back
    for block in blocks:
        for name in block.following:
            if name in dominators.get(block.name, ()):
                bodies.setdefault(name, {name}).update(body(name, block.name, before))
    around = sorted((names for names in bodies.values() if target.name in names), key=len)
    return [[block for block in blocks if block.name in names] for names in around]


def find_dominators(blocks, before):
    """Map each reachable block to the names of its dominators: the blocks on every path to it."""
    first, reachable, queue = blocks[0].name, set(), [blocks[0].name]
    by_name = {block.name: block for block in blocks}
    while queue:
        name = queue.pop()
        if name in by_name and name not in reachable:
            reachable.add(name)
            queue += by_name[name].following
    dominators = {name: {name} if name == first else set(reachable) for name in reachable}
    changed = True
    while changed:
        changed = False
        for block in blocks:
            if block.name == first or block.name not in reachable:
                continue
            sets = [dominators[name] for name in before[block.name] if name in reachable]
            names = {block.name}.union(set.intersection(*sets))
            changed |= names != dominators[block.name]
            dominators[block.name] = names
    return dominators


def body(head, tail, before):
    """Return the names of the blocks in the loop that a jump from `tail` to `head` closes."""
    names, queue = {head}, [tail]
    while queue:
        name = queue.pop()
        if name not in names:
            names.add(name)
            queue += before[name]
    return names
