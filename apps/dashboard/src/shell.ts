import { html, type TemplateResult } from "lit-html";
import type { FileEntry } from "./data/types.ts";
import { neighbour, type Route } from "./route.ts";
import { type Choice, select } from "./show/controls.ts";
import { setTheme, type Theme, theme } from "./show/theme.ts";
import { type Context, distinct, type View } from "./views/view.ts";
import { VIEWS } from "./views/views.ts";

/** All of the page: its links, the selectors of machine and commit, and the view. */
export function shell(
  view: View,
  route: Route,
  files: readonly FileEntry[],
  context: Context,
  body: unknown,
): TemplateResult {
  return html`<a class="skip" href="#main" @click=${skip}>To the content</a>
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
      ${view.reads ? html`<div class="fields">${machines(files, route, context)}${commits(files, route, context)}</div>` : null}
      ${body}
    </main>`;
}

const THEMES: readonly Choice[] = [
  { value: "system", label: "As the system" },
  { value: "light", label: "Light" },
  { value: "dark", label: "Dark" },
];

/** An address that begins with # is a view's here, so the link moves the focus itself. */
function skip(event: Event): void {
  event.preventDefault();
  document.querySelector<HTMLElement>("h1")?.focus();
}

const ALL = "";
const orNull = (value: string): string | null => (value === ALL ? null : value);

function machines(files: readonly FileEntry[], { selected }: Route, context: Context): TemplateResult {
  const folders = distinct(files.map(({ folder }) => folder));
  const choices = [
    { value: ALL, label: "All" },
    ...folders.map((folder) => ({ value: folder, label: folder })),
  ];
  return select("Machine", choices, selected.get("machine") ?? ALL, (value) =>
    context.select({ machine: orNull(value), commit: null }),
  );
}

/** The commits that the selected machine's files were measured at, the last first. */
function commits(files: readonly FileEntry[], { selected }: Route, context: Context): TemplateResult {
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
