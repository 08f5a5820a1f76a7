// The page: what is shown, and what mouse, touch and keyboard change.
const $ = (id) => document.getElementById(id);
const EXAMPLE = [[0, 8], [2, 0], [6, 4], [10, 0], [12, 8]];
const state = { polygon: EXAMPLE.map((p) => [...p]), sample: [5, 2], frames: [], position: 0, timer: null };
const clamp = (value, least, most) => Math.min(Math.max(value, least), most);

// The toggles of a row, as scanline.rows records them, and their parities.
function rowOfToggles(last) {
  const toggles = new Uint8Array(COLS);
  for (const x of last.filter((x) => x >= 0)) {
    toggles[0] ^= 1;
    if (x + 1 < COLS) toggles[x + 1] ^= 1;
  }
  let sum = 0;
  return { toggles, parity: toggles.map((toggle) => (sum ^= toggle)) };
}

// On a vertex the mask depends on the border value alone.
const onVertex = ([x, y]) =>
  rule.mask(state.polygon, ROWS, COLS, 0)[y * COLS + x] !== rule.mask(state.polygon, ROWS, COLS, 1)[y * COLS + x];

function describe([x, y], inside, crossings, row) {
  const place = `Pixel (${x}, ${y}) is ${inside ? "inside" : "outside"}`;
  const strips = `Toggles of row ${y}: ${digits(row.toggles)}, parity: ${digits(row.parity)}.`;
  if (!crossings) return `${place}: it is a vertex, so it takes the border value. ${strips}`;
  const places = crossings.length ? `, at x = ${crossings.map((at) => +at.toFixed(2)).join(", ")}` : "";
  return `${place}: its ray crosses ${plural(crossings.length, "edge")}${places}. ${strips}`;
}

// Compute the scene anew, after a change of the polygon, the border value or the way.
function compute() {
  const { idea, steps } = WAYS[$("way").value];
  state.scene = sceneOf(state.polygon, $("border").checked);
  state.frames = [...steps(state.scene)];
  $("idea").textContent = idea;
  $("stepping").hidden = !state.frames.length;
  $("position").max = state.frames.length - 1;
  show(state.position);
}

// Show a frame, or the finished mask.
function show(position) {
  state.position = clamp(position, 0, Math.max(state.frames.length - 1, 0));
  const frame = state.frames[state.position] ?? { mask: state.scene.mask };
  const sample = frame.sample === undefined ? state.sample : [frame.sample % COLS, Math.floor(frame.sample / COLS)];
  const [x, y] = sample;
  const crossings = onVertex(sample)
    ? null
    : rule.crossings(state.polygon, x, y).filter((at) => !isNaN(at)).sort((a, b) => a - b);
  const row = rowOfToggles(state.scene.last[y]);
  $("image").innerHTML = drawImage({ polygon: state.polygon, frame, sample, crossings, row });
  $("sample-text").textContent = describe(sample, state.scene.mask[y * COLS + x], crossings, row);
  $("step-text").textContent = frame.text ? `Step ${state.position + 1} of ${state.frames.length}: ${frame.text}.` : "";
  $("position").value = state.position;
  placeHandles();
}

// The handles stay the same elements while they move, so that they keep the focus.
function placeHandles() {
  const points = [state.sample, ...state.polygon];
  const names = points.map((_, i) => (i ? `vertex ${i} of ${points.length - 1}` : "sample point"));
  const drawn = points.map((point, i) => handle(names[i], point, i, i ? [-0.5, 13.5] : [0, COLS - 1]));
  const handles = $("handles");
  if (handles.childElementCount !== points.length) handles.innerHTML = drawn.join("");
  const fresh = document.createElementNS("http://www.w3.org/2000/svg", "g");
  fresh.innerHTML = drawn.join("");
  [...fresh.children].forEach((from, i) => {
    for (const { name, value } of from.attributes) handles.children[i].setAttribute(name, value);
  });
}

// Move the sample point (0) to a pixel, or a vertex to a multiple of half a pixel.
function move(index, x, y) {
  if (index === 0) state.sample = [clamp(Math.round(x), 0, COLS - 1), clamp(Math.round(y), 0, ROWS - 1)];
  else state.polygon[index - 1] = [clamp(Math.round(2 * x) / 2, -0.5, 13.5), clamp(Math.round(2 * y) / 2, -0.5, 8.5)];
  compute();
}

const pointOf = (event) => {
  const { x, y } = new DOMPoint(event.clientX, event.clientY).matrixTransform($("picture").getScreenCTM().inverse());
  return [x, y];
};
const indexOf = (event) => [...$("handles").children].indexOf(event.target.closest(".handle"));
const ARROWS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };

$("handles").addEventListener("pointerdown", (event) => {
  event.target.closest(".handle").focus();
  event.target.setPointerCapture(event.pointerId);
  event.preventDefault();
});
$("handles").addEventListener("pointermove", (event) => {
  if (event.target.hasPointerCapture(event.pointerId)) move(indexOf(event), ...pointOf(event));
});
$("handles").addEventListener("keydown", (event) => {
  const step = ARROWS[event.key];
  if (!step) return;
  event.preventDefault();
  const index = indexOf(event);
  const [point, length] = index ? [state.polygon[index - 1], 0.5] : [state.sample, 1];
  move(index, point[0] + length * step[0], point[1] + length * step[1]);
});
$("image").addEventListener("click", (event) => {
  const [x, y] = pointOf(event);
  if (y < ROWS) move(0, x, y);
});

function play(on) {
  clearTimeout(state.timer);
  state.timer = on ? setTimeout(advance, 1000 / 2 ** $("speed").value) : null;
  $("run").textContent = on ? "Pause" : "Play";
  for (const id of ["sample-text", "step-text"]) $(id).ariaLive = on ? "off" : "polite";
}
function advance() {
  show(state.position + 1);
  play(state.position + 1 < state.frames.length);
}
$("run").addEventListener("click", () => {
  const atEnd = state.position + 1 >= state.frames.length;
  if (state.timer === null && atEnd) show(0);
  play(state.timer === null);
});
const stepBy = (difference) => () => {
  play(false);
  show(state.position + difference);
};
$("back").addEventListener("click", stepBy(-1));
$("forward").addEventListener("click", stepBy(1));
$("position").addEventListener("input", () => {
  play(false);
  show(Number($("position").value));
});

function change(polygon) {
  state.polygon = polygon;
  compute();
}
const anywhere = (most) => Math.round(2 * most * Math.random()) / 2;
$("random").addEventListener("click", () =>
  change(Array.from({ length: 4 + Math.floor(5 * Math.random()) }, () => [anywhere(COLS), anywhere(ROWS)])));
$("example").addEventListener("click", () => change(EXAMPLE.map((point) => [...point])));
$("border").addEventListener("change", compute);
$("way").addEventListener("change", () => {
  play(false);
  state.position = 0;
  compute();
});
$("way").innerHTML = Object.keys(WAYS).map((name) => element("option", {}, name)).join("");
compute();
