import { html, type TemplateResult } from "lit-html";
import { fetched } from "../data/load.ts";
import { figure } from "../data/words.ts";
import { sign } from "../show/sign.ts";
import { table } from "../show/table.ts";
import type { Context } from "../views/view.ts";
import { type Counted, differences, type NotCounted } from "./counted.ts";
import { explored } from "./exploring.ts";
import { countOnGpu } from "./gpu.ts";
import { histogramCharts, isOpaque } from "./histogram-charts.ts";
import { type Pixels, pixelsOf } from "./pixels.ts";
import { serverState, settledServer, told, watchServer } from "./server.ts";
import { serverNote } from "./server-note.ts";
import { countOnWorkers, MANY } from "./workers.ts";

/** The result of a backend, and where it counted. */
interface Outcome {
  readonly where: "page" | "server";
  readonly result: Counted | NotCounted;
}

/** The content of the view. It survives a visit to another view. */
const shown: {
  pixels: Pixels | null;
  outcomes: Outcome[];
  status: string;
  log: boolean;
  working: AbortController | null;
} = { pixels: null, outcomes: [], status: "", log: false, working: null };

let redraw: () => void = () => {};

/** Lets the reader drop or choose a picture, and shows the result of every backend. */
export function picture(context: Context): TemplateResult {
  redraw = context.redraw;
  watchServer(redrawIfShown);
  const first = shown.outcomes.map(({ result }) => result).find(isCounted);
  return html`${serverNote()}
    <div class="drop" @dragover=${over} @dragleave=${left} @drop=${dropped}>
      <p>Drop a picture here. ${
        serverState().kind === "none"
          ? "It does not leave this page."
          : "Its pixels go to the local server of this page and nowhere else."
      }</p>
      <div class="fields">
        <label class="choose">Choose a picture<input id="file" type="file" accept="image/*" @change=${picked} /></label>
        <button id="sample" type="button" @click=${sample}>Use the sample</button>
        <button id="stop" type="button" aria-disabled=${shown.working === null ? "true" : "false"} @click=${stop}>Stop</button>
      </div>
    </div>
    <p id="status" role="status">${shown.status}</p>
    ${shown.pixels === null ? null : preview(shown.pixels)}
    ${shown.outcomes.length === 0 ? null : outcomes(shown.pixels!)}
    ${first === undefined || isOpaque(first) ? null : TRANSLUCENT}
    ${
      first === undefined
        ? null
        : html`<label class="check"><input id="log" type="checkbox" .checked=${shown.log} @change=${toggleLog} />Logarithmic heights</label>
          ${histogramCharts(context.width, first, shown.log)}
          ${explored(shown.pixels!, first, redrawIfShown)}`
    }`;
}

const redrawIfShown = () => {
  if (document.getElementById("page")?.dataset.view === "picture") redraw();
};

const TRANSLUCENT = html`<p class="absent" id="translucent">This picture has pixels that are not opaque. A canvas stores colours multiplied by alpha. Colours with alpha 0 therefore count as 0, and colours with other alpha below 255 may differ from the file's by rounding. <code>polybin hist</code> counts the file's own values.</p>`;

const isCounted = (result: Counted | NotCounted): result is Counted => "counts" in result;

function preview({ canvas, name }: Pixels): TemplateResult {
  canvas.className = "picture";
  canvas.setAttribute("role", "img");
  canvas.setAttribute("aria-label", name);
  return html`${canvas}`;
}

function outcomes({ width, height }: Pixels): TemplateResult {
  const cpu = shown.outcomes.find(
    ({ where, result }) => where === "page" && result.backend === "cpu",
  )?.result;
  const reference = cpu !== undefined && isCounted(cpu) ? cpu : null;
  const rows = shown.outcomes.map(({ where, result }) => {
    if (!isCounted(result)) return [`${result.backend} (${where})`, "–", "–", "–", "–", result.reason, ""];
    const best = Math.min(...result.ms);
    return [
      `${result.backend} (${where})`,
      agreement(result, reference),
      figure(best),
      figure((width * height) / best / 1000),
      figure(result.ms[0]!),
      result.device,
      result.algorithm,
    ];
  });
  return table(
    ["backend", "counts", "best ms", "million pixels/s", "first ms", "device or reason", "algorithm"],
    rows,
    {
      caption: `${width} x ${height} pixels, four channels, time of the whole call, best of three`,
      numbers: [2, 3, 4],
    },
  );
}

