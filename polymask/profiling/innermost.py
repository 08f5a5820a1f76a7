"""The innermost loop around an instruction, in any code that is made of blocks and jumps.

Bytecode, LLVM's language and assembly all are: a block is a run of instructions that is entered at
its top and left at its end. A jump to a block that every way to the jump has passed closes a loop.
"""

from dataclasses import dataclass, field


@dataclass
class Block:
    """Instructions in a row, as lines of text, and the names of the blocks that may follow."""

    name: str
    lines: list = field(default_factory=list)
    following: list = field(default_factory=list)


def loops_around(blocks, wanted):
    """Return the loops around a block, the innermost first: each the blocks of it, in their order.

    Parameters
    ----------
    blocks : list of Block
        The first is where the code is entered.
    wanted : Block

    Returns
    -------
    list of list of Block
    """
    named = {block.name: block for block in blocks}
    before = {block.name: [] for block in blocks}
    for block in blocks:
        for name in block.following:
            if name in named:
                before[name].append(block.name)
    passed = dominators(blocks, before)
    bodies = {}  # by the first block of a loop: several jumps may lead back to it
    for block in blocks:
        for name in block.following:
            if name in passed.get(block.name, ()):
                bodies.setdefault(name, {name}).update(body(name, block.name, before))
    around = sorted((found for found in bodies.values() if wanted.name in found), key=len)
    return [[block for block in blocks if block.name in found] for found in around]


def dominators(blocks, before):
    """Return of each block that can be reached the names of those that every way to it passes."""
    first, reached, left = blocks[0].name, set(), [blocks[0].name]
    named = {block.name: block for block in blocks}
    while left:
        name = left.pop()
        if name in named and name not in reached:
            reached.add(name)
            left += named[name].following
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
    """Return the names of the blocks from which the jump from `tail` back to `head` is reached."""
    found, left = {head}, [tail]
    while left:
        name = left.pop()
        if name not in found:
            found.add(name)
            left += before[name]
    return found
