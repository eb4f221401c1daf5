import { html, type TemplateResult } from "lit-html";
import { figure, type Mark, type Series } from "../figure/index.ts";
import type { Part } from "../part.ts";
import { PERCENTILES, percentiles } from "../picture/percentiles.ts";
import type { FrameCounter, FrameCounts } from "./counter.ts";
import { framesOf } from "./frames.ts";
import { counterOnWorker } from "./on-worker.ts";
import { Rate } from "./rate.ts";

type Where = "gpu" | "worker";

const SIZES: readonly (readonly [width: number, height: number])[] = [
  [640, 480],
  [1280, 720],
];
const SERIES: readonly Omit<Series, "counts">[] = [
  { name: "red", colour: "var(--red)" },
  { name: "green", colour: "var(--green)" },
  { name: "blue", colour: "var(--blue)" },
  { name: "luma", colour: "var(--text)", isLine: true },
];
/** Milliseconds between two plots. Drawing more of them takes time from counting. */
const PLOT_MS = 60;
/** The same for readers who want less motion. */
const CALM_MS = 1000;

interface State {
  where: Where;
  size: number;
  counts: FrameCounts | null;
  shownAt: number;
  isLog: boolean;
  pointed: number | null;
  problem: string;
  isRunning: boolean;
  readonly gpu: "none" | "software" | "hardware";
}

/** Shows the camera with a live histogram. Each frame is counted while it is shown, and late frames are dropped. */
export async function cameraPart(redraw: () => void): Promise<Part> {
  const video = Object.assign(document.createElement("video"), { muted: true, playsInline: true });
  video.setAttribute("aria-label", "The camera");
  const { gpuKind, counterOnGpu } = await import("./on-gpu.ts");
  const gpu = await gpuKind();
  const state: State = {
    // A CPU that computes what a GPU would is slower than a worker.
    where: gpu === "hardware" ? "gpu" : "worker",
    size: 0,
    counts: null,
    shownAt: 0,
    isLog: false,
    pointed: null,
    problem: "",
    isRunning: true,
    gpu,
  };
  let rate = new Rate();
  let counter: FrameCounter | null = null;
  let stream: MediaStream | null = null;
  let isClosed = false;
  /** Grows with each start, so that frames of an earlier one are ignored. */
  let run = 0;

  const stop = (): void => {
    run += 1;
    for (const track of stream?.getTracks() ?? []) track.stop();
    stream = null;
    counter?.close();
    counter = null;
    state.isRunning = false;
  };

  const start = async (): Promise<void> => {
    stop();
    const mine = run;
    rate = new Rate();
    const [width, height] = SIZES[state.size]!;
    const opened = await openCamera(width, height);
    const made = state.where === "gpu" ? await counterOnGpu() : counterOnWorker();
    if (mine !== run || isClosed) {
      for (const track of opened.getTracks()) track.stop();
      made.close();
      return;
    }
    stream = opened;
    counter = made;
    video.srcObject = opened;
    await video.play();
    Object.assign(state, { isRunning: true, problem: "" });
    follow(mine, opened.getVideoTracks()[0]!, made).catch((error: Error) => {
      if (mine !== run) return;
      stop();
      change({ problem: `the camera was stopped: ${error.message}` });
    });
    redraw();
  };

  /** Counts frame after frame, until the camera ends. */
  const follow = async (mine: number, track: MediaStreamTrack, by: FrameCounter): Promise<void> => {
    const { frameRate = 30 } = track.getSettings();
    let last: number | null = null;
    for await (const { frame, at } of framesOf(video, track)) {
      if (mine !== run) {
        frame.close();
        return;
      }
      if (!video.isConnected && rate.counted > 0) {
        // The reader left. The camera must not stay on.
        frame.close();
        stop();
        return;
      }
      if (last !== null) rate.dropped += Math.max(0, Math.round((at - last) * frameRate) - 1);
      last = at;
      const begun = performance.now();
      const counts = await by.count(frame);
      if (mine !== run) return;
      const now = performance.now();
      rate.count(now, now - begun);
      if (now - state.shownAt < (isCalm() ? CALM_MS : PLOT_MS)) continue;
      change({ counts, shownAt: now });
    }
    throw new Error("it delivers no more frames");
  };

  const change = (changes: Partial<State>): void => {
    Object.assign(state, changes);
    redraw();
  };
  /** Starts follow each other, because a camera may not open while it is opened. The last choice counts. */
  let starting: Promise<void> = Promise.resolve();
  let wanted = 0;
  const restart = (changes: Partial<State>): void => {
    Object.assign(state, changes);
    const mine = ++wanted;
    starting = starting
      .then(() => (mine === wanted ? start() : undefined))
      .catch((error: Error) => change({ problem: error.message, isRunning: false }));
  };

  const ended = (): void => {
    stop();
    redraw();
  };
  await start();
  return {
    render: (width) => view(video, state, rate, width, { change, restart, stop: ended }),
    close() {
      isClosed = true;
      stop();
    },
  };
}

const isCalm = (): boolean => matchMedia("(prefers-reduced-motion: reduce)").matches;

