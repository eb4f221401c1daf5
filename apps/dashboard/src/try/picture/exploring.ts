import { html, svg, type TemplateResult } from "lit-html";
import type { JointAnswer, Tone } from "./explore.ts";
import { jointOf, toned } from "./explorer.ts";
import type { Measured } from "./measure.ts";
import type { Pixels } from "./pixels.ts";

const CHANNELS: readonly string[] = ["red", "green", "blue", "alpha"];
const TONES: readonly (readonly [kind: Tone["kind"], name: string])[] = [
  ["levels", "Levels"],
  ["equalize", "Equalize"],
  ["clahe", "CLAHE"],
];
const VALUES = 256;
const HEIGHT = 100;

/** The content of the sections about one picture. */
interface Exploring {
  readonly pixels: Pixels;
  readonly preview: HTMLCanvasElement;
  readonly plot: HTMLCanvasElement;
  tone: Tone["kind"];
  low: number;
  high: number;
  axes: [number, number];
  joint: JointAnswer | null;
  problem: string;
  /** A tone that was chosen while another was computed. */
  isWaiting: boolean;
  isWorking: boolean;
}

let exploring: Exploring | null = null;
let redraw: () => void = () => {};

/** Previews of tones, with levels on the histogram, and a plot of two channels together. */
export function explored(pixels: Pixels, measured: Measured, redrawn: () => void): TemplateResult {
  redraw = redrawn;
  if (exploring?.pixels !== pixels) begin(pixels);
  const { preview, plot, tone, axes, joint, problem } = exploring!;
  return html`<h2 id="tones">Tones</h2>
    <div class="fields choices" role="group" aria-labelledby="tones">
      ${TONES.map(
        ([kind, name]) =>
          html`<label class="check"><input type="radio" name="tone" value=${kind} .checked=${tone === kind} @change=${chosen} />${name}</label>`,
      )}
    </div>
    ${tone === "levels" ? levels(measured) : null}
    ${preview}
    <h2>Two channels together</h2>
    <div class="fields">${axes.map((_, which) => channelField(which))}</div>
    ${plot}
    ${joint === null ? null : html`<p class="legend">${legend(joint)}</p>`}
    <p id="information">${joint === null ? "" : information(joint)}</p>
    ${problem === "" ? null : html`<p class="absent">${problem}</p>`}`;
}

function begin(pixels: Pixels): void {
  const canvas = (label: string): HTMLCanvasElement => {
    const made = document.createElement("canvas");
    made.setAttribute("role", "img");
    made.setAttribute("aria-label", label);
    return made;
  };
  const preview = Object.assign(canvas("The picture with other tones"), {
    className: "picture",
    id: "preview",
  });
  Object.assign(preview, { width: pixels.width, height: pixels.height });
  const plot = Object.assign(canvas("Counts of two channels together"), { className: "joint", id: "joint" });
  Object.assign(plot, { width: VALUES, height: VALUES });
  exploring = {
    pixels,
    preview,
    plot,
    tone: "levels",
    low: 0,
    high: VALUES - 1,
    axes: [0, 1],
    joint: null,
    problem: "",
    isWaiting: false,
    isWorking: false,
  };
  void showTone(exploring);
  void showJoint(exploring);
}

/** The histogram of the colours with two handles. They are sliders, so the keyboard moves them, too. */
function levels({ counts }: Measured): TemplateResult {
  const { low, high } = exploring!;
  const tallest = Math.max(1, ...counts.slice(0, 3).flatMap((channel) => [...channel]));
  const path = (channel: Float64Array): string =>
    `M0 ${HEIGHT}${[...channel].map((count, value) => `V${HEIGHT * (1 - count / tallest)}H${value + 1}`).join("")}V${HEIGHT}Z`;
  const handle = (which: "low" | "high", value: number, name: string): TemplateResult =>
    html`<input type="range" class="handle" data-which=${which} min="0" max=${VALUES - 1} .value=${String(value)} aria-label=${name} @input=${moved} />`;
  return html`<div class="levels">
      <svg viewBox="0 0 ${VALUES} ${HEIGHT}" preserveAspectRatio="none" aria-hidden="true">
        ${counts.slice(0, 3).map((channel, i) => svg`<path d=${path(channel)} fill=${`var(--${CHANNELS[i]})`} />`)}
        ${[low, high].map((at) => svg`<line x1=${at + 0.5} x2=${at + 0.5} y1="0" y2=${HEIGHT} />`)}
      </svg>
      ${handle("low", low, "Black")} ${handle("high", high, "White")}
    </div>
    <p id="levels">${low} becomes black, and ${high} becomes white.</p>`;
}

