import { cpuShow } from "./cpu.js";
import { findDevice, gpuShow } from "./gpu.js";

const QUERY = new URLSearchParams(location.search);
/** Pixels of the hills, and what a camera is asked for: of the address ("?size=1920x1080"), or these. */
const SIZE = QUERY.get("size")?.split("x").map(Number) ?? [1280, 720];
/** The levels go most of the way to new ones in this number of milliseconds, so that the picture does not flicker. */
const SETTLE_MS = 300;
/** Milliseconds between two frames for readers who want less motion. */
const CALM_MS = 1000;

const element = (id) => document.getElementById(id);
const isCalm = () => matchMedia("(prefers-reduced-motion: reduce)").matches;

const say = (text) => {
  element("status").textContent = text;
};

/** Says what is missing where the picture is. */
function note(text) {
  element("missing").textContent = text;
  element("missing").hidden = text === "";
}

/** A canvas keeps the kind of its first context, so that another way to draw takes new ones. */
function freshCanvases() {
  for (const id of ["view", "chart"]) element(id).replaceWith(element(id).cloneNode());
  return { view: element("view"), chart: element("chart") };
}

/** Shows frames on the GPU, or on the CPU if there is none. `?gpu` takes one that the CPU imitates, too. */
async function open() {
  const { device, missing } = await findDevice(QUERY.has("gpu"));
  if (device !== undefined) return gpuShow(device, freshCanvases());
  return onCpu(missing);
}

async function onCpu(missing) {
  const show = await cpuShow(freshCanvases());
  note(`No GPU: ${missing}. The CPU counts and stretches every frame instead, in a smaller size.`);
  element("measure").hidden = true;
  return show;
}

async function start() {
  let show = await open();
  /** What is shown now, so that another way to draw goes on with it. */
  let shown = () => show.showScene(SIZE);
  let running = true;
  let seen = 0;
  let before = 0;

  async function begin(what) {
    await what();
    shown = what;
    adjust();
  }

  function adjust() {
    element("clipped").textContent = `${element("clip").value}% at each end`;
    show.splitAt(element("split").valueAsNumber / 100);
  }

  async function frame(now) {
    if (!running) return;
    if (!isCalm() || now - before >= CALM_MS || before === 0) {
      const clip = element("clip").valueAsNumber / 100;
      const speed = 1 - Math.exp((before - now) / SETTLE_MS);
      before = now;
      try {
        await show.draw({ clip, speed });
        seen += 1;
      } catch (error) {
        say(`The frame was not drawn: ${error.message}`);
      }
    }
    requestAnimationFrame(frame);
  }
  const run = () => requestAnimationFrame(frame);

  async function attempt(work) {
    say("");
    try {
      await work();
    } catch (error) {
      say(error.message);
    }
  }

  async function showVideo(attach) {
    const video = Object.assign(document.createElement("video"), {
      muted: true,
      loop: true,
      playsInline: true,
    });
    await attach(video);
    await video.play();
    await begin(() => show.showVideo(video));
  }

  element("scene").addEventListener("click", () => attempt(() => begin(() => show.showScene(SIZE))));
  element("camera").addEventListener("click", () =>
    attempt(() =>
      showVideo(async (video) => {
        const size = { width: SIZE[0], height: SIZE[1] };
        video.srcObject = await navigator.mediaDevices.getUserMedia({ video: size }).catch((cause) => {
          throw new Error(`The camera is not available: ${cause.message}`, { cause });
        });
      }),
    ),
  );
  element("file").addEventListener("change", ({ target: { files } }) => {
    const [file] = files;
    if (file === undefined) return;
    attempt(() =>
      showVideo(async (video) => {
        video.src = URL.createObjectURL(file);
        await new Promise((resolve, reject) => {
          video.onloadeddata = resolve;
          video.onerror = () => reject(new Error(`${file.name} is no video that this browser plays`));
        });
      }),
    );
  });
  for (const id of ["split", "clip"]) element(id).addEventListener("input", adjust);
  element("measure").addEventListener("click", () =>
    attempt(async () => {
      running = false;
      element("measure").disabled = true;
      try {
        const rows = await show.measure(say);
        say("");
        element("figures").innerHTML = tableOf(rows);
        // A narrow page scrolls the table, by keyboard too.
        Object.assign(element("figures"), {
          hidden: false,
          tabIndex: 0,
          role: "group",
          ariaLabel: "Measured times",
        });
      } finally {
        element("measure").disabled = false;
        running = true;
        run();
      }
    }),
  );
  setInterval(() => {
    element("rate").textContent = running ? `${show.by}, frames per second: ${seen}` : "";
    seen = 0;
  }, 1000);
  show.lost?.then(async ({ reason, message }) => {
    if (reason === "destroyed") return;
    show = await onCpu(`the browser lost it: ${message}`);
    await attempt(() => begin(shown));
  });

  await begin(shown);
  run();
}

function tableOf(rows) {
  const cells = rows.map(
    ({ way, size, ms, framesPerSecond, busyMs }) =>
      `<tr><td>${size.join(" × ")}</td><td>${way}</td><td>${ms.toFixed(2)}</td><td>${framesPerSecond.toFixed(1)}</td><td>${busyMs.toFixed(2)}</td></tr>`,
  );
  return `<table><caption>Medians</caption><tr><th>Frame</th><th>Way</th><th>ms per frame</th><th>frames per second</th><th>ms on this thread</th></tr>${cells.join("")}</table>`;
}

start().catch((error) => note(`Nothing can be shown: ${error.message}`));
