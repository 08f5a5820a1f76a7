"""Holds the model against loads that are known."""

from polymask.workshop.compare import Wrong


def check(module, random):
    """Raise `Wrong` at the first loads that are not right."""
    top = [9] * 8 + [1] * 8  # the polygon lies in the upper half
    drawn = [random.randrange(1, 50) for _ in range(random.randrange(20, 60))]
    compare("static([9] * 8 + [1] * 8, 2)", module.static(top, 2), [72, 8])
    compare("static(7 rows of cost 1, 3)", module.static([1] * 7, 3), [3, 3, 1])
    compare("dynamic([9] * 8 + [1] * 8, 2, 1)", module.dynamic(top, 2, 1), [40, 40])
    compare("dynamic([9] * 8 + [1] * 8, 2, 16)", module.dynamic(top, 2, 16), [80, 0])
    compare("dynamic([5, 1, 1, 1, 1], 2, 1)", module.dynamic([5, 1, 1, 1, 1], 2, 1), [5, 4])
    compare("dynamic([1, 2, 3, 4, 5], 2, 2)", module.dynamic([1, 2, 3, 4, 5], 2, 2), [8, 7])
    threads, chunk = random.randrange(2, 6), random.randrange(1, 5)
    for loads in (module.static(drawn, threads), module.dynamic(drawn, threads, chunk)):
        if sum(loads) != sum(drawn) or len(loads) != threads:
            raise Wrong(f"the loads {loads} are not all of the work, or not one per thread")
    first, free = 0, [0] * threads
    while first < len(drawn):
        free.sort()  # the smallest is free; which thread has it does not change the loads
        free[0] += sum(drawn[first : first + chunk])
        first += chunk
    compare("dynamic, sorted", sorted(module.dynamic(drawn, threads, chunk)), sorted(free))


def compare(call, got, expected):
    """Raise `Wrong` unless a call gave what is expected."""
    if list(got or []) != expected:
        raise Wrong(f"{call}: expected {expected}, got {got}")
