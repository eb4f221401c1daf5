import { greyOf } from "@polybin/pictures/grey";
import { html, type TemplateResult } from "lit-html";
import { binsOf, columnsFor, figure, type Mark, type Pin, type Series, sumOf } from "../figure/index.ts";
import type { Part } from "../part.ts";
import { values } from "../save.ts";
import { serverState, watchServer } from "../server/server.ts";
import { serverNote } from "../server/server-note.ts";
import { backendsTable } from "./backends-table.ts";
import { marksOf, measuredPart } from "./explorer.ts";
import { explored } from "./exploring.ts";
import type { Marked, Measured } from "./measure.ts";
import { type Outcome, summary } from "./outcomes.ts";
import { PERCENTILES, percentiles } from "./percentiles.ts";
import { levelsOf, type Pixels, type Region } from "./pixels.ts";
import { pictureWithRegion, regionFields } from "./region.ts";

/** Names and colours of the channels. */
export const CHANNELS: Readonly<Record<string, readonly [name: string, colour: string]>> = {
  r: ["red", "var(--red)"],
  g: ["green", "var(--green)"],
  b: ["blue", "var(--blue)"],
  a: ["alpha", "var(--alpha)"],
  grey: ["grey", "var(--text)"],
};
const LUMA: readonly [string, string] = ["luma", "var(--text)"];

interface State {
  measured: Measured;
  region: Region | null;
  readonly hidden: Set<string>;
  isLog: boolean;
  pointed: number | null;
  /** The pixel that the reader points at. */
  pixel: readonly [x: number, y: number] | null;
  marked: Marked;
  readonly outcomes: Outcome[];
  /** Whether other backends count, or have counted. */
  others: "no" | "counting" | "counted";
  problem: string;
}

/** Shows a picture with its histograms. Other backends count it once the reader opens their list. */
export async function picturePart(pixels: Pixels, redraw: () => void): Promise<Part> {
  const aborter = new AbortController();
  const marks = Object.assign(document.createElement("canvas"), { className: "marks" });
  marks.setAttribute("aria-hidden", "true");
  const state: State = {
    measured: await measuredPart(pixels, null),
    region: null,
    hidden: new Set(["alpha"]),
    isLog: false,
    pointed: null,
    pixel: null,
    marked: { low: false, high: false },
    outcomes: [],
    others: "no",
    problem: "",
  };
  const change = (changes: Partial<State>): void => {
    Object.assign(state, changes);
    redraw();
  };

  let isMeasuring = false;
  /** Measures the last region that was chosen. Those in between are skipped. */
  const choose = async (region: Region | null): Promise<void> => {
    change({ region });
    if (isMeasuring) return;
    isMeasuring = true;
    try {
      for (let wanted: Region | null | undefined; wanted !== state.region; ) {
        wanted = state.region;
        change({ measured: await measuredPart(pixels, wanted), problem: "" });
      }
    } catch (error) {
      change({ problem: (error as Error).message });
    }
    isMeasuring = false;
  };

  const mark = async (marked: Marked): Promise<void> => {
    change({ marked });
    const image = await marksOf(pixels, marked);
    if (marked !== state.marked) return;
    Object.assign(marks, { width: image.width, height: image.height });
    marks.getContext("2d")!.putImageData(image, 0, 0);
    marks.dataset.marks = `${marked.low ? "low" : ""} ${marked.high ? "high" : ""}`.trim();
  };

  const countOthers = async (): Promise<void> => {
    if (state.others !== "no") return;
    change({ others: "counting" });
    try {
      const { onBackends } = await import("./backends.ts");
      for await (const outcome of onBackends(pixels, aborter.signal)) {
        state.outcomes.push(outcome);
        redraw();
      }
      if (!aborter.signal.aborted) change({ others: "counted" });
    } catch (error) {
      change({
        others: "no",
        problem: `The other backends could not be loaded: ${(error as Error).message}`,
      });
    }
  };
  watchServer(redraw);
  // The list of the picture before it may be open.
  if (isOpen("backends")) void countOthers();

  const actions: Actions = {
    change,
    choose: (region) => void choose(region),
    mark,
    countOthers: () => void countOthers(),
    redraw,
  };
  return {
    render: (width) => view(pixels, state, marks, width, actions),
    close: () => aborter.abort(),
  };
}

