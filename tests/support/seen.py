"""JavaScript that finds elements of a page that are too wide, and the contrast of its text."""

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
# The contrast of two colours, and the background of an element.
CONTRAST = """
const parts = (colour) => colour.match(/[\\d.]+/g).map(Number);
const light = (rgb) => rgb.slice(0, 3).map((v) => v / 255)
  .map((v) => (v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4))
  .reduce((sum, v, i) => sum + v * [0.2126, 0.7152, 0.0722][i], 0);
const contrast = (a, b) => {
  const [less, more] = [light(a), light(b)].sort((x, y) => x - y);
  return (more + 0.05) / (less + 0.05);
};
const behind = (e) => {
  for (; e; e = e.parentElement) {
    const rgb = parts(getComputedStyle(e).backgroundColor);
    if (rgb.length === 3 || rgb[3] > 0) return rgb;
  }
  throw new Error("the page has no background");
};
"""
# Pieces of text with their contrast.
WORDS = f"""(() => {{ {CONTRAST}
  const words = [...document.querySelectorAll("body *")].filter((e) =>
    e.getClientRects().length && [...e.childNodes].some((n) => n.nodeType === 3 && n.data.trim()));
  return words.map((e) => {{
    const style = getComputedStyle(e);
    const colour = e.namespaceURI.endsWith("svg") ? style.fill : style.color;
    return [e.textContent.slice(0, 30), contrast(parts(colour), behind(e))];
  }});
}})()"""
