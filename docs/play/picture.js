// Draws a frame as SVG. A unit is a pixel; the sample point of pixel (x, y) is at (x, y).
function element(name, attributes, content = "") {
  const pairs = Object.entries(attributes).map(([key, value]) => `${key}="${value}"`);
  return `<${name} ${pairs.join(" ")}>${content}</${name}>`;
}
const text = (x, y, content, kind = "") => element("text", { x, y, class: kind }, content);
const box = (x, y, width, height, kind, style = "") =>
  element("rect", { x: x - 0.5, y: y - 0.5, width, height, class: kind, style });
const line = ([x1, y1], [x2, y2], kind) => element("line", { x1, y1, x2, y2, class: kind });
const circle = (cx, cy, r, kind) => element("circle", { cx, cy, r, class: kind });

function drawPixels({ mask, bits, now }) {
  let cells = "";
  for (let p = 0; p < SIZE; p++) {
    const [x, y] = placeOf(p);
    const state = ["", " inside", " unknown"][mask[p]];
    cells += box(x, y, 1, 1, `pixel${state}`);
    if (bits?.[p] !== undefined) cells += text(x, y, bits[p]);
    else if (mask[p] !== UNKNOWN) cells += circle(x, y, 0.13, `sample${state}`);
    else if (now?.has(p)) cells += text(x, y, now.get(p));
  }
  for (const [p, worker] of now ?? [])
    if (p < SIZE) cells += box(...placeOf(p), 1, 1, "now", `--worker: var(--worker-${worker})`);
  return cells;
}

// An edge with its ends: filled if the rays through them cross the edge.
function drawEdge(polygon, edge, chosen) {
  const [p1, p2] = [polygon[edge], polygon[(edge + 1) % polygon.length]];
  const ends = [p1, p2].map(([, y]) => !isNaN(rule.crossings(polygon, LEFT, y)[edge]));
  const horizontal = !ends.includes(true);
  const drawing = line(p1, p2, `edge${horizontal ? " horizontal" : ""}${chosen ? " chosen" : ""}`);
  const length = Math.hypot(p2[0] - p1[0], p2[1] - p1[1]);
  if (horizontal || length < 1.5) return drawing;
  const at = (part) => [0, 1].map((axis) => p1[axis] + (p2[axis] - p1[axis]) * part);
  const kinds = ends.map((belongs) => (belongs ? "end" : "end open"));
  return drawing + circle(...at(0.6 / length), 0.12, kinds[0]) + circle(...at(1 - 0.6 / length), 0.12, kinds[1]);
}

function drawRay([x, y], crossings) {
  let drawing = line([x + 0.4, y], [13.9, y], "ray");
  crossings.forEach((at, i) => {
    drawing += line([at - 0.2, y - 0.2], [at + 0.2, y + 0.2], "cross");
    drawing += line([at - 0.2, y + 0.2], [at + 0.2, y - 0.2], "cross");
    const above = y - (i % 2 ? 1.05 : 0.6); // neighbours may be close
    drawing += circle(at, above, 0.24, "count") + text(at, above, i + 1, "on");
  });
  return drawing;
}

// A line of digits below the image, aligned with its pixels.
function drawStrip(y, label, bits, kind) {
  const cells = [...bits].map((bit, x) => {
    return box(x, y + 0.9, 1, 1, `pixel ${bit ? kind : ""}`) + text(x, y + 0.9, bit);
  });
  return text(-0.5, y, label, "label") + cells.join("");
}

function drawGroup([x, y, width, height]) {
  let drawing = "";
  for (let row = y; row < y + height; row++)
    for (let col = x; col < x + width; col++)
      if (col >= COLS || row >= ROWS) drawing += box(col, row, 1, 1, "pixel outside-image");
  return drawing + box(x, y, width, height, "group");
}

function drawImage({ polygon, frame, sample, crossings, row }) {
  let drawing = drawPixels(frame);
  if (frame.group) drawing += drawGroup(frame.group);
  drawing += box(0, sample[1], COLS, 1, "of-row");
  polygon.forEach((_, edge) => (drawing += drawEdge(polygon, edge, edge === frame.edge)));
  if (crossings) drawing += drawRay(sample, crossings);
  const label = `row ${sample[1]}: toggles at 0 and after each crossing`;
  drawing += drawStrip(9.1, label, row.toggles, "toggled");
  return drawing + drawStrip(11, "parity of the toggles up to each pixel", row.parities, "inside");
}
