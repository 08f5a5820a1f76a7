// The project's rule, compiled to WebAssembly: the only source of masks and crossings on this page.
const $ = (id) => document.getElementById(id);

const rule = (() => {
  const bytes = Uint8Array.from(atob($("module").textContent), (letter) => letter.charCodeAt(0));
  const { exports } = new WebAssembly.Instance(new WebAssembly.Module(bytes));
  const { memory, vertices, mask, fill_mask, crossing } = exports;
  const load = (polygon) =>
    new Float64Array(memory.buffer, vertices.value, 2 * polygon.length).set(polygon.flat());

  return {
    // The mask of a polygon [[x, y], ...]: one byte per pixel, row after row.
    mask(polygon, rows, cols, border) {
      load(polygon);
      fill_mask(polygon.length, rows, cols, border);
      return new Uint8Array(memory.buffer, mask.value, rows * cols).slice();
    },
    // For each edge: the x at which the ray from (x, y) towards larger x crosses it, or NaN.
    crossings(polygon, x, y) {
      load(polygon);
      return polygon.map((_, edge) => crossing(x, y, polygon.length, edge));
    },
  };
})();
