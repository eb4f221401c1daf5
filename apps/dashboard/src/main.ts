import { html, render } from "lit-html";
import {
  addressOf,
  type Basis,
  FIRST_BASIS,
  type FileEntry,
  index,
  isMoved,
  onBasis,
  type Route,
  type Row,
  routeOf,
  rowsOf,
  SOFTWARE,
  selection,
  showsSoftware,
  sourced,
  withShares,
} from "./data/index.ts";
import { shell } from "./shell.ts";
import { applyTheme, type Context, theme, type View } from "./show/index.ts";
import { loadAhead, VIEWS } from "./views/index.ts";

const page = document.getElementById("page")!;
let drawing = 0;
let shown: string | null = null;

/** Draws the view that the address names. A later call replaces one that still waits for its files. */
async function draw(): Promise<void> {
  const mine = ++drawing;
  const route = routeOf(location.hash);
  // An old address is replaced by the present one, so that links copied from the page stay right.
  if (isMoved(location.hash))
    history.replaceState(null, "", addressOf(route.view, Object.fromEntries(route.selected)));
  const view = VIEWS.find(({ id }) => id === route.view) ?? VIEWS[0]!;
  const bare: Context = {
    files: [],
    sources: [],
    source: null,
    rows: [],
    measured: [],
    basis: null,
    route: { ...route, view: view.id },
    width: plotWidth(),
    select: (changes) => {
      const now = Object.fromEntries(routeOf(location.hash).selected);
      location.hash = addressOf(view.id, { ...now, ...changes });
    },
    redraw: () => void draw(),
  };
  const drawn = await filled(view, bare).catch(async (error: Error) => ({
    files: await index().then(
      (known) => known.files,
      () => [],
    ),
    context: bare,
    body: failed(error, bare),
  }));
  if (mine !== drawing) return;
  show(view, drawn);
}

/** A drawn view, with all files of the site and with the selected files and basis. */
interface Drawn {
  readonly files: readonly FileEntry[];
  readonly context: Context;
  readonly body: unknown;
}

/** Draws the view from its files. */
async function filled(view: View, bare: Context): Promise<Drawn> {
  const { files } = await index();
  if (view.reads === "nothing") {
    const context = { ...bare, files };
    return { files, context, body: await view.render(context) };
  }
  const { route, files: selected } = selection(files, bare.route, view.reads);
  const context = {
    ...bare,
    route,
    files: selected,
    ...rowsFor(view, route, selected, await rowsOf(selected)),
  };
  return { files, context, body: await view.render(context) };
}

/** Chooses the basis that the address names, else whole calls. It never changes on its own: a view without rows says so. */
function rowsFor(
  view: View,
  route: Route,
  files: readonly FileEntry[],
  all: readonly Row[],
): Pick<Context, "sources" | "source" | "rows" | "measured" | "basis"> {
  const software = showsSoftware(route);
  const rows = withShares(all.filter(({ device = "" }) => software || !SOFTWARE.test(device)));
  const named = route.selected.get("basis");
  const first: Basis = named === "call" || named === "kernel" ? named : FIRST_BASIS;
  const basis = view.basis === null ? null : first;
  const timed = basis === null ? rows : onBasis(rows, basis);
  if (view.reads !== "one file") return { sources: [], source: null, rows: timed, measured: rows, basis };
  const found = sourced(route, files, timed, (of) => view.drawable?.(of) ?? of);
  const measured = rows.filter(({ file }) => found.source === null || file === found.source);
  return { ...found, measured, basis };
}

const failed = (error: Error, { redraw }: Context) =>
  html`<p role="alert" class="absent">This view cannot be shown: ${error.message}</p>
    <button id="again" type="button" @click=${redraw}>Try again</button>`;

function show(view: View, { files, context, body }: Drawn): void {
  document.title = `${view.title} – polybin`;
  render(shell(view, files, context, body), page);
  page.dataset.view = view.id;
  // A link to another view leads to its heading, for screen readers, too.
  if (shown !== null && shown !== view.id) {
    scrollTo({ top: 0 });
    document.querySelector<HTMLElement>("h1")?.focus({ preventScroll: true });
  }
  shown = view.id;
}

const MOST_WIDTH = 1600;
const LEAST_WIDTH = 280;
const MARGINS = 32;

/** Before its first layout, a page reports a width of one pixel. */
function plotWidth(): number {
  return Math.max(LEAST_WIDTH, Math.min(document.documentElement.clientWidth - MARGINS, MOST_WIDTH));
}

applyTheme(theme());
addEventListener("hashchange", () => void draw());
let width = 0;
// Reports the width once the page has one, and whenever it changes.
new ResizeObserver(() => {
  if (plotWidth() === width) return;
  width = plotWidth();
  void draw();
}).observe(document.documentElement);
// The local server may end before a reader opens a live view. A static host stays, and its readers load views on demand.
if (document.documentElement.dataset.server === "here") loadAhead();