function channelField(which: number): TemplateResult {
  const { axes } = exploring!;
  const change = (event: Event): void => {
    axes[which] = Number((event.target as HTMLSelectElement).value);
    void showJoint(exploring!);
  };
  return html`<label>${which === 0 ? "To the right" : "Upwards"}
    <select @change=${change}>${CHANNELS.map((name, i) => html`<option value=${i} ?selected=${axes[which] === i}>${name}</option>`)}</select></label>`;
}

function legend({ counts }: JointAnswer): string {
  const most = counts.reduce((largest, count) => Math.max(largest, count), 0);
  const scale = `from purple, one pixel, to yellow, ${most.toLocaleString("en")} pixels, on a logarithmic scale`;
  return `One dot per pair of values from 0 to 255, ${scale}.`;
}

function information({ information: bits, normalized }: JointAnswer): string {
  const mutual = `Mutual information: ${bits.toFixed(3)} bits.`;
  if (Number.isNaN(normalized)) return `${mutual} All pixels lie in one cell.`;
  return `${mutual} Normalized: ${normalized.toFixed(3)}, from 1 for independent channels to 2.`;
}

function chosen(event: Event): void {
  exploring!.tone = (event.target as HTMLInputElement).value as Tone["kind"];
  redraw();
  void showTone(exploring!);
}

/** A handle stops next to the other one. */
function moved(event: Event): void {
  const input = event.target as HTMLInputElement;
  const mine = exploring!;
  if (input.dataset.which === "low") mine.low = Math.min(Number(input.value), mine.high - 1);
  else mine.high = Math.max(Number(input.value), mine.low + 1);
  input.value = String(input.dataset.which === "low" ? mine.low : mine.high);
  redraw();
  void showTone(mine);
}

/** Computes the preview. Changes that arrive meanwhile are skipped, except the last one. */
async function showTone(mine: Exploring): Promise<void> {
  mine.isWaiting = true;
  if (mine.isWorking) return;
  mine.isWorking = true;
  while (mine.isWaiting) {
    mine.isWaiting = false;
    const { tone, low, high } = mine;
    await trying(mine, async () => {
      const pixels = await toned(mine.pixels, tone === "levels" ? { kind: tone, low, high } : { kind: tone });
      const { width, height } = mine.pixels;
      pen(mine.preview).putImageData(new ImageData(pixels, width, height), 0, 0);
      mine.preview.dataset.tone = tone === "levels" ? `${tone} ${low} ${high}` : tone;
    });
  }
  mine.isWorking = false;
}

async function showJoint(mine: Exploring): Promise<void> {
  const axes = [...mine.axes] as [number, number];
  await trying(mine, async () => {
    const joint = await jointOf(mine.pixels, axes);
    if (axes.join() !== mine.axes.join()) return;
    mine.joint = joint;
    pen(mine.plot).putImageData(heat(joint.counts), 0, 0);
    mine.plot.dataset.channels = axes.join(" ");
  });
}

/** Draws counts on a logarithmic scale: the first channel to the right, the second one upwards. */
function heat(counts: Float64Array): ImageData {
  const image = new ImageData(VALUES, VALUES);
  const tallest = Math.log1p(counts.reduce((most, count) => Math.max(most, count), 1));
  for (const [cell, count] of counts.entries()) {
    if (count === 0) continue;
    const [x, y] = [Math.floor(cell / VALUES), VALUES - 1 - (cell % VALUES)];
    image.data.set(colourOf(Math.log1p(count) / tallest), 4 * (y * VALUES + x));
  }
  return image;
}

/** Purple, red, orange and yellow, each brighter than the one before it. */
const HEAT = [
  [98, 58, 168],
  [204, 71, 120],
  [248, 149, 64],
  [255, 240, 110],
] as const;

/** @param part from 0 to 1 */
function colourOf(part: number): number[] {
  const at = Math.min(Math.floor(part * (HEAT.length - 1)), HEAT.length - 2);
  const along = part * (HEAT.length - 1) - at;
  const [from, to] = [HEAT[at]!, HEAT[at + 1]!];
  return [...from.map((value, i) => value + along * (to[i]! - value)), 255];
}

/** The pixels come from memory, so the canvas stays there. */
const pen = (canvas: HTMLCanvasElement): CanvasRenderingContext2D =>
  canvas.getContext("2d", { willReadFrequently: true })!;

async function trying(mine: Exploring, work: () => Promise<void>): Promise<void> {
  try {
    await work();
    mine.problem = "";
  } catch (error) {
    mine.problem = (error as Error).message;
  }
  if (mine === exploring) redraw();
}
