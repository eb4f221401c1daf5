/** The part of the address after its #: the view and the selections in it. Views can be linked. */
export interface Route {
  readonly view: string;
  readonly selected: ReadonlyMap<string, string>;
}

/** Parses an address such as `#peers?machine=nvidia-h200`. An empty address is the first view. */
export function routeOf(hash: string): Route {
  const [view = "", query = ""] = hash.replace(/^#\/?/, "").split("?");
  return { view, selected: new Map(new URLSearchParams(query)) };
}

/** Makes the address of a view. Selections that are null are left out. */
export function addressOf(view: string, selected: Readonly<Record<string, string | null>>): string {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(selected)) if (value !== null) query.set(name, value);
  const text = query.toString();
  return `#${view}${text === "" ? "" : `?${text}`}`;
}

/** Selections that mean the same in every view, so that links carry them along. */
const SHARED: readonly string[] = ["machine", "commit", "basis"];

/** Makes the address of another view of the same machine, commit and basis. */
export function neighbour(
  { selected }: Route,
  view: string,
  more: Readonly<Record<string, string>> = {},
): string {
  const shared = Object.fromEntries(SHARED.map((name) => [name, selected.get(name) ?? null]));
  return addressOf(view, { ...shared, ...more });
}
