// Draws a frame as SVG. A unit is a pixel; the sample point of pixel (x, y) is at (x, y).
const element = (name, attributes, content = "") =>
  `<${name} ${Object.entries(attributes).map(([key, value]) => `${key}="${value}"`).join(" ")}>${content}</${name}>`;
const text = (x, y, content, kind = "") => element("text", { x, y, class: kind }, content);
const square = (x, y, kind, worker = 0) =>
  element("rect", { x: x - 0.5, y: y - 0.5, width: 1, height: 1, class: kind, style: `--worker: var(--worker-${worker})` });
const line = ([x1, y1], [x2, y2], kind) => element("line", { x1, y1, x2, y2, class: kind });
const circle = (cx, cy, r, kind) => element("circle", { cx, cy, r, class: kind });

function drawPixels({ mask, bits, now }) {
  let cells = "";
  for (let p = 0; p < SIZE; p++) {
    const [x, y] = [p % COLS, Math.floor(p / COLS)];
    const state = ["", " inside", " unknown"][mask[p]];
    cells += square(x, y, `pixel${state}`);
    if (bits?.[p] !== undefined) cells += text(x, y, bits[p]);
    else if (mask[p] !== UNKNOWN) cells += circle(x, y, 0.13, `sample${state}`);
    else if (now?.has(p)) cells += text(x, y, now.get(p));
  }
  for (const [p, worker] of now ?? [])
    if (p < SIZE) cells += square(p % COLS, Math.floor(p / COLS), "now", worker);
  return cells;
}

function drawEdges(polygon, chosen) {
  return polygon.map((p1, edge) => {
    const p2 = polygon[(edge + 1) % polygon.length];
    const length = Math.hypot(p2[0] - p1[0], p2[1] - p1[1]);
    const owns = [p1, p2].map(([, y]) => !isNaN(rule.crossings(polygon, LEFT, y)[edge]));
    const horizontal = !owns[0] && !owns[1];
    let drawing = line(p1, p2, `edge${horizontal ? " horizontal" : ""}${edge === chosen ? " chosen" : ""}`);
    if (horizontal || length < 1.5) return drawing;
    for (const [from, to, own] of [[p1, p2, owns[0]], [p2, p1, owns[1]]]) {
      const [x, y] = [0, 1].map((axis) => from[axis] + ((to[axis] - from[axis]) * 0.6) / length);
      drawing += circle(x, y, 0.12, own ? "end" : "end open");
    }
    return drawing;
  }).join("");
}

function drawRay([x, y], crossings) {
  let drawing = line([x + 0.4, y], [13.9, y], "ray");
  crossings.forEach((at, i) => {
    drawing += line([at - 0.2, y - 0.2], [at + 0.2, y + 0.2], "cross") + line([at - 0.2, y + 0.2], [at + 0.2, y - 0.2], "cross");
    const above = y - (i % 2 ? 1.05 : 0.6); // neighbours may be close
    drawing += circle(at, above, 0.24, "count") + text(at, above, i + 1, "on");
  });
  return drawing;
}

// A line of digits below the image, aligned with its pixels.
function drawStrip(y, label, bits, kind) {
  const cells = [...bits].map((bit, x) => square(x, y + 0.9, `pixel ${bit ? kind : ""}`) + text(x, y + 0.9, bit));
  return text(-0.5, y, label, "label") + cells.join("");
}

function drawImage({ polygon, frame, sample, crossings, row }) {
  let drawing = drawPixels(frame);
  if (frame.group) {
    const [x, y, width, height] = frame.group;
    for (let dy = 0; dy < height; dy++)
      for (let dx = 0; dx < width; dx++)
        if (x + dx >= COLS || y + dy >= ROWS) drawing += square(x + dx, y + dy, "pixel outside-image");
    drawing += element("rect", { x: x - 0.5, y: y - 0.5, width, height, class: "group" });
  }
  drawing += element("rect", { x: -0.5, y: sample[1] - 0.5, width: COLS, height: 1, class: "of-row" });
  drawing += drawEdges(polygon, frame.edge);
  if (crossings) drawing += drawRay(sample, crossings);
  drawing += drawStrip(9.1, `row ${sample[1]}: toggles at 0 and after each crossing`, row.toggles, "toggled");
  return drawing + drawStrip(11, "parity of the toggles up to each pixel", row.parity, "inside");
}

// A vertex, or the ring around the sample point: moved by mouse, touch and arrow keys.
function handle(name, [x, y], label, [least, most]) {
  const mark = label ? circle(0, 0, 0.33, "mark") + text(0, 0, label, "on") : circle(0, 0, 0.42, "ring");
  const attributes = {
    class: "handle", tabindex: 0, role: "slider", transform: `translate(${x} ${y})`, "aria-label": name,
    "aria-valuemin": least, "aria-valuemax": most, "aria-valuenow": x, "aria-valuetext": `x ${x}, y ${y}`,
  };
  return element("g", attributes, circle(0, 0, 0.6, "touch") + mark);
}
