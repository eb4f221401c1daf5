/** The part of the address after its #: the view and the selections in it. Views can be linked. */
export interface Route {
  readonly view: string;
  readonly selected: ReadonlyMap<string, string>;
}

/** Present addresses of views that once had another one, and the first view of each group. */
const MOVED: ReadonlyMap<string, string> = new Map([
  ...["throughput", "distributions", "ceiling", "peers", "calls", "k-sweep", "weighted", "cell", "files"].map(
    (view) => [view, `explore/${view}`] as const,
  ),
  ["picture", "try/picture"],
  ["bench", "try/compare"],
  ["explore", "explore/throughput"],
  ["try", "try/picture"],
]);

/**
 * Parses an address such as `#explore/peers?machine=nvidia-h200`. An empty address is the first view. Addresses of
 * earlier versions lead to the view's present place.
 */
export function routeOf(hash: string): Route {
  const [view, query = ""] = parts(hash);
  return { view: MOVED.get(view) ?? view, selected: new Map(new URLSearchParams(query)) };
}

/** Whether an address names a view by its earlier place. */
export const isMoved = (hash: string): boolean => MOVED.has(parts(hash)[0]);

const parts = (hash: string): [view: string, query?: string] =>
  hash.replace(/^#\/?/, "").split("?", 2) as [string, string?];

/** Makes the address of a view. Selections that are null are left out. */
export function addressOf(view: string, selected: Readonly<Record<string, string | null>>): string {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(selected)) if (value !== null) query.set(name, value);
  const text = query.toString();
  return `#${view}${text === "" ? "" : `?${text}`}`;
}

/** Selections that mean the same in every view, so that links carry them along. */
const SHARED: readonly string[] = ["machine", "basis", "software"];

/** Makes the address of another view of the same machine, basis and adapters. */
export function neighbour(
  { selected }: Route,
  view: string,
  more: Readonly<Record<string, string>> = {},
): string {
  const shared = Object.fromEntries(SHARED.map((name) => [name, selected.get(name) ?? null]));
  return addressOf(view, { ...shared, ...more });
}