/** Compares a result with that of core's CPU on one worker, the only reference. */
function agreement(result: Counted, reference: Counted | null): TemplateResult {
  if (reference === null) return html`<span>no reference</span>`;
  if (result === reference) return html`<span>the reference</span>`;
  const bins = differences(result, reference);
  return bins === 0
    ? html`<span class="good">${sign(true)} equal</span>`
    : html`<strong class="bad">${sign(false)} ${bins} bins differ</strong>`;
}

/** Counts a picture on every backend in sequence. A new picture replaces the current one. */
async function count(name: string, load: () => Promise<Blob> | Blob): Promise<void> {
  shown.working?.abort();
  const mine = new AbortController();
  shown.working = mine;
  const tell = (status: string) => {
    shown.status = status;
    redrawIfShown();
  };
  const add = (outcome: Outcome) => {
    if (mine.signal.aborted) return;
    shown.outcomes.push(outcome);
    redrawIfShown();
  };
  Object.assign(shown, { pixels: null, outcomes: [] });
  tell(`Reading ${name}.`);
  try {
    const pixels = await pixelsOf(await load(), name);
    mine.signal.throwIfAborted();
    shown.pixels = pixels;
    for (const [backend, work] of [
      ["cpu", () => countOnWorkers(pixels, 1)],
      ["workers", () => countOnWorkers(pixels, MANY)],
      ["webgpu", () => countOnGpu(pixels)],
    ] as const) {
      tell(`Counting ${name}: ${backend}, in the page.`);
      const result = await work().catch((error: Error): NotCounted => ({ backend, reason: error.message }));
      mine.signal.throwIfAborted();
      add({ where: "page", result });
    }
    await onServer(pixels, mine.signal, tell, add);
    tell(`${name} is counted.`);
  } catch (error) {
    if (!mine.signal.aborted) tell(`${name} could not be counted: ${(error as Error).message}`);
  } finally {
    if (shown.working === mine) {
      shown.working = null;
      redrawIfShown();
    }
  }
}

async function onServer(
  { data, width, height, name }: Pixels,
  signal: AbortSignal,
  tell: (status: string) => void,
  add: (outcome: Outcome) => void,
): Promise<void> {
  const state = await settledServer();
  if (state.kind !== "here") return;
  for (const { id, available, reason } of state.backends) {
    if (!available) add({ where: "server", result: { backend: id, reason: reason ?? "not available" } });
  }
  const ids = state.backends.filter(({ available }) => available).map(({ id }) => id);
  if (ids.length === 0) return;
  const query = new URLSearchParams({ width: `${width}`, height: `${height}`, backends: ids.join(",") });
  const headers = { "content-type": "application/octet-stream" };
  try {
    for await (const event of told(`api/histogram?${query}`, { body: data, headers, signal })) {
      if (event.event === "backend") tell(`Counting ${name}: ${event.backend}, on the server.`);
      if (event.event === "result") add({ where: "server", result: event as unknown as Counted });
      if (event.event === "absent") {
        add({ where: "server", result: { backend: String(event.backend), reason: String(event.message) } });
      }
    }
  } catch (error) {
    if (!signal.aborted) {
      add({ where: "server", result: { backend: "server", reason: (error as Error).message } });
    }
  }
}

/** The button stays in place, so that the keyboard focus stays, too. */
function stop(): void {
  if (shown.working === null) return;
  shown.working.abort();
  shown.working = null;
  shown.status = "Stopped.";
  redraw();
}

function toggleLog(event: Event): void {
  shown.log = (event.target as HTMLInputElement).checked;
  redraw();
}

function picked(event: Event): void {
  const input = event.target as HTMLInputElement;
  const [file] = input.files ?? [];
  // Allows the same file to be chosen again.
  input.value = "";
  if (file) void count(file.name, () => file);
}

const sample = (): Promise<void> =>
  count("evening.png", async () => {
    const response = await fetched("evening.png");
    return response.blob();
  });

const area = (event: Event): HTMLElement => event.currentTarget as HTMLElement;

function over(event: DragEvent): void {
  event.preventDefault();
  area(event).classList.add("over");
}

function left(event: DragEvent): void {
  area(event).classList.remove("over");
}

function dropped(event: DragEvent): void {
  event.preventDefault();
  area(event).classList.remove("over");
  const file = event.dataTransfer?.files[0];
  if (file) void count(file.name, () => file);
}

// A picture dropped outside the area must not replace the page.
for (const name of ["dragover", "drop"]) addEventListener(name, (event) => event.preventDefault());
