import { openEngine } from "@polybin/core";
import { webgpu } from "@polybin/webgpu";

const element = (id) => document.getElementById(id);
const CHANNELS = ["red", "green", "blue", "alpha"];

// One engine for the whole life of the page, or until its device is lost. Where WebGPU is missing, core's CPU takes
// over, and `engine.skipped` says why; so it does where the browser's GPU is one that the CPU imitates, unless the
// address ends in ?fallback.
const fallback = new URLSearchParams(location.search).has("fallback");
const open = () => openEngine({ backends: [webgpu()], fallback });
let opening = open();

/** The channels of the picture that is shown: { name, histogram } each. */
let shown = [];
/** Stops the count of the picture before. */
let current = new AbortController();

/**
 * The pixels as the file stores them: RGBA, neither colour-managed nor multiplied by alpha on decoding. (A 2D
 * canvas itself multiplies by alpha and divides again, so colours below a translucent pixel may differ by rounding.)
 */
async function pixelsOf(blob, signal) {
  const bitmap = await createImageBitmap(blob, { colorSpaceConversion: "none", premultiplyAlpha: "none" });
  signal.throwIfAborted();
  const { width, height } = bitmap;
  const canvas = element("picture");
  Object.assign(canvas, { width, height });
  const context = canvas.getContext("2d", { willReadFrequently: true });
  context.drawImage(bitmap, 0, 0);
  bitmap.close();
  return context.getImageData(0, 0, width, height);
}

/** Counts a picture and shows what came out. A picture that comes meanwhile takes its place. */
async function count(blob, name) {
  current.abort();
  current = new AbortController();
  const { signal } = current;
  element("status").textContent = `Counting ${name} …`;
  try {
    const [engine, pixels] = await Promise.all([opening, pixelsOf(blob, signal)]);
    // An ImageData says by itself how wide it is and that it has four channels of bytes.
    const histograms = await engine.histograms(pixels, { timings: true, signal });
    show(engine, pixels, name, histograms);
  } catch (error) {
    // A driver that was restarted, say: the next picture is counted on a new device.
    if (error.code === "ERR_DEVICE_LOST") opening = open();
    if (!signal.aborted) element("status").textContent = `${name} could not be counted: ${error.message}`;
  }
}

function show(engine, { width, height }, name, histograms) {
  const all = histograms.map((histogram, i) => ({ name: CHANNELS[i], histogram }));
  const opaque = histograms[3].counts[255] === width * height;
  shown = opaque ? all.slice(0, 3) : all;

  element("picture").hidden = false;
  element("picture").ariaLabel = name;
  element("result").hidden = false;
  element("status").textContent = engine.skipped.map(({ reason }) => `Not on the GPU: ${reason}`).join(" ");
  const { device, algorithm, timings } = histograms[0];
  facts({
    Picture: `${name}, ${width} × ${height}`,
    Device: device,
    Algorithm: algorithm,
    Time: `${timings.totalMs.toFixed(1)} ms, ${timings.kernelMs.toFixed(1)} ms of them counting`,
  });
  save({ name, width, height, backend: engine.backend, channels: all });
  draw();
}

function facts(entries) {
  element("facts").replaceChildren(
    ...Object.entries(entries).flatMap(([term, text]) => [
      Object.assign(document.createElement("dt"), { textContent: term }),
      Object.assign(document.createElement("dd"), { textContent: text }),
    ]),
  );
}

/** A histogram turns into JSON by itself (the UHI schema); `Histogram.fromJSON` reads it again. */
function save(result) {
  const link = element("save").firstChild ?? element("save").appendChild(document.createElement("a"));
  URL.revokeObjectURL(link.href);
  link.href = URL.createObjectURL(new Blob([JSON.stringify(result)], { type: "application/json" }));
  link.download = "histograms.json";
  link.textContent = "Save the counts as JSON";
}

const grouped = (number) => number.toLocaleString("en");

function draw() {
  const height = element("log").checked ? Math.log1p : (x) => x;
  const value = element("value").valueAsNumber;
  element("chosen").textContent = value;
  element("charts").innerHTML = shown
    .map(({ name, histogram: { counts } }) => {
      const most = Math.max(...counts);
      const bars = Array.from(counts, (x, bin) => `V${100 - (100 * height(x)) / height(most)}H${bin + 1}`);
      return `<figure class="chart" style="--colour: var(--${name})">
        <figcaption><h2>${name}</h2><span>${grouped(counts[value])} pixels at ${value}, at most ${grouped(most)}</span></figcaption>
        <svg viewBox="0 0 256 100" preserveAspectRatio="none" aria-hidden="true">
          <path d="M0,100${bars.join("")}V100Z" /><line x1="${value + 0.5}" x2="${value + 0.5}" y2="100" />
        </svg>
      </figure>`;
    })
    .join("");
}

element("log").addEventListener("change", draw);
element("value").addEventListener("input", draw);
element("file").addEventListener("change", ({ target }) => {
  const [file] = target.files;
  if (file) count(file, file.name);
});

/** Counts the sample, unless the reader opens a picture before it has arrived. */
async function sample() {
  const before = current;
  try {
    const blob = await (await fetch("./evening.png")).blob();
    if (current === before) await count(blob, "the sample");
  } catch (error) {
    if (current === before)
      element("status").textContent = `The sample could not be fetched: ${error.message}`;
  }
}
element("sample").addEventListener("click", sample);

// Dropped anywhere on the page: a picture that misses the field must not replace the page.
document.addEventListener("dragover", (event) => {
  event.preventDefault();
  element("drop").classList.add("over");
});
document.addEventListener("dragleave", () => element("drop").classList.remove("over"));
document.addEventListener("drop", (event) => {
  event.preventDefault();
  element("drop").classList.remove("over");
  const [file] = event.dataTransfer.files;
  if (file) count(file, file.name);
});

// The page opens with something to look at.
void sample();