interface Actions {
  change(changes: Partial<State>): void;
  choose(region: Region | null): void;
  mark(marked: Marked): Promise<void>;
  countOthers(): void;
  redraw(): void;
}

/** The width from which the picture is next to its histogram. */
const WIDE = 720;
const GAP = 24;

function view(
  pixels: Pixels,
  state: State,
  marks: HTMLCanvasElement,
  width: number,
  actions: Actions,
): TemplateResult {
  const { measured, region, outcomes, others, marked, problem } = state;
  const plot = width < WIDE ? width : Math.floor((width - GAP) * 0.6);
  const opened = (event: Event): void => {
    if ((event.target as HTMLDetailsElement).open) actions.countOthers();
  };
  const hasMarks = marked.low || marked.high;
  return html`<div class="columns" data-part="picture">
      <section aria-label="Histogram" class="plot">${histogram(pixels, state, plot, actions)}</section>
      <section aria-label="Picture" class="shown">
        ${pictureWithRegion(pixels, hasMarks ? marks : null, region, {
          choose: actions.choose,
          point: (pixel) => actions.change({ pixel }),
        })}
        <p class="facts">${facts(pixels, measured, region)}</p>
        ${clipping(pixels, state, actions)}
      </section>
    </div>
    ${problem === "" ? null : html`<p class="absent" role="alert">${problem}</p>`}
    ${pixels.isRounded && isTranslucent(measured, pixels) ? TRANSLUCENT : null}
    ${serverState().kind === "away" ? serverNote() : null}
    <details id="backends" @toggle=${opened}>
      <summary>${othersText(others, outcomes)}</summary>
      ${others === "no" ? null : backendsTable(pixels, outcomes)}
    </details>
    ${values(valuesOf(pixels, measured), isOpen("values"), actions.redraw)}
    <details id="region"><summary>Region by numbers</summary>${regionFields(pixels, region, actions.choose)}</details>
    <details id="percentiles"><summary>Percentiles of each channel</summary>${percentileTable(pixels, measured)}</details>
    ${isExplorable(pixels) ? html`<details id="explore" @toggle=${actions.redraw}><summary>Tones, and two channels together</summary>${isOpen("explore") ? explored(pixels, measured, actions.redraw) : null}</details>` : null}`;
}

function othersText(others: State["others"], outcomes: readonly Outcome[]): TemplateResult {
  const shown = summary(outcomes);
  const text =
    others === "no"
      ? "Count it on other backends, too"
      : others === "counting"
        ? `Counting on other backends: ${outcomes.length} done`
        : shown.text;
  return html`<span role="status" data-good=${String(others === "no" || shown.isGood)}>${text}</span>`;
}

const isOpen = (id: string): boolean => document.querySelector<HTMLDetailsElement>(`#${id}`)?.open === true;

/** Tones and joint counts work on red, green, blue and alpha of 8 bits. */
const isExplorable = ({ channels, data }: Pixels): boolean => channels === 4 && data instanceof Uint8Array;

const number = (value: number): string => value.toLocaleString("en");

function facts(pixels: Pixels, { pixels: counted }: Measured, region: Region | null): string {
  const { name, width, height } = pixels;
  const depth = levelsOf(pixels) === 256 ? "8 bits" : "16 bits";
  const whole = `${name}: ${number(width)} x ${number(height)} pixels, ${depth} per sample`;
  return region === null
    ? `${whole}. Point at the picture to see the bins of a pixel, and drag over it to count a region.`
    : `${whole}. Region of ${number(region.width)} x ${number(region.height)} at ${number(region.x)}, ${number(region.y)}: ${number(counted)} pixels.`;
}

