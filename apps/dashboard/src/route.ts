/** What the address says after its #: which view, and what was selected in it. Views can be linked. */
export interface Route {
  readonly view: string;
  readonly selected: ReadonlyMap<string, string>;
}

/** `#peers?machine=nvidia-h200` and so on; an empty address is the first view. */
export function routeOf(hash: string): Route {
  const [view = "", query = ""] = hash.replace(/^#\/?/, "").split("?");
  return { view, selected: new Map(new URLSearchParams(query)) };
}

/** The address of a view. Selections that are null are left out. */
export function addressOf(view: string, selected: Readonly<Record<string, string | null>>): string {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(selected)) if (value !== null) query.set(name, value);
  const text = query.toString();
  return `#${view}${text === "" ? "" : `?${text}`}`;
}

/** Selections that mean the same in every view and go along from one to the next. */
const SHARED: readonly string[] = ["machine", "commit", "basis"];

/** The address of another view of the same machine, commit and basis. */
export function neighbour(
  { selected }: Route,
  view: string,
  more: Readonly<Record<string, string>> = {},
): string {
  const shared = Object.fromEntries(SHARED.map((name) => [name, selected.get(name) ?? null]));
  return addressOf(view, { ...shared, ...more });
}
