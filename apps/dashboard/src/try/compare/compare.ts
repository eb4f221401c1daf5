import { html, type TemplateResult } from "lit-html";
import { figure } from "../../data/index.ts";
import type { Context } from "../../show/index.ts";
import { serverState, told, watchServer } from "../server/server.ts";
import { serverNote } from "../server/server-note.ts";
import { isAnnounced } from "./announced.ts";
import { form, nameOf } from "./form.ts";
import { letter, overlay } from "./overlay.ts";
import { type Recorded, recordedFor } from "./recorded.ts";
import { type Job, keepRuns, keptRuns, measuredRounds, type Round, type Run, spreadOf } from "./runs.ts";

const shown: {
  runs: Run[];
  /** The ids of the compared runs, the latest choice last. */
  compared: number[];
  status: string;
  working: AbortController | null;
  readonly recorded: Map<number, Recorded | null>;
} = {
  runs: keptRuns(),
  compared: [],
  status: "",
  working: null,
  recorded: new Map(),
};
shown.compared = shown.runs.slice(-2).map(({ id }) => id);

let redraw: () => void = () => {};
const redrawIfShown = (): void => {
  if (document.getElementById("page")?.dataset.view === "try/compare") redraw();
};

/** Runs jobs on the local server one after the other, keeps the runs, and shows two of them over each other. */
export function compare(context: Context): TemplateResult {
  redraw = context.redraw;
  watchServer(redrawIfShown);
  const state = serverState();
  const backends = state.kind === "here" ? state.backends.filter(({ available }) => available) : [];
  for (const run of shown.runs) void lookUp(run, context);
  const chosen = shown.compared.flatMap((id) => shown.runs.filter((run) => run.id === id));
  return html`${serverNote()} ${backends.length === 0 ? null : controls(context, backends)}
    ${progress()}
    <p id="status" role="status">${shown.status}</p>
    ${chosen.length === 0 ? null : html`${verdict(chosen)}${cards(chosen)}${overlay(chosen, context.width)}`}
    ${shown.runs.length === 0 ? hint(backends.length > 0) : list()}`;
}

/** Says what to do first. */
const hint = (canRun: boolean): TemplateResult | null =>
  canRun && shown.working === null
    ? html`<p class="absent">Nothing has run yet. Run one job, choose another backend, algorithm or distribution, and run again: both runs appear here, over each other.</p>`
    : null;

/** Looks a finished run up in the committed results once. */
async function lookUp(run: Run, { files }: Context): Promise<void> {
  const state = serverState();
  if (run.end === "running" || shown.recorded.has(run.id) || state.kind !== "here") return;
  shown.recorded.set(run.id, null);
  try {
    shown.recorded.set(run.id, await recordedFor(run, files, state.machine));
    redrawIfShown();
  } catch {
    // A file that cannot be read now is tried again.
    shown.recorded.delete(run.id);
  }
}

function controls(context: Context, backends: Parameters<typeof form>[1]): TemplateResult {
  const { job, fields } = form(context, backends);
  const idle = shown.working === null;
  const pressed = () => (shown.working === null ? void run(job) : shown.working.abort());
  // One button runs and stops, so that it keeps the focus.
  return html`<div class="fields">${fields}
    <button id=${idle ? "run" : "stop"} class=${idle ? "main" : ""} type="button" @click=${pressed}>${idle ? "Run" : "Stop"}</button></div>`;
}

/** Shows the true number of measured rounds. The status announces some of them only. */
function progress(): TemplateResult | null {
  const running = shown.runs.find(({ end }) => end === "running");
  if (running === undefined) return null;
  const done = measuredRounds(running).length;
  const { rounds } = running.job;
  const before = running.rounds.length - done;
  return html`<p class="running"><progress id="progress" max=${rounds} value=${done} aria-label="Measured rounds"></progress>
    <span id="count">${done} of ${rounds} rounds measured${before === 0 ? "" : `, after ${before} to warm up`}</span></p>`;
}

function replace(id: number, changes: Partial<Run>): void {
  shown.runs = shown.runs.map((run) => (run.id === id ? { ...run, ...changes } : run));
}

async function run(job: Job): Promise<void> {
  const mine = new AbortController();
  const id = Math.max(0, ...shown.runs.map((one) => one.id)) + 1;
  const rounds: Round[] = [];
  shown.working = mine;
  shown.runs = [...shown.runs, { id, job, rounds, copyGbps: null, end: "running" }];
  shown.compared = [...shown.compared.slice(-1), id];
  shown.status = `Asking the server: ${nameOf(job)}.`;
  redraw();
  try {
    const headers = { "content-type": "application/json" };
    const init = { body: JSON.stringify(job), headers, signal: mine.signal };
    for await (const event of told("api/bench", init)) {
      if (event.event === "queued") shown.status = `Waiting. Jobs ahead of this one: ${event.before}.`;
      if (event.event === "stage") shown.status = `Preparing: ${event.stage}.`;
      if (event.event === "ceiling") replace(id, { copyGbps: Number(event.gbps) });
      if (event.event === "round") {
        const round = event as unknown as Round;
        rounds.push(round);
        if (isAnnounced(round)) shown.status = `Round ${round.round} of ${round.total}.`;
      }
      redrawSoon();
    }
    replace(id, { end: "done" });
    shown.status = `${nameOf(job)}: done, and every round was exact.`;
  } catch (error) {
    const isStopped = mine.signal.aborted;
    replace(id, { end: isStopped ? "stopped" : "failed" });
    shown.status = isStopped
      ? `Stopped after ${rounds.length} rounds.`
      : `The benchmark failed: ${(error as Error).message}`;
    if (rounds.length === 0) remove(id);
  }
  shown.working = null;
  keepRuns(shown.runs);
  redrawIfShown();
}

