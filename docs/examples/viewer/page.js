import { openEngine } from "@polybin/core";
import { webgpu } from "@polybin/webgpu";
import { canvasWay } from "./measure/canvas.js";
import { CLIP, compare } from "./measure/compare.js";
import { createScene } from "./scene.js";
import { createViewer } from "./viewer.js";

/** Pixels of the hills, and what a camera is asked for: of the address ("?size=1920x1080"), or these. */
const SIZE = new URLSearchParams(location.search).get("size")?.split("x").map(Number) ?? [1280, 720];
const MEASURED = [
  [640, 480],
  [1280, 720],
];
/** Frames of a round of the measurement. */
const FRAMES = 10;
/** The levels go most of the way to new ones in this number of milliseconds, so that the picture does not flicker. */
const SETTLE_MS = 300;

const element = (id) => document.getElementById(id);

async function open() {
  const adapter = await navigator.gpu?.requestAdapter({ powerPreference: "high-performance" });
  if (!adapter) throw new Error("expected a browser with WebGPU and a GPU, but found none");
  const device = await adapter.requestDevice();
  device.addEventListener("uncapturederror", ({ error }) => console.error(error.message));
  device.lost.then(({ reason, message }) => {
    if (reason !== "destroyed") say(`The GPU is gone: ${message} Reload the page.`);
  });
  return { device, engine: await openEngine({ backend: webgpu({ device }) }) };
}

const say = (text) => {
  element("status").textContent = text;
};

function contextOf(canvas, device, format) {
  const context = canvas.getContext("webgpu");
  context.configure({ device, format });
  return context;
}

async function start() {
  const { device, engine } = await open();
  const format = navigator.gpu.getPreferredCanvasFormat();
  Object.assign(element("chart"), { width: 768, height: 128 });
  const view = contextOf(element("view"), device, format);
  const chart = contextOf(element("chart"), device, format);
  /** What is shown: a viewer of its size, and what fills its frame. */
  let shown;
  let seen = 0;

  async function show(size, filler) {
    const viewer = await createViewer(device, engine, { size, format });
    const fill = await filler(viewer);
    shown?.viewer.destroy();
    Object.assign(view.canvas, { width: size[0], height: size[1] });
    shown = { viewer, fill, size };
    adjust();
  }

  const showScene = () =>
    show(SIZE, async ({ frame }) => {
      const scene = await createScene(device, frame);
      return (encoder) => scene.paint(encoder, performance.now() / 1000);
    });

  async function showVideo(attach) {
    const video = Object.assign(document.createElement("video"), {
      muted: true,
      loop: true,
      playsInline: true,
    });
    await attach(video);
    await video.play();
    const size = [video.videoWidth, video.videoHeight];
    await show(size, ({ frame }) => () => {
      device.queue.copyExternalImageToTexture({ source: video }, { texture: frame }, size);
    });
  }

  function adjust() {
    element("clipped").textContent = `${element("clip").value}%`;
    shown.viewer.splitAt((shown.size[0] * element("split").valueAsNumber) / 100);
  }

  let before = 0;
  async function frame(now) {
    const { viewer, fill } = shown;
    viewer.set({
      clip: element("clip").valueAsNumber / 100,
      speed: 1 - Math.exp((before - now) / SETTLE_MS),
    });
    before = now;
    const encoder = device.createCommandEncoder();
    fill(encoder);
    await viewer.measure(encoder);
    viewer.show(encoder, view.getCurrentTexture().createView());
    viewer.chart(encoder, chart.getCurrentTexture().createView());
    device.queue.submit([encoder.finish()]);
    seen += 1;
    // The next frame does not begin before this one is drawn, so that a slow GPU falls behind by one frame at most.
    await device.queue.onSubmittedWorkDone();
    if (running) requestAnimationFrame(frame);
  }
  let running = true;
  const run = () => requestAnimationFrame(frame);

  async function measure() {
    running = false;
    element("measure").disabled = true;
    const rows = [];
    for (const size of MEASURED) {
      say(`Measuring ${size.join(" × ")} …`);
      const others = { getImageData: await canvasWay(size, CLIP) };
      rows.push(...(await compare(device, engine, { size, frames: FRAMES, others })));
    }
    say("");
    element("figures").innerHTML = tableOf(rows);
    element("measure").disabled = false;
    running = true;
    run();
  }

  async function attempt(work) {
    say("");
    try {
      await work();
    } catch (error) {
      say(error.message);
    }
  }
  element("scene").addEventListener("click", () => attempt(showScene));
  element("camera").addEventListener("click", () =>
    attempt(() =>
      showVideo(async (video) => {
        video.srcObject = await navigator.mediaDevices.getUserMedia({
          video: { width: SIZE[0], height: SIZE[1] },
        });
      }),
    ),
  );
  element("file").addEventListener("change", ({ target: { files } }) => {
    if (files[0])
      attempt(() => showVideo(async (video) => Object.assign(video, { src: URL.createObjectURL(files[0]) })));
  });
  for (const id of ["split", "clip"]) element(id).addEventListener("input", adjust);
  element("measure").addEventListener("click", () => attempt(measure));
  setInterval(() => {
    element("rate").textContent = running ? `frames per second: ${seen}` : "";
    seen = 0;
  }, 1000);

  await showScene();
  run();
}

function tableOf(rows) {
  const cells = rows.map(
    ({ way, size, ms, framesPerSecond, busyMs }) =>
      `<tr><td>${size.join(" × ")}</td><td>${way}</td><td>${ms.toFixed(2)}</td><td>${framesPerSecond.toFixed(1)}</td><td>${busyMs.toFixed(2)}</td></tr>`,
  );
  return `<table><caption>Medians</caption><tr><th>Frame</th><th>Way</th><th>ms per frame</th><th>frames per second</th><th>ms on this thread</th></tr>${cells.join("")}</table>`;
}

start().catch((error) => say(error.message));
