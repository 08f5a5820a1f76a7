// How each rung computes the mask. A way is a generator of frames, the states between its steps:
//   mask: one value per pixel: 0, 1 or UNKNOWN       bits: toggles, one per pixel
//   now: the pixels of this step, with their worker  edge: the edge of this step
//   group: x, y, width, height of a work-group       text: the step in words
//   sample: the pixel whose ray is drawn, if it is not the selected pixel
const ROWS = 8;
const COLS = 12;
const SIZE = ROWS * COLS;
const UNKNOWN = 2;
const LEFT = -1e9; // a ray from here crosses all edges that cross its row

// What the ways share: the finished mask, and X for each row and edge: the edge toggles the pixels
// 0..X of the row. X is NaN for an edge that does not cross the row.
function sceneOf(polygon, border) {
  const mask = rule.mask(polygon, ROWS, COLS, border);
  const crossings = Array.from({ length: ROWS }, (_, y) => rule.crossings(polygon, LEFT, y));
  return { polygon, mask, last: crossings.map((row) => row.map(Math.floor)) };
}

// The toggles of a row, as scanline.rows records them, and their parities.
function togglesOf(last) {
  const toggles = new Uint8Array(COLS);
  for (const x of last.filter((x) => x >= 0)) {
    toggles[0] ^= 1;
    if (x + 1 < COLS) toggles[x + 1] ^= 1;
  }
  let parity = 0;
  return { toggles, parities: toggles.map((toggle) => (parity ^= toggle)) };
}

const unknown = () => new Uint8Array(SIZE).fill(UNKNOWN);
const placeOf = (p) => [p % COLS, Math.floor(p / COLS)];
const rowOf = (values, y) => values.slice(y * COLS, (y + 1) * COLS);
const digits = (values) => [...values].join("");
const plural = (count, noun) => `${count} ${noun}${count === 1 ? "" : "s"}`;

