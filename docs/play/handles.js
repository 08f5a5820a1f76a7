// The ring around the sample point (handle 0) and the vertices (1, 2, ...): moved by mouse, touch and
// arrow keys. move(index, x, y) of play.js takes the new place.
const ARROWS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
const clamp = (value, least, most) => Math.min(Math.max(value, least), most);
const whole = ([x, y]) => [clamp(Math.round(x), 0, COLS - 1), clamp(Math.round(y), 0, ROWS - 1)];
const half = ([x, y]) => [clamp(Math.round(2 * x) / 2, -0.5, 13.5), clamp(Math.round(2 * y) / 2, -0.5, 8.5)];

function drawHandle(index, count) {
  const mark = index ? circle(0, 0, 0.33, "mark") + text(0, 0, index, "on") : circle(0, 0, 0.42, "ring");
  const attributes = {
    class: "handle",
    tabindex: 0,
    role: "slider",
    "aria-label": index ? `vertex ${index} of ${count}` : "sample point",
    "aria-valuemin": index ? -0.5 : 0,
    "aria-valuemax": index ? 13.5 : COLS - 1,
  };
  return element("g", attributes, circle(0, 0, 0.6, "touch") + mark);
}

// The elements stay the same while they move, so that they keep the focus.
function placeHandles(sample, polygon) {
  const points = [sample, ...polygon];
  if (handles.childElementCount !== points.length)
    handles.innerHTML = points.map((_, index) => drawHandle(index, polygon.length)).join("");
  points.forEach(([x, y], index) => {
    const handle = handles.children[index];
    handle.setAttribute("transform", `translate(${x} ${y})`);
    handle.setAttribute("aria-valuenow", x);
    handle.setAttribute("aria-valuetext", `x ${x}, y ${y}`);
  });
}

function pointOf(event) {
  const toImage = $("picture").getScreenCTM().inverse();
  const { x, y } = new DOMPoint(event.clientX, event.clientY).matrixTransform(toImage);
  return [x, y];
}
const indexOf = (event) => [...handles.children].indexOf(event.target.closest(".handle"));

const handles = $("handles");
handles.addEventListener("pointerdown", (event) => {
  event.preventDefault();
  event.target.closest(".handle").focus();
  event.target.setPointerCapture(event.pointerId);
});
handles.addEventListener("pointermove", (event) => {
  if (event.target.hasPointerCapture(event.pointerId)) move(indexOf(event), pointOf(event));
});
handles.addEventListener("keydown", (event) => {
  if (!ARROWS[event.key]) return;
  event.preventDefault();
  const index = indexOf(event);
  const [point, length] = index ? [state.polygon[index - 1], 0.5] : [state.sample, 1];
  move(index, point.map((value, axis) => value + length * ARROWS[event.key][axis]));
});
$("image").addEventListener("click", (event) => {
  const [x, y] = pointOf(event);
  if (y < ROWS) move(0, [x, y]);
});
