import { html, type TemplateResult } from "lit-html";
import {
  type Comparison,
  dayOf,
  type FileEntry,
  figure,
  hostOf,
  neighbour,
  newestFirst,
  programOf,
  type Row,
  rowsOf,
  slugOf,
  TASKS,
  type TaskRow,
  type TaskTable,
  taskTable,
  threadsOf,
  verdictOf,
} from "../data/index.ts";
import { type Cell, type Context, chosen, select, table, type View } from "../show/index.ts";
import { browserCell, browserPart, hasBrowser } from "./browser-column.ts";
import { cellLink } from "./cell-link.ts";

/** The file of each machine that the overview reads. */
const NAME = "tasks";

interface Machine {
  readonly file: FileEntry;
  readonly table: TaskTable;
}

/** The tasks that people have, and how much faster they are here than by other programs. */
export const overview: View = {
  id: "overview",
  title: "Overview",
  question: "How much faster does polybin do what you do?",
  about:
    "A number says how many times as fast polybin does the same task on the same machine, in the same run, with as many threads: 2× is half the time, and below 1× polybin is slower, in red. A dash: this program was not measured at this task, because it cannot do it or was not there. All programs count the same samples, and their counts were compared with exact ones first. Times are medians of whole calls until the counts are in memory.",
  reads: "nothing",
  basis: null,
  async render(context) {
    const machines = await measured(context);
    const [best] = machines;
    if (best === undefined)
      return html`<p class="absent">No machine has measured the tasks. <code>npm start -- bench --suite tasks</code> measures this one.</p>`;
    const folder = chosen(
      context,
      "machine",
      machines.map(({ file }) => file.folder),
    );
    const shown = machines.find(({ file }) => file.folder === folder)!;
    const choices = machines.map(({ file }) => ({
      value: file.folder,
      label: `${hostOf(file)}, ${dayOf(file)}`,
    }));
    return html`<p id="verdict"><strong>${sentence(shown)}</strong></p>
      ${drawn(shown)}
      <div class="fields">
        ${select("Machine", choices, folder, (value) => context.select({ machine: value }))}
        ${browserPart(context.redraw)}
      </div>
      <p><a href=${neighbour(context.route, "explore/peers", { machine: folder })}>Every comparison of this machine</a></p>`;
  },
};

/** The machines with results, the one with the fastest tasks first. */
async function measured({ files }: Context): Promise<Machine[]> {
  const own = newestFirst(files.filter(({ name, kind }) => name === NAME && kind === "rows"));
  const machines = await Promise.all(
    own.map(async (file) => ({ file, table: taskTable(await rowsOf([file])) })),
  );
  const speed = ({ table: { rows } }: Machine): number =>
    rows.reduce((sum, { ours }) => sum + (ours === null ? 0 : Math.log(1 / ours.medianMs) + 20), 0);
  return machines.toSorted((a, b) => speed(b) - speed(a));
}

/** `OpenCV on a 12-megapixel picture`. */
function where({ peer }: Comparison): string {
  const task = TASKS.find(({ id }) => id === peer.type)!;
  return `${programOf(peer).name} on ${task.name.replace(/^A /, "a ")}`;
}

/** The overview in one sentence. */
function sentence({ file, table: of }: Machine): string {
  const { measured: tasks, compared, most, lost } = verdictOf(of);
  const on = `On ${hostOf(file)} (${dayOf(file)})`;
  if (most === null)
    return `${on}, polybin did ${tasks} of ${TASKS.length} tasks, and no other program was measured.`;
  const best = `up to ${figure(most.factor)} times (${where(most)})`;
  if (lost.length === 0)
    return `${on}, polybin is faster than the other programs in all ${compared} comparisons, ${best}.`;
  const worst = lost.slice(0, 3).map((one) => `${where(one)}: ${figure(one.factor)} times as fast`);
  return `${on}, polybin is faster than the other programs in ${compared - lost.length} of ${compared} comparisons, ${best}, and slower in ${lost.length} (${worst.join("; ")}).`;
}

function time(ms: number): string {
  if (ms >= 1000) return `${figure(ms / 1000)} s`;
  return ms < 1 ? `${figure(ms * 1000)} µs` : `${figure(ms)} ms`;
}

function threadsIn(row: Row): string {
  const threads = threadsOf(row);
  if (threads === "gpu") return row.device ?? "GPU";
  return threads === null ? "" : `${threads} thread${threads === 1 ? "" : "s"}`;
}

function drawn({ file, table: { programs, rows } }: Machine): TemplateResult {
  const mine = hasBrowser();
  const columns = [
    ...["task", "polybin"],
    ...(mine ? ["polybin in your browser"] : []),
    ...programs.map(({ name }) => name),
  ];
  return table(
    columns,
    rows.map((row) => [
      html`${row.task.name}<small>${row.task.about}</small>`,
      ours(row),
      ...(mine ? [browserCell(row.task.id)] : []),
      ...programs.map(({ id }) => factor(row.factors.get(id), row)),
    ]),
    {
      caption: `${hostOf(file)}, ${dayOf(file)}: times of polybin, and how many times as fast it is as each program, on as many threads as that program`,
      numbers: columns.map((_, i) => i).slice(1),
    },
  );
}

function ours({ ours: row }: TaskRow): Cell {
  if (row === null) return html`<span class="unmeasured">not measured</span>`;
  return html`<span title=${slugOf(row)}>${time(row.medianMs)}</span><small>${threadsIn(row)}, ${cellLink(row)}</small>`;
}

function factor(pair: Comparison | undefined, { ours: own }: TaskRow): Cell {
  if (pair === undefined) return html`<span class="unmeasured">${own === null ? "" : "–"}</span>`;
  const { peer, ours: like, factor: times } = pair;
  const told = `${slugOf(peer)}: ${time(peer.medianMs)}; ${slugOf(like)}: ${time(like.medianMs)}`;
  return html`<span class=${times < 1 ? "bad" : ""} title=${told}>${figure(times)}×</span><small>${threadsIn(peer)}, ${cellLink(peer)}</small>`;
}