/** The series of a picture: its colours, its luma and its alpha if that is not the same everywhere. */
function seriesOf(pixels: Pixels, measured: Measured): Series[] {
  const channels = pixels.names
    .map((channel, i) => {
      const [name, colour] = CHANNELS[channel]!;
      return { name, colour, counts: measured.counts[i]!, isLine: channel === "a" };
    })
    .filter(({ name }) => name !== "alpha" || isTranslucent(measured, pixels));
  if (measured.luma === null) return channels;
  const [name, colour] = LUMA;
  return [...channels, { name, colour, counts: measured.luma, isLine: true }];
}

/** The counts of every series, value by value. */
function valuesOf(pixels: Pixels, measured: Measured): Parameters<typeof values>[0] {
  const series = seriesOf(pixels, measured);
  return {
    name: `${pixels.name}-histogram`,
    columns: ["value", ...series.map(({ name }) => name)],
    length: levelsOf(pixels),
    row: (value) => [value, ...series.map(({ counts }) => counts[value]!)],
  };
}

/** Whether some pixels do not have the highest alpha. */
function isTranslucent({ counts, pixels: all }: Measured, { names }: Pixels): boolean {
  const alpha = counts[names.indexOf("a")];
  return alpha !== undefined && alpha.at(-1) !== all;
}

/** The histogram whose percentiles are on the plot. */
const mainOf = ({ luma, counts }: Measured): Float64Array => luma ?? counts[0]!;

/** In the order in which their labels take the room. */
const ON_PLOT: readonly number[] = [50, 5, 95, 25, 75, 1, 99];

/** Values whose ticks are drawn, as parts of all levels. Binary parts of a binary range are round. */
const TICKS: readonly number[] = [0, 1, 0.5, 0.25, 0.75];

function histogram(pixels: Pixels, state: State, width: number, { change }: Actions): TemplateResult {
  const { measured, hidden, isLog, pointed, pixel } = state;
  const all = seriesOf(pixels, measured);
  const levels = levelsOf(pixels);
  const values = percentiles(mainOf(measured));
  /** The middle of a value's bin. */
  const at = (value: number): number => (value + 0.5) / levels;
  const marks = ON_PLOT.map((percent): Mark => {
    const value = values[PERCENTILES.indexOf(percent)]!;
    return { at: at(value), label: `${percent}%` };
  });
  const ticks = TICKS.map((part): Mark => {
    const value = Math.min(levels - 1, part * levels);
    return { at: at(value), label: number(value) };
  });
  const toggle = (name: string): void => {
    if (!hidden.delete(name)) hidden.add(name);
    change({});
  };
  const found = pixel === null ? null : valuesAt(pixels, pixel);
  const pins = [...(found ?? [])]
    .filter(([name]) => !hidden.has(name))
    .map(([name, value]): Pin => ({ at: at(value), colour: all.find((one) => one.name === name)!.colour }));
  const read =
    found !== null
      ? `Pixel ${number(pixel![0])}, ${number(pixel![1])}: ${[...found].map(([name, value]) => `${name} ${number(value)}`).join(", ")}.`
      : pointed !== null
        ? reading(all, measured, pointed)
        : sentence(measured, values);
  return html`<div class="legend" role="group" aria-label="Series">
      ${all.map(
        ({
          name,
          colour,
        }) => html`<button type="button" class="chip" aria-pressed=${String(!hidden.has(name))} @click=${() => toggle(name)}>
          <svg viewBox="0 0 10 10" aria-hidden="true"><rect width="10" height="10" rx="2" fill=${colour} /></svg>${name}</button>`,
      )}
      <label class="check"><input id="log" type="checkbox" .checked=${isLog} @change=${(event: Event) => change({ isLog: (event.target as HTMLInputElement).checked })} />Logarithmic counts</label>
    </div>
    ${figure({
      title: `Histograms of ${all.map(({ name }) => name).join(", ")}, pixels by value from 0 to ${number(levels - 1)}`,
      width,
      series: all.filter(({ name }) => !hidden.has(name)),
      ticks,
      marks,
      pins,
      isLog,
      unit: "pixels",
      pointed,
      reading: read,
      point: (column) => change({ pointed: column }),
    })}
    <p class="reading">${read}</p>`;
}

