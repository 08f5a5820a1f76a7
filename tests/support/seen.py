"""JavaScript that finds elements of a page that are too wide, and those that overlap."""

PHONE, DESK = 390, 1280
# Whether two boxes overlap by more than x and y pixels.
MEET = """
const meet = (a, b, x, y) =>
  a.left < b.right - x && b.left < a.right - x && a.top < b.bottom - y && b.top < a.bottom - y;
const box = (e) => e.getBoundingClientRect();
const seen = (e) => e.getClientRects().length > 0;
"""
# Elements wider than the window, except those in a scrolling box.
WIDE = f"""(() => {{ {MEET}
  return [...document.querySelectorAll("body *")]
    .filter((e) => !e.closest(".scroll *") && !e.closest("svg svg") && seen(e))
    .filter((e) => box(e).right > document.documentElement.clientWidth + 1)
    .map((e) => e.tagName + " " + (e.id || e.getAttribute("class")));
}})()"""
