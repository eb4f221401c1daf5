import { html, render } from "lit-html";
import { index, rowsOf } from "./data/load.ts";
import type { FileEntry } from "./data/types.ts";
import { addressOf, neighbour, type Route, routeOf } from "./route.ts";
import { shell } from "./shell.ts";
import { applyTheme, theme } from "./show/theme.ts";
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
  try {
    const { files } = await index();
    const selected = view.reads ? files.filter((file) => isSelected(file, route)) : [];
    const context: Context = {
      files: view.reads ? selected : files,
      rows: await rowsOf(selected),
      route: { ...route, view: view.id },
      width: plotWidth(),
      select: (changes) => {
        const now = Object.fromEntries(routeOf(location.hash).selected);
        location.hash = addressOf(view.id, { ...now, ...changes });
      },
      redraw: () => void draw(),
    };
    const body = await view.render(context);
    if (mine !== drawing) return;
    show(view, route, files, context, body);
  } catch (error) {
    if (mine !== drawing) return;
    const message = error instanceof Error ? error.message : String(error);
    render(
      html`<main id="main"><h1>polybin</h1><p role="alert" class="absent">This view cannot be shown: ${message}</p>
        <p><a href=${neighbour(route, VIEWS[0]!.id)}>The first view</a></p></main>`,
      page,
    );
  }
}

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