/** Removes a run. The one that was compared before it takes its place if there is one. */
function remove(id: number): void {
  shown.runs = shown.runs.filter((run) => run.id !== id);
  shown.compared = shown.compared.filter((one) => one !== id);
  const other = shown.runs.findLast((run) => !shown.compared.includes(run.id));
  if (shown.compared.length < 2 && other !== undefined) shown.compared = [other.id, ...shown.compared];
  keepRuns(shown.runs);
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

/** Says how two runs compare. Quartiles that overlap decide nothing. */
function verdict(runs: readonly Run[]): TemplateResult | null {
  const [a, b] = runs.map(spreadOf);
  if (!a || !b) return null;
  const ratio = b.middle / a.middle;
  const isOpen = a.low <= b.high && b.low <= a.high;
  const faster = ratio >= 1 ? "B" : "A";
  const text = `${faster} is ${figure(Math.max(ratio, 1 / ratio))} times as fast as ${faster === "B" ? "A" : "B"} by their medians`;
  return html`<p id="verdict">${isOpen ? `${text}, but their quartiles overlap: more rounds may reverse their order.` : `${text}, and their quartiles do not overlap.`}</p>`;
}

function cards(runs: readonly Run[]): TemplateResult {
  return html`<ul class="cards">${runs.map((run, i) => card(run, letter(i)))}</ul>`;
}

function card(run: Run, name: string): TemplateResult {
  const spread = spreadOf(run);
  const last = run.rounds.at(-1);
  if (spread === null || last === undefined)
    return html`<li><strong>${name}: –</strong><span>no measured round yet</span></li>`;
  const { low, middle, high } = spread;
  return html`<li><strong>${name}: ${figure(middle)} GB/s</strong>
    <span>median of ${measuredRounds(run).length} rounds, quartiles ${figure(low)} to ${figure(high)} GB/s; ${last.algorithm}; backend with ${last.device}</span>
    <span class="share">${share(run, middle)}</span>
    <span class="recorded">${recorded(run)}</span></li>`;
}

/** The share of the ceiling: the plain copy in the memory of the host, or the recorded kernel that only reads. */
function share(run: Run, gbps: number): string {
  const read = shown.recorded.get(run.id)?.readGbps ?? null;
  const ceiling = run.copyGbps ?? read;
  if (ceiling === null) return "Ceiling: not measured for this memory.";
  const name =
    run.copyGbps === null
      ? "the recorded kernel that only reads"
      : "a plain copy of the same bytes by one thread";
  const percent = (100 * gbps) / ceiling;
  return percent > 100
    ? `Ceiling: invalid, because ${name} is slower than this run (${figure(ceiling)} GB/s).`
    : `${figure(percent)}% of the ceiling: ${name}, ${figure(ceiling)} GB/s.`;
}

function recorded({ id }: Run): string {
  const found = shown.recorded.get(id) ?? null;
  if (found === null) return "Recorded: nothing for this job on this machine.";
  const { gbps, file } = found;
  return `Recorded: ${figure(gbps)} GB/s on ${(file.date ?? "").slice(0, 10)} (${file.path}).`;
}

/** Lists all runs. Two of them can be compared; a third choice replaces the first. */
function list(): TemplateResult {
  const choose = (id: number) => (event: Event) => {
    const isChosen = (event.target as HTMLInputElement).checked;
    const others = shown.compared.filter((one) => one !== id);
    shown.compared = isChosen ? [...others.slice(-1), id] : others;
    redraw();
  };
  const drop = (id: number) => () => {
    remove(id);
    redraw();
    document.querySelector<HTMLElement>("h1")?.focus();
  };
  const rows = shown.runs.map((run) => {
    const spread = spreadOf(run);
    const at = shown.compared.indexOf(run.id);
    return html`<tr><td><label class="check"><input type="checkbox" data-run=${run.id} .checked=${at >= 0} aria-label=${`Compare run ${run.id}`} @change=${choose(run.id)} />${at >= 0 ? letter(at) : ""}</label></td>
      <th scope="row">${run.id}. ${nameOf(run.job)}</th>
      <td class="number">${spread === null ? "–" : figure(spread.middle)}</td>
      <td class="number">${spread === null ? "–" : `${figure(spread.low)} to ${figure(spread.high)}`}</td>
      <td class="number">${measuredRounds(run).length}</td><td>${run.end}</td>
      <td><button type="button" aria-label=${`Remove run ${run.id}`} aria-disabled=${run.end === "running" ? "true" : "false"} @click=${run.end === "running" ? null : drop(run.id)}>Remove</button></td></tr>`;
  });
  return html`<h2>Runs</h2>
    <div class="scroll" tabindex="0" role="group" aria-label="Runs"><table id="runs">
      <caption>Runs of this tab. Two of them are compared above.</caption>
      <thead><tr><th scope="col">compare</th><th scope="col">job</th><th scope="col" class="number">median GB/s</th><th scope="col" class="number">quartiles</th><th scope="col" class="number">rounds</th><th scope="col">end</th><th scope="col">remove</th></tr></thead>
      <tbody>${rows}</tbody></table></div>`;
}
