import { clip, type ErrorCode, expected, PolybinError } from "./errors.ts";

/** How an error refers to the object whose names are checked, and the error's code. */
export interface NamesOf {
  /** The name of the object in the message. Default: "options". */
  readonly of?: string;
  /** Default: ERR_INPUT. */
  readonly code?: ErrorCode;
  /** Returns advice for an unknown name. If it returns null, the message suggests the nearest known name. */
  readonly advice?: (name: string) => string | null;
}

/** @throws ERR_INPUT, or the given code, unless the value is an object and not an array. */
export function checkObject(value: unknown, { of = "options", code = "ERR_INPUT" }: NamesOf = {}): void {
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    throw expected(code, of, "an object", value);
  }
}

/**
 * Refuses values that are not objects, and objects with unknown names. Names whose value is undefined are checked
 * too, because a misspelled option must not be ignored. The error suggests the nearest known name and lists all of them.
 * @throws ERR_INPUT, or the given code.
 */
export function checkNames(value: object, names: readonly string[], how: NamesOf = {}): void {
  checkObject(value, how);
  const { of = "options", code = "ERR_INPUT", advice } = how;
  for (const name of Object.keys(value)) {
    if (names.includes(name)) continue;
    const helps = advice?.(name);
    const hint = helps === undefined || helps === null ? suggestion(name, names) : `${helps};`;
    const known = `expected ${names.length === 1 ? "" : "one of "}${names.join(", ")} in ${of}`;
    // The list may be long, so the hint comes first.
    throw new PolybinError(
      code,
      hint === null ? `${known} but received ${clip(name)}` : `${hint} received ${clip(name)} but ${known}`,
    );
  }
}

/** Returns a question for an unknown name, or null if no known name is near. */
export function suggestion(name: unknown, names: readonly string[]): string | null {
  const near = typeof name === "string" ? nearest(name, names) : null;
  return near === null ? null : `did you mean ${near}?`;
}

/** Options that are columns. Programs pass null for a column that they do not have. */
const COLUMN_OPTIONS = ["weights", "mask", "where", "by"] as const;

/**
 * Returns a copy of options that has no prototype, so that only their own properties are read. It leaves out columns
 * that are null or undefined. Values that are no options are returned as they are, for the checks.
 */
export function ownOptions<T>(options: T): T {
  if (typeof options !== "object" || options === null || Array.isArray(options)) return options;
  const own = Object.assign(Object.create(null), options) as Record<string, unknown>;
  for (const name of COLUMN_OPTIONS) if (own[name] === undefined || own[name] === null) delete own[name];
  return own as T;
}

/** Returns true if options have a value of this name of their own. */
export function hasOption(options: unknown, name: string): boolean {
  if (typeof options !== "object" || options === null || !Object.hasOwn(options, name)) return false;
  const value = (options as Readonly<Record<string, unknown>>)[name];
  return value !== undefined && value !== null;
}

/** @throws ERR_INPUT unless the value is true, false or undefined. */
export function checkSwitch(value: unknown, name: string): void {
  if (value !== undefined && typeof value !== "boolean")
    throw expected("ERR_INPUT", name, "true or false", value);
}

/** Largest share of a name, relative to the longer of both names, that may differ from its suggestion. */
const WRONG_SHARE = 0.4;

/**
 * Returns the known name that is nearest to `name`, or null if none is near. A single known name is always returned.
 */
function nearest(name: string, names: readonly string[]): string | null {
  if (names.length === 1) return names[0]!;
  let found: string | null = null;
  let least = Number.POSITIVE_INFINITY;
  for (const known of names) {
    const most = Math.floor(Math.max(name.length, known.length) * WRONG_SHARE);
    if (Math.abs(name.length - known.length) > most) continue;
    const apart = distance(name.toLowerCase(), known.toLowerCase());
    if (apart <= most && apart < least) [found, least] = [known, apart];
  }
  return found;
}

/**
 * Counts the letters to add, drop, change, or swap with their neighbour to turn one word into the other (optimal
 * string alignment distance).
 */
function distance(a: string, b: string): number {
  // rows[i][j] is the distance between the first i letters of a and the first j letters of b.
  const rows = Array.from({ length: a.length + 1 }, (_, i) =>
    Array.from({ length: b.length + 1 }, (_, j) => Math.max(i, j)),
  );
  const at = (i: number, j: number): number => rows[i]![j]!;
  for (let i = 1; i <= a.length; i++) {
    for (let j = 1; j <= b.length; j++) {
      const changed = at(i - 1, j - 1) + (a[i - 1] === b[j - 1] ? 0 : 1);
      const swapped = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      rows[i]![j] = Math.min(
        changed,
        at(i - 1, j) + 1,
        at(i, j - 1) + 1,
        swapped ? at(i - 2, j - 2) + 1 : changed,
      );
    }
  }
  return at(a.length, b.length);
}