/** The values of a pixel by the names of the series. */
function valuesAt(pixels: Pixels, [x, y]: readonly [number, number]): ReadonlyMap<string, number> {
  const { data, channels, width, names } = pixels;
  const from = (y * width + x) * channels;
  const samples = data.subarray(from, from + channels);
  const found = new Map<string, number>();
  for (const [i, name] of names.entries()) if (name !== "a") found.set(CHANNELS[name]![0], samples[i]!);
  if (channels >= 3) found.set(LUMA[0], greyOf(samples, channels)[0]! as number);
  return found;
}

/** Says what the percentiles on the plot are. */
function sentence({ luma }: Measured, values: readonly number[]): string {
  const of = (percent: number): string => number(values[PERCENTILES.indexOf(percent)]!);
  return `Dashed lines: percentiles of ${luma === null ? "grey" : "luma"}. Half of the pixels are at ${of(50)} or below, 90% lie from ${of(5)} to ${of(95)}.`;
}

function reading(all: readonly Series[], measured: Measured, column: number): string {
  const main = mainOf(measured);
  const bins = binsOf(column, columnsFor(main.length), main.length);
  const [first, last] = bins;
  const share = ((100 * sumOf(main, [0, last])) / measured.pixels).toFixed(1);
  const counts = all.map(({ name, counts: of }) => `${name} ${number(sumOf(of, bins))}`).join(", ");
  const values = first === last ? `Value ${number(first)}` : `Values ${number(first)} to ${number(last)}`;
  return `${values}: ${counts}. ${share}% of the pixels are here or below.`;
}

/** Two badges with the share of clipped pixels. They are switches that mark these pixels on the picture. */
function clipping(pixels: Pixels, { measured, marked }: State, { mark }: Actions): TemplateResult {
  const most = number(levelsOf(pixels) - 1);
  const badge = (end: "low" | "high", value: string): TemplateResult => {
    const clipped = measured.clipped[end];
    return html`<button type="button" class="badge" data-end=${end} data-clipped=${String(clipped > 0)} aria-pressed=${String(marked[end])}
      title=${`${number(clipped)} pixels have a colour at ${value}`} @click=${() => void mark({ ...marked, [end]: !marked[end] })}>
      <strong>${percentOf(clipped, measured.pixels)}</strong> clipped at ${value}</button>`;
  };
  return html`<div class="badges" role="group" aria-label="Clipped pixels, marked on the picture">${badge("low", "0")} ${badge("high", most)}</div>`;
}

/** A share in percent. A small one is not rounded to nothing. */
function percentOf(part: number, all: number): string {
  if (part === 0) return "0%";
  const percent = (100 * part) / all;
  return percent < 0.01 ? "<0.01%" : `${percent.toFixed(percent < 10 ? 2 : 1)}%`;
}

function percentileTable(pixels: Pixels, measured: Measured): TemplateResult {
  const rows = seriesOf(pixels, measured).map(({ name, counts }) => ({ name, values: percentiles(counts) }));
  return html`<div class="scroll" tabindex="0" role="group" aria-label="Percentiles"><table>
      <caption>Percentile p: at least p% of the pixels have this value or a smaller one</caption>
      <thead><tr><th scope="col">channel</th>${PERCENTILES.map((percent) => html`<th scope="col" class="number">${percent}%</th>`)}</tr></thead>
      <tbody>${rows.map(({ name, values }) => html`<tr><th scope="row">${name}</th>${values.map((value) => html`<td class="number">${number(value)}</td>`)}</tr>`)}</tbody>
    </table></div>`;
}

const TRANSLUCENT = html`<p class="absent" id="translucent">This picture has pixels that are not opaque. The browser stores their colours multiplied by alpha. Colours with alpha 0 therefore count as 0, and colours with other alpha may differ from the file's by rounding. PNG and TIFF are counted as stored, and so does <code>polybin hist</code> with all formats.</p>`;