const WAYS = {
  "the finished mask": { idea: "Drag the polygon and watch the mask.", *steps() {} },

  "python.tuples, cython.typed: pixel by pixel": {
    idea: "Two loops go over the rows and columns. For each pixel, a third loop goes over the edges.",
    *steps({ polygon, mask }) {
      const done = unknown();
      for (let p = 0; p < SIZE; p++) {
        done[p] = mask[p];
        const text = `pixel ${p + 1} of ${SIZE}, ${(p + 1) * polygon.length} edge tests`;
        yield { mask: done.slice(), now: new Map([[p, 0]]), sample: placeOf(p), text };
      }
    },
  },

  "python.vectorized: edge by edge": {
    idea: `For each edge, expressions on whole arrays test all pixels at once, and toggle those up to
      the crossing.`,
    *steps({ polygon, mask, last }) {
      const done = new Uint8Array(SIZE);
      for (let edge = 0; edge < polygon.length; edge++) {
        const now = new Map();
        for (let p = 0; p < SIZE; p++) {
          const [x, y] = placeOf(p);
          if (x <= last[y][edge]) now.set(p, 0);
        }
        for (const p of now.keys()) done[p] ^= 1;
        const text = `edge ${edge + 1} of ${polygon.length}: ${SIZE} pixels tested, ${now.size} toggled`;
        yield { mask: done.slice(), now, edge, text };
      }
      yield { mask, text: "pixels on a vertex take the border value" };
    },
  },

  "openmp.prange: rows handed to threads": {
    idea: `Each of four threads takes the next row when it has finished its row (schedule dynamic). A
      pixel takes longer in a row that more edges cross.`,
    *steps({ mask, last }) {
      const done = unknown();
      const threads = [0, 1, 2, 3].map((worker) => ({ worker, x: COLS }));
      for (let next = 0; ; ) {
        for (const thread of threads)
          if (thread.x === COLS && next < ROWS)
            Object.assign(thread, { row: next++, x: 0, passed: 0 });
        const busy = threads.filter(({ x }) => x < COLS);
        if (!busy.length) return;
        const now = new Map(busy.map(({ worker, row, x }) => [row * COLS + x, worker]));
        for (const thread of busy) {
          const steps = 1 + last[thread.row].filter((x) => !isNaN(x)).length;
          thread.passed = (thread.passed + 1) % steps;
          if (thread.passed > 0) continue;
          const p = thread.row * COLS + thread.x++;
          done[p] = mask[p];
        }
        const places = busy.map(({ worker, row }) => `thread ${worker}: row ${row}`);
        const text = `${places.join(", ")}; ${plural(ROWS - next, "row")} left`;
        yield { mask: done.slice(), now, text };
      }
    },
  },

  "opencl.pixels: a work item per pixel": {
    idea: `Work-groups of 7 by 3 items cover the image. 12 by 8 is rounded up to 14 by 9 items; those
      beyond the image write nothing.`,
    *steps({ mask }) {
      const done = unknown();
      for (let y = 0; y < ROWS; y += 3)
        for (let x = 0; x < COLS; x += 7) {
          const now = new Map();
          for (let p = 0; p < SIZE; p++) {
            const [col, row] = placeOf(p);
            if (col >= x && col < x + 7 && row >= y && row < y + 3) now.set(p, 1);
          }
          for (const p of now.keys()) done[p] = mask[p];
          const text = `work-group (${x / 7}, ${y / 3}): 21 items at once, ${now.size} in the image`;
          yield { mask: done.slice(), now, group: [x, y, 7, 3], text };
        }
    },
  },

  "scanline.rows: toggles, then parity": {
    idea: `An edge is evaluated once per row. It toggles pixel 0 and pixel X + 1; the running exclusive
      or of the toggles is the mask.`,
    *steps({ polygon, mask, last }) {
      const bits = new Uint8Array(SIZE + 1); // one more: the toggle after the last pixel
      for (let edge = 0; edge < polygon.length; edge++) {
        const now = new Map();
        for (let y = 0; y < ROWS; y++) {
          const stop = Math.min(last[y][edge], COLS - 1) + 1;
          if (!(stop > 0)) continue; // to the left of the image, or not in this row
          for (const p of [y * COLS, y * COLS + stop]) {
            bits[p] ^= 1; // the stop of a row can be the start of the next
            now.set(p, 0);
          }
        }
        const text = `edge ${edge + 1} of ${polygon.length} recorded`;
        yield { mask: unknown(), bits: bits.slice(), now, edge, text };
      }
      const done = unknown();
      for (let y = 0, parity = 0; y < ROWS; y++) {
        for (let p = y * COLS; p < (y + 1) * COLS; p++) done[p] = parity ^= bits[p];
        const text = `row ${y}: ${digits(rowOf(bits, y))} -> ${digits(rowOf(done, y))}`;
        yield { mask: done.slice(), bits, text };
      }
      yield { mask, text: "pixels on a vertex take the border value" };
    },
  },

  "scanline.engine: bits, words, bytes": {
    idea: `A band of four rows has one bit per pixel. A crossing toggles one bit, at X + 1. Shifts by 1,
      2, 4 and 8 compute the parities of a whole word; then each bit becomes a byte. Here a word is one
      row; in the engine it has 64 bits.`,
    *steps({ polygon, mask, last }) {
      const done = unknown();
      for (let first = 0; first < ROWS; first += 4) {
        const words = new Array(4).fill(0); // bit x of a word is pixel x
        const bitOf = (p) => (words[placeOf(p)[1] - first] >> placeOf(p)[0]) & 1;
        const frame = (text, edge) => {
          const bits = new Array(SIZE); // of the other rows: none
          for (let p = first * COLS; p < (first + 4) * COLS; p++) bits[p] = bitOf(p);
          return { mask: done.slice(), bits, edge, text: `rows ${first} to ${first + 3}: ${text}` };
        };
        for (let edge = 0; edge < polygon.length; edge++) {
          for (let y = 0; y < 4; y++) {
            const bit = Math.max(last[first + y][edge] + 1, 0);
            if (bit < COLS) words[y] ^= 1 << bit;
          }
          yield frame(`crossings of edge ${edge + 1}, one bit each`, edge);
        }
        for (const shift of [1, 2, 4, 8]) {
          words.forEach((word, y) => (words[y] ^= word << shift));
          yield frame(`w ^= w << ${shift}`);
        }
        for (let p = first * COLS; p < (first + 4) * COLS; p++) done[p] = bitOf(p);
        yield frame("each bit becomes a byte of the mask");
      }
      yield { mask, text: "pixels on a vertex take the border value" };
    },
  },
};
