// The race: each lane fills its mask at its pace in the JSON. Nothing moves before Play is pressed,
// out of view, or in a hidden tab. Without JavaScript and on paper, the page has no race.
"use strict";
for (const race of document.querySelectorAll(".race")) {
  const { rows, lanes } = JSON.parse(race.querySelector(".paces").textContent);
  const field = race.querySelector(".lanes");
  const [play, restart, clock, time] = [".play", ".restart", ".clock", ".time"].map((name) =>
    race.querySelector(name),
  );
  const mask = new Image();
  const last = Math.max(...lanes.map((lane) => lane.seconds));
  const LARGEST = 160; // pixels of a lane
  const LEAST_FRAMES = 3; // a mask that takes fewer is too fast to draw
  let seconds = 0; // of measured time
  let playing = false;
  let inView = true;
  let frame = null;
  let before = null;
  let frameSeconds = 1 / 60;

  const unit = (value) => {
    if (value === 0) return "0 s";
    const [size, name] = [[1, "s"], [1e-3, "ms"], [1e-6, "µs"]].find(([s]) => value >= s) || [1e-9, "ns"];
    return `${(value / size).toFixed(value / size < 10 ? 2 : value / size < 100 ? 1 : 0)} ${name}`;
  };

  const build = () => {
    const scale = LARGEST / Math.max(mask.naturalWidth, mask.naturalHeight);
    for (const lane of lanes) {
      const box = document.createElement("div");
      box.className = "lane";
      lane.canvas = document.createElement("canvas");
      lane.canvas.width = Math.max(1, Math.round(mask.naturalWidth * scale));
      lane.canvas.height = Math.max(1, Math.round(mask.naturalHeight * scale));
      lane.canvas.setAttribute("role", "img");
      lane.canvas.setAttribute("aria-label", `${lane.key}: ${unit(lane.seconds)} a mask`);
      const name = document.createElement("strong");
      name.textContent = lane.key;
      lane.pace = document.createElement("span");
      lane.pace.textContent = `${unit(lane.seconds)} a mask`;
      lane.done = document.createElement("span");
      lane.done.className = "done";
      box.append(lane.canvas, name, lane.pace, lane.done);
      field.append(box);
    }
    draw();
  };

  const draw = () => {
    const factor = Number(clock.value);
    const ink = getComputedStyle(race).color; // for light or dark mode
    for (const lane of lanes) {
      const laps = seconds / lane.seconds;
      const whole = Math.floor(laps + 1e-12);
      const tooFast = whole > 0 && lane.seconds * factor < LEAST_FRAMES * frameSeconds;
      const row = Math.floor((laps - whole) * rows);
      const { canvas } = lane;
      const paint = canvas.getContext("2d");
      paint.imageSmoothingEnabled = mask.naturalWidth > canvas.width;
      paint.clearRect(0, 0, canvas.width, canvas.height);
      if (whole > 0) { // the previous mask, faint
        paint.globalAlpha = tooFast || lane.seconds === seconds ? 1 : 0.3;
        paint.drawImage(mask, 0, 0, canvas.width, canvas.height);
        paint.globalAlpha = 1;
      }
      const part = tooFast ? 0 : Math.max(0, laps - whole);
      if (part > 0) {
        const [from, to] = [part * mask.naturalHeight, part * canvas.height];
        paint.drawImage(mask, 0, 0, mask.naturalWidth, from, 0, 0, canvas.width, to);
        paint.fillStyle = ink; // the current row
        paint.fillRect(0, Math.min(Math.floor(to), canvas.height - 1), canvas.width, 1);
      }
      const masks = `${whole.toLocaleString("en")} mask${whole === 1 ? "" : "s"}`;
      lane.done.textContent = whole === 0 ? `row ${row} of ${rows}` : tooFast ? `${masks}, too fast to draw` : masks;
    }
    const over = seconds >= last ? ": the slowest has its mask" : "";
    time.textContent = `after ${unit(seconds)}${over}`;
    play.textContent = playing ? "Pause" : seconds > 0 && seconds < last ? "Go on" : "Play";
  };

  const step = (now) => {
    frame = null;
    if (!playing || !inView) return;
    // after a long gap, the tab was hidden, and the race paused
    const passed = before === null ? 0 : (now - before) / 1000;
    if (passed < 0.5) {
      seconds = Math.min(last, seconds + passed / Number(clock.value));
      if (passed > 0) frameSeconds = 0.9 * frameSeconds + 0.1 * passed;
    }
    before = now;
    if (seconds >= last) playing = false;
    draw();
    wake();
  };
  const wake = () => {
    if (playing && inView && frame === null) frame = requestAnimationFrame(step);
    if (!playing || !inView) before = null;
  };
  const show = () => {
    if (!field.childElementCount) build();
    field.hidden = false;
  };

  play.addEventListener("click", () => {
    show();
    playing = !playing;
    if (playing && seconds >= last) seconds = 0;
    before = null;
    draw();
    wake();
  });
  restart.addEventListener("click", () => {
    show();
    seconds = 0;
    before = null;
    draw();
    wake();
  });
  const again = () => {
    if (!field.hidden) draw();
  };
  clock.addEventListener("change", again);
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", again);
  new IntersectionObserver((entries) => {
    inView = entries[entries.length - 1].isIntersecting;
    wake();
  }).observe(race);
  mask.addEventListener("load", () => {
    race.hidden = false;
  });
  mask.src = document.getElementById(race.dataset.mask).getAttribute("href");
}