/** Reasons by the names of the browser's errors. */
const REASONS: Readonly<Record<string, string>> = {
  NotAllowedError: "the browser was not allowed to use it; allow the camera for this page",
  NotFoundError: "this machine has none",
  NotReadableError: "another program uses it",
  OverconstrainedError: "it does not have this size",
};

async function openCamera(width: number, height: number): Promise<MediaStream> {
  if (navigator.mediaDevices === undefined) {
    throw new Error("a browser gives a camera only to pages from https: or from this machine");
  }
  const size = { width: { ideal: width }, height: { ideal: height } };
  return navigator.mediaDevices.getUserMedia({ video: size, audio: false }).catch((cause: Error) => {
    throw new Error(REASONS[cause.name] ?? cause.message, { cause });
  });
}

interface Actions {
  change(changes: Partial<State>): void;
  restart(changes: Partial<State>): void;
  stop(): void;
}

const WIDE = 720;
const GAP = 24;

function view(
  video: HTMLVideoElement,
  state: State,
  rate: Rate,
  width: number,
  actions: Actions,
): TemplateResult {
  const plot = width < WIDE ? width : Math.floor((width - GAP) * 0.6);
  return html`<div class="columns" data-part="camera" data-counted=${rate.counted} data-dropped=${rate.dropped} data-fastest=${rate.fastestMs.toFixed(1)}>
      <section aria-label="Histogram" class="plot">${histogram(state, plot, actions)}</section>
      <section aria-label="Camera" class="shown">
        <div class="frame">${video}</div>
        <p class="facts" id="rate">${sentence(video, state, rate)}</p>
        ${controls(state, actions)}
      </section>
    </div>
    ${state.problem === "" ? null : html`<p class="absent" role="alert">${state.problem}</p>`}`;
}

function sentence(video: HTMLVideoElement, { where, isRunning }: State, rate: Rate): string {
  const by = where === "gpu" ? "WebGPU" : "one worker";
  const size = `${video.videoWidth} x ${video.videoHeight} pixels`;
  if (!isRunning) return `${size}. Stopped after ${rate.counted} frames; ${rate.dropped} were dropped.`;
  return `${size}, ${rate.perSecond(performance.now())} frames per second counted by ${by}. ${rate.counted} counted, ${rate.dropped} dropped.`;
}

function controls({ where, size, gpu, isRunning }: State, { restart, stop }: Actions): TemplateResult {
  const note = { none: ": not available", software: ": a CPU computes it", hardware: "" }[gpu];
  return html`<div class="fields">
    <label class="field"><span>Counted by</span><select id="where" @change=${(event: Event) => restart({ where: (event.target as HTMLSelectElement).value as Where })}>
      <option value="worker" .selected=${where === "worker"}>One worker</option>
      <option value="gpu" ?disabled=${gpu === "none"} .selected=${where === "gpu"}>WebGPU${note}</option></select></label>
    <label class="field"><span>Size</span><select id="size" @change=${(event: Event) => restart({ size: Number((event.target as HTMLSelectElement).value) })}>
      ${SIZES.map(([w, h], i) => html`<option value=${i} .selected=${i === size}>${w} x ${h}</option>`)}</select></label>
    <button id="pause" type="button" @click=${() => (isRunning ? stop() : restart({}))}>${isRunning ? "Stop" : "Start"}</button>
  </div>`;
}

function histogram(state: State, width: number, { change }: Actions): TemplateResult {
  const { counts, isLog, pointed } = state;
  if (counts === null) return html`<p class="facts">Waiting for the first frame.</p>`;
  const values = percentiles(counts[3]!);
  const marks = [50, 5, 95, 25, 75].map((percent): Mark => {
    const value = values[PERCENTILES.indexOf(percent)]!;
    return { at: (value + 0.5) / 256, label: `${percent}%` };
  });
  const series = SERIES.map((one, i) => ({ ...one, counts: counts[i]! }));
  const read = series.map(({ name, counts: of }) => `${name} ${of[pointed ?? 0]!.toLocaleString("en")}`);
  const reading =
    pointed === null ? "Dashed lines: percentiles of luma." : `Value ${pointed}: ${read.join(", ")}.`;
  return html`<div class="legend">
      ${SERIES.map(
        ({ name, colour }) =>
          html`<span class="key"><svg viewBox="0 0 10 10" aria-hidden="true"><rect width="10" height="10" rx="2" fill=${colour} /></svg>${name}</span>`,
      )}
      <label class="check"><input id="log" type="checkbox" .checked=${isLog} @change=${(event: Event) => change({ isLog: (event.target as HTMLInputElement).checked })} />Logarithmic counts</label>
    </div>
    ${figure({
      title: "Live histograms of red, green, blue and luma, pixels by value from 0 to 255",
      width,
      series,
      ticks: [0, 255, 128, 64, 192].map((value): Mark => ({ at: (value + 0.5) / 256, label: `${value}` })),
      marks,
      isLog,
      unit: "pixels",
      pointed,
      reading,
      point: (column) => change({ pointed: column }),
    })}
    <p class="reading">${reading}</p>`;
}
