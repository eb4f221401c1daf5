import { html, type TemplateResult } from "lit-html";
import {
  BASES,
  dayOf,
  type FileEntry,
  isSoftware,
  machineName,
  neighbour,
  showsSoftware,
} from "./data/index.ts";
import {
  type Choice,
  type Context,
  distinct,
  isNarrow,
  select,
  setTheme,
  type Theme,
  theme,
  type View,
} from "./show/index.ts";
import { GROUPS } from "./views/index.ts";

/** Draws the whole page: its links, the selectors of machine and run, and the view. */
export function shell(
  view: View,
  files: readonly FileEntry[],
  context: Context,
  body: unknown,
): TemplateResult {
  return html`<a class="skip" href="#main" @click=${skip}>Skip to the content</a>
    <header>
      <p class="brand">polybin</p>
      ${groups(view, context)}
      ${select("Colours", THEMES, theme(), (value) => setTheme(value as Theme))}
    </header>
    <main id="main">
      ${within(view, context)}
      <h1 tabindex="-1">${view.title}</h1>
      <p class="question">${view.question ?? view.about}</p>
      ${chooser(view, files, context)}
      ${body}
      ${view.question === undefined ? null : html`<h2>About this view</h2><p>${view.about}</p>`}
    </main>`;
}

/** Links to the groups of views, in one row also on a phone. */
function groups(view: View, { route }: Context): TemplateResult {
  return html`<nav aria-label="Views"><ul>${GROUPS.map(
    ({ title, views }) =>
      html`<li><a href=${neighbour(route, views[0]!.id)} aria-current=${current(view, views)}>${title}</a></li>`,
  )}</ul></nav>`;
}

const current = (view: View, views: readonly View[]): string =>
  views.includes(view) ? (views.length === 1 ? "page" : "true") : "false";

/** Links to the other views of the group. On a phone they are a select, because a row of links has no room. */
function within(view: View, { route, width }: Context): TemplateResult | null {
  const { title, views } = GROUPS.find((group) => group.views.includes(view))!;
  if (views.length === 1) return null;
  if (isNarrow(width) && views.length > 2) {
    const choices = views.map(({ id, title: label }) => ({ value: id, label }));
    return html`<div class="fields">${select("View", choices, view.id, (id) => {
      location.hash = neighbour(route, id);
    })}</div>`;
  }
  return html`<nav class="within" aria-label=${title}><ul>${views.map(
    (one) =>
      html`<li><a href=${neighbour(route, one.id)} aria-current=${one === view ? "page" : "false"}>${one.title}</a></li>`,
  )}</ul></nav>`;
}

const THEMES: readonly Choice[] = [
  { value: "system", label: "System" },
  { value: "light", label: "Light" },
  { value: "dark", label: "Dark" },
];

/** Addresses that begin with # name views here, so the link moves the focus itself. */
function skip(event: Event): void {
  event.preventDefault();
  document.querySelector<HTMLElement>("h1")?.focus();
}

const ALL = "";
const orNull = (value: string): string | null => (value === ALL ? null : value);

/** Shows the switch between kernels and whole calls, and what the view reads. On a phone the latter folds up. */
function chooser(view: View, files: readonly FileEntry[], context: Context): TemplateResult | null {
  if (view.reads === "nothing") return null;
  const { width, route } = context;
  const fields = html`${machines(view, files, context)}${runs(view, context)}${adapters(files, context)}`;
  const machine = route.selected.get("machine");
  return html`<div class="fields chooser">${bases(view, context)}${
    isNarrow(width)
      ? html`<details><summary>${machine === undefined ? "All machines" : machineName(machine, files)}</summary><div class="fields">${fields}</div></details>`
      : fields
  }</div>`;
}

function machines({ reads }: View, files: readonly FileEntry[], context: Context): TemplateResult {
  const real = files.filter((file) => showsSoftware(context.route) || !isSoftware(file));
  const folders = distinct(real.map(({ folder }) => folder)).map((folder) => ({
    value: folder,
    label: machineName(folder, real),
  }));
  const choices = reads === "any machine" ? [{ value: ALL, label: "All" }, ...folders] : folders;
  return select("Machine", choices, context.route.selected.get("machine") ?? ALL, (value) =>
    context.select({ machine: orNull(value), from: null }),
  );
}

/** Software adapters say nothing about a GPU, so they are shown only when a reader asks. */
function adapters(files: readonly FileEntry[], { route, select: go }: Context): TemplateResult | null {
  if (!files.some(isSoftware)) return null;
  return html`<label class="check"><input type="checkbox" .checked=${showsSoftware(route)}
    @change=${({ target }: Event) => go({ software: (target as HTMLInputElement).checked ? "1" : null })} /> Software adapters</label>`;
}

/** Lists the runs that the view can draw, the last one first. */
function runs({ reads }: View, { sources, source, select: go }: Context): TemplateResult | null {
  if (reads !== "one file" || source === null) return null;
  const choices = sources.map((file) => ({
    value: file.name,
    label: `${dayOf(file)}, ${file.name}${file.machine?.cores === undefined ? "" : `, ${file.machine.cores} cores`}`,
  }));
  return select("Run", choices, source.name, (value) => go({ from: value }));
}

/** The one switch of the page. It governs every plot, table, card and crossover. */
function bases({ timing }: View, { basis, select: go }: Context): TemplateResult {
  if (basis === null)
    return html`<p class="timing">${timing ?? "Kernel or whole call does not apply here."}</p>`;
  return html`<fieldset class="switch"><legend>Timing</legend>${BASES.map(
    ({
      value,
      label,
    }) => html`<label><input type="radio" name="basis" value=${value} .checked=${value === basis}
      @change=${() => go({ basis: value })} /><span>${label}</span></label>`,
  )}</fieldset>`;
}
