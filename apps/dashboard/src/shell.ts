import { html, type TemplateResult } from "lit-html";
import { BASES } from "./data/basis.ts";
import type { FileEntry } from "./data/types.ts";
import { neighbour } from "./route.ts";
import { type Choice, plain, select } from "./show/controls.ts";
import { setTheme, type Theme, theme } from "./show/theme.ts";
import { type Context, distinct, type View } from "./views/view.ts";
import { VIEWS } from "./views/views.ts";

/** Draws the whole page: its links, the selectors of machine and commit, and the view. */
export function shell(
  view: View,
  files: readonly FileEntry[],
  context: Context,
  body: unknown,
): TemplateResult {
  const { route } = context;
  return html`<a class="skip" href="#main" @click=${skip}>Skip to the content</a>
    <header>
      <p class="brand">polybin</p>
      <nav aria-label="Views"><ul>${VIEWS.map(
        ({ id, title }) =>
          html`<li><a href=${neighbour(route, id)} aria-current=${id === view.id ? "page" : "false"}>${title}</a></li>`,
      )}</ul></nav>
      ${select("Colours", THEMES, theme(), (value) => setTheme(value as Theme))}
    </header>
    <main id="main">
      <h1 tabindex="-1">${view.title}</h1>
      <p>${view.about}</p>
      ${view.reads === "nothing" ? null : html`<div class="fields">${machines(view, files, context)}${commits(files, context)}${bases(context)}</div>`}
      ${body}
    </main>`;
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

function machines({ reads }: View, files: readonly FileEntry[], context: Context): TemplateResult {
  const folders = plain(distinct(files.map(({ folder }) => folder)));
  const choices = reads === "any machine" ? [{ value: ALL, label: "All" }, ...folders] : folders;
  return select("Machine", choices, context.route.selected.get("machine") ?? ALL, (value) =>
    context.select({ machine: orNull(value), commit: null }),
  );
}

/** Lists the commits of the selected machine's files, the latest first. */
function commits(files: readonly FileEntry[], context: Context): TemplateResult {
  const { selected } = context.route;
  const machine = selected.get("machine");
  const ofMachine = files
    .filter(({ folder }) => machine === undefined || machine === folder)
    .filter(({ commit }) => commit !== null)
    .toSorted((a, b) => (b.date ?? "").localeCompare(a.date ?? ""));
  const groups = Map.groupBy(ofMachine, ({ commit }) => commit!.slice(0, 7));
  const choices = [...groups].map(([commit, group]) => ({
    value: commit,
    label: `${commit}, ${(group[0]!.date ?? "").slice(0, 10)} (${group.length} file${group.length === 1 ? "" : "s"})`,
  }));
  return select(
    "Commit",
    [{ value: ALL, label: "All" }, ...choices],
    selected.get("commit") ?? ALL,
    (value) => context.select({ commit: orNull(value) }),
  );
}

/** Selects the time behind every throughput of the view: its plots, tables and sentences. */
function bases({ basis, select: go }: Context): TemplateResult | null {
  return basis === null ? null : select("Timing", BASES, basis, (value) => go({ basis: value }));
}
