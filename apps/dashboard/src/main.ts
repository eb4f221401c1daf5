import { html, render } from "lit-html";
import { index, rowsOf } from "./data/load.ts";
import type { FileEntry } from "./data/types.ts";
import { addressOf, type Route, routeOf } from "./route.ts";
import { shell } from "./shell.ts";
import { applyTheme, theme } from "./show/theme.ts";
import { loadAhead } from "./views/live.ts";
import type { Context, View } from "./views/view.ts";
import { VIEWS } from "./views/views.ts";

const page = document.getElementById("page")!;
let drawing = 0;
let shown: string | null = null;

/** Draws what the address says. A later call overtakes one that still waits for its files. */
async function draw(): Promise<void> {
  const mine = ++drawing;
  const route = routeOf(location.hash);
  const view = VIEWS.find(({ id }) => id === route.view) ?? VIEWS[0]!;
  const bare: Context = {
    files: [],
    rows: [],
    route: { ...route, view: view.id },
    width: plotWidth(),
    select: (changes) => {
      const now = Object.fromEntries(routeOf(location.hash).selected);
      location.hash = addressOf(view.id, { ...now, ...changes });
    },
    redraw: () => void draw(),
  };
  const { files, body } = await filled(view, bare).catch(async (error: Error) => ({
    files: await index().then(
      (known) => known.files,
      () => [],
    ),
    body: failed(error, bare),
  }));
  if (mine !== drawing) return;
  show(view, route, files, bare, body);
}

/** The view, drawn from its files. */
async function filled(view: View, bare: Context): Promise<{ files: readonly FileEntry[]; body: unknown }> {
  const { files } = await index();
  const selected = view.reads ? files.filter((file) => isSelected(file, bare.route)) : [];
  const context = { ...bare, files: view.reads ? selected : files, rows: await rowsOf(selected) };
  return { files, body: await view.render(context) };
}

const failed = (error: Error, { redraw }: Context) =>
  html`<p role="alert" class="absent">This view cannot be shown: ${error.message}</p>
    <button id="again" type="button" @click=${redraw}>Try again</button>`;

function show(view: View, route: Route, files: readonly FileEntry[], context: Context, body: unknown): void {
  document.title = `${view.title} – polybin`;
  render(shell(view, route, files, context, body), page);
  page.dataset.view = view.id;
  // Who follows a link to another view reads it from its heading on, with a screen reader, too.
  if (shown !== null && shown !== view.id) {
    scrollTo({ top: 0 });
    document.querySelector<HTMLElement>("h1")?.focus({ preventScroll: true });
  }
  shown = view.id;
}

/** What comes of several commits belongs to each of them. */
function isSelected({ folder, commit }: FileEntry, { selected }: Route): boolean {
  const machine = selected.get("machine");
  const wanted = selected.get("commit");
  return (
    (machine === undefined || machine === folder) &&
    (wanted === undefined || commit === null || commit.startsWith(wanted))
  );
}

const MOST_WIDTH = 1080;
const LEAST_WIDTH = 280;
const MARGINS = 32;

/** Before its first layout a page says that it is a pixel wide. */
function plotWidth(): number {
  return Math.max(LEAST_WIDTH, Math.min(document.documentElement.clientWidth - MARGINS, MOST_WIDTH));
}

applyTheme(theme());
addEventListener("hashchange", () => void draw());
let width = 0;
// Says the width once the page has one, and whenever it changes.
new ResizeObserver(() => {
  if (plotWidth() === width) return;
  width = plotWidth();
  void draw();
}).observe(document.documentElement);
// The server of the page may end before they are asked for. A host of files stays, and its readers load what they look at.
if (document.documentElement.dataset.server === "here") loadAhead();
