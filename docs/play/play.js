// What the page shows, and its buttons.
const EXAMPLE = [[0, 8], [2, 0], [6, 4], [10, 0], [12, 8]]; // of lesson 9
const state = { polygon: [...EXAMPLE], sample: [5, 2], frames: [], position: 0, timer: null };

// On a vertex, the mask depends on the border value alone.
function onVertex([x, y]) {
  const values = [0, 1].map((border) => rule.mask(state.polygon, ROWS, COLS, border)[y * COLS + x]);
  return values[0] !== values[1];
}

// The places where the ray from a pixel crosses edges, or null on a vertex.
function rayFrom([x, y]) {
  if (onVertex([x, y])) return null;
  const crossings = rule.crossings(state.polygon, x, y).filter((at) => !isNaN(at));
  return crossings.sort((a, b) => a - b);
}

function describe([x, y], inside, crossings, row) {
  const place = `Pixel (${x}, ${y}) is ${inside ? "inside" : "outside"}`;
  const strips = `Toggles of row ${y}: ${digits(row.toggles)}, parity: ${digits(row.parities)}.`;
  if (!crossings) return `${place}: it is a vertex, so it takes the border value. ${strips}`;
  const places = crossings.map((at) => +at.toFixed(2)).join(", ");
  const count = `${plural(crossings.length, "edge")}${places && `, at x = ${places}`}`;
  return `${place}: its ray crosses ${count}. ${strips}`;
}

// Compute the scene again, after a change of the polygon, the border value or the way.
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
  const count = state.frames.length;
  state.position = clamp(position, 0, Math.max(count - 1, 0));
  const frame = state.frames[state.position] ?? { mask: state.scene.mask };
  const sample = frame.sample ?? state.sample;
  const [x, y] = sample;
  const crossings = rayFrom(sample);
  const row = togglesOf(state.scene.last[y]);
  $("image").innerHTML = drawImage({ polygon: state.polygon, frame, sample, crossings, row });
  placeHandles(state.sample, state.polygon);
  $("sample-text").textContent = describe(sample, state.scene.mask[y * COLS + x], crossings, row);
  $("step-text").textContent = count ? `Step ${state.position + 1} of ${count}: ${frame.text}.` : "";
  $("position").value = state.position;
}

// Move the sample point (index 0) to a pixel, or a vertex to a multiple of half a pixel.
function move(index, point) {
  if (index === 0) state.sample = whole(point);
  else state.polygon[index - 1] = half(point);
  compute();
}

function change(polygon) {
  state.polygon = polygon;
  compute();
}

function randomPolygon() {
  const anywhere = (most) => Math.round(2 * most * Math.random()) / 2;
  const count = 4 + Math.floor(5 * Math.random());
  return Array.from({ length: count }, () => [anywhere(COLS), anywhere(ROWS)]);
}

// The slider is logarithmic: 1 to 64 steps per second. Only single steps are announced.
function play(on) {
  clearTimeout(state.timer);
  state.timer = on ? setTimeout(advance, 1000 / 2 ** $("speed").value) : null;
  $("run").textContent = on ? "Pause" : "Play";
  for (const id of ["sample-text", "step-text"]) $(id).setAttribute("aria-live", on ? "off" : "polite");
}

function advance() {
  show(state.position + 1);
  play(state.position + 1 < state.frames.length);
}

function stopAt(position) {
  play(false);
  show(position);
}

$("run").addEventListener("click", () => {
  const start = state.timer === null;
  if (start && state.position + 1 === state.frames.length) show(0);
  play(start);
});
$("back").addEventListener("click", () => stopAt(state.position - 1));
$("forward").addEventListener("click", () => stopAt(state.position + 1));
$("position").addEventListener("input", () => stopAt(Number($("position").value)));
$("random").addEventListener("click", () => change(randomPolygon()));
$("example").addEventListener("click", () => change([...EXAMPLE]));
$("border").addEventListener("change", compute);
$("way").addEventListener("change", () => {
  play(false);
  state.position = 0;
  compute();
});

$("way").innerHTML = Object.keys(WAYS).map((name) => element("option", {}, name)).join("");
compute();
