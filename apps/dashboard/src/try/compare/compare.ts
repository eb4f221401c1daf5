import { dot, pointer, ruleY, tip } from "@observablehq/plot";
import { html, type TemplateResult } from "lit-html";
import type { ListedBackend } from "../../../server/backends.ts";
import { median } from "../../data/median.ts";
import { figure, sizeOf } from "../../data/words.ts";
import { chart, isNarrow } from "../../show/chart.ts";
import { plain, select } from "../../show/controls.ts";
import { type Context, chosen } from "../../views/view.ts";
import { serverState, told, watchServer } from "../server/server.ts";
import { serverNote } from "../server/server-note.ts";
import { isAnnounced } from "./announced.ts";

/** One round as reported by the server. */
interface Round {
  readonly round: number;
  readonly total: number;
  readonly warm: boolean;
  readonly ms: number;
  readonly gbps: number;
  readonly algorithm: string;
  readonly device: string;
}

const POWERS: readonly string[] = ["16", "18", "20", "22", "24", "26", "28"];
const DISTRIBUTIONS: readonly string[] = ["uniform", "zeros", "ramp", "two"];
const ROUNDS: readonly string[] = ["20", "50", "200"];

const shown: {
  rounds: Round[];
  what: string;
  status: string;
  total: number;
  working: AbortController | null;
} = {
  rounds: [],
  what: "",
  status: "",
  total: 0,
  working: null,
};

let redraw: () => void = () => {};
const redrawIfShown = () => {
  if (document.getElementById("page")?.dataset.view === "bench") redraw();
};

/** Runs one cell on the local server, and shows every round as it arrives. */
export function compare(context: Context): TemplateResult {
  redraw = context.redraw;
  watchServer(redrawIfShown);
  const state = serverState();
  const backends = state.kind === "here" ? state.backends.filter(({ available }) => available) : [];
  return html`${serverNote()} ${backends.length === 0 ? null : form(context, backends)}
    <p id="status" role="status">${shown.status}</p>
    ${shown.working === null ? null : html`<progress id="progress" max=${shown.total || 1} value=${shown.rounds.length} aria-label="Finished rounds"></progress>`}
    ${shown.rounds.length === 0 ? null : rounds(context.width)}`;
}

function form(context: Context, backends: readonly ListedBackend[]): TemplateResult {
  const ids = backends.map(({ id }) => id);
  const backend = chosen(context, "backend", ids);
  const slugs = ["auto", ...backends.find(({ id }) => id === backend)!.algorithms];
  const algorithm = chosen(context, "algorithm", slugs);
  const power = chosen(context, "power", POWERS, "24");
  const distribution = chosen(context, "distribution", DISTRIBUTIONS);
  const count = chosen(context, "rounds", ROUNDS);
  const body = { backend, algorithm, distribution, power: Number(power), rounds: Number(count) };
  return html`<div class="fields">
    ${select("Backend", plain(ids), backend, (value) => context.select({ backend: value, algorithm: null }))}
    ${select("Algorithm", plain(slugs), algorithm, (value) => context.select({ algorithm: value }))}
    ${select(
      "Bytes",
      POWERS.map((value) => ({ value, label: sizeOf(2 ** Number(value)) })),
      power,
      (value) => context.select({ power: value }),
    )}
    ${select("Distribution", plain(DISTRIBUTIONS), distribution, (value) => context.select({ distribution: value }))}
    ${select("Rounds", plain(ROUNDS), count, (value) => context.select({ rounds: value }))}
    ${oneButton(body)}
  </div>`;
}

/** One button runs and stops, so that it keeps the focus. */
function oneButton(body: Readonly<Record<string, string | number>>): TemplateResult {
  const idle = shown.working === null;
  const pressed = () => (shown.working === null ? void run(body) : shown.working.abort());
  return html`<button id=${idle ? "run" : "stop"} class=${idle ? "main" : ""} type="button" @click=${pressed}>${idle ? "Run" : "Stop"}</button>`;
}

async function run(body: Readonly<Record<string, string | number>>): Promise<void> {
  const mine = new AbortController();
  const what = `${body.backend} ${body.algorithm}, ${sizeOf(2 ** Number(body.power))} bytes, ${body.distribution}`;
  Object.assign(shown, { rounds: [], total: 0, what, working: mine, status: `Asking the server: ${what}.` });
  redraw();
  try {
    const headers = { "content-type": "application/json" };
    const init = { body: JSON.stringify(body), headers, signal: mine.signal };
    for await (const event of told("api/bench", init)) {
      if (event.event === "queued") shown.status = `Waiting. Jobs ahead of this one: ${event.before}.`;
      if (event.event === "stage") shown.status = `Preparing: ${event.stage}.`;
      if (event.event === "round") {
        const round = event as unknown as Round;
        shown.rounds.push(round);
        shown.total = round.total;
        if (isAnnounced(round)) shown.status = `Round ${round.round} of ${round.total}.`;
      }
      redrawSoon();
    }
    shown.status = `${what}: done, and every round was exact.`;
  } catch (error) {
    shown.status = mine.signal.aborted
      ? `Stopped after ${shown.rounds.length} rounds.`
      : `The benchmark failed: ${(error as Error).message}`;
  }
  shown.working = null;
  redrawIfShown();
}

let waiting = false;

/** Rounds may arrive faster than frames. */
function redrawSoon(): void {
  if (waiting) return;
  waiting = true;
  requestAnimationFrame(() => {
    waiting = false;
    redrawIfShown();
  });
}

function rounds(width: number): TemplateResult {
  const warm = shown.rounds.filter((round) => round.warm);
  const middle = warm.length === 0 ? null : median(warm.map(({ gbps }) => gbps));
  const last = shown.rounds.at(-1)!;
  return html`<ul class="cards">
      <li><strong>${middle === null ? "–" : `${figure(middle)} GB/s`}</strong><span>median of ${warm.length} warm rounds, the whole call</span></li>
      <li><strong>${last.algorithm}</strong><span>on ${last.device}</span></li>
    </ul>
    ${chart({
      title: `GB/s of each round: ${shown.what}`,
      width,
      options: {
        height: isNarrow(width) ? 240 : 300,
        marginLeft: 56,
        x: { label: "round", domain: [0, Math.max(last.total, 2)], ticks: isNarrow(width) ? 5 : 10 },
        y: { label: "GB/s", zero: true, grid: true, tickFormat: figure },
        marks: [
          ...(middle === null
            ? []
            : [ruleY([middle], { stroke: "var(--series-1)", strokeDasharray: "4 3" })]),
          dot(shown.rounds, {
            x: "round",
            y: "gbps",
            fill: (d: Round) => (d.warm ? "var(--series-0)" : "var(--quiet)"),
            r: 3,
          }),
          tip(
            shown.rounds,
            pointer({
              x: "round",
              y: "gbps",
              title: (d: Round) =>
                `${figure(d.ms)} ms, ${figure(d.gbps)} GB/s${d.warm ? "" : " (warming up)"}`,
            }),
          ),
        ],
      },
      columns: ["round", "ms", "GB/s", "in the median"],
      numbers: [0, 1, 2],
      rows: shown.rounds.map(({ round, ms, gbps, warm: counts }) => [
        round,
        figure(ms),
        figure(gbps),
        counts ? "yes" : "no, warming up",
      ]),
    })}`;
}
