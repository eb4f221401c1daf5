/** Why a call failed. The codes are core's, and mean the same. */
export type AnalysisErrorCode = "ERR_INPUT" | "ERR_AXIS" | "ERR_LIMIT" | "ERR_UNSUPPORTED";

/**
 * The class of all errors that this package throws deliberately. Core's `isPolybinError` returns true for it. It is not
 * core's class, because this package loads nothing from core.
 */
export class AnalysisError extends Error {
  override readonly name = "PolybinError";
  /** The code of the error. */
  readonly code: AnalysisErrorCode;

  constructor(code: AnalysisErrorCode, message: string) {
    super(message);
    this.code = code;
  }
}

/** Creates an argument error in core's form: "expected WHAT for NAME but received VALUE of type T". */
export function expected(
  code: AnalysisErrorCode,
  name: string,
  what: string,
  received: unknown,
): AnalysisError {
  return new AnalysisError(code, `expected ${what} for ${name} but received ${show(received)}`);
}

function show(value: unknown): string {
  if (value === null || value === undefined) return String(value);
  if (typeof value === "string") return `${JSON.stringify(value.slice(0, 60))} of type string`;
  if (typeof value === "number" || typeof value === "boolean") return `${value} of type ${typeof value}`;
  if (typeof value === "object") return `an object of type ${value.constructor?.name || "object"}`;
  return `a value of type ${typeof value}`;
}

/** @throws ERR_INPUT for an option that the function does not have, and for options that are no object. */
export function checkOptions(options: object, names: readonly string[]): void {
  if (typeof options !== "object" || options === null) {
    throw expected("ERR_INPUT", "options", "an object", options);
  }
  const unknown = Object.keys(options).find((name) => !names.includes(name));
  if (unknown === undefined) return;
  const known = names.length === 0 ? "no options" : `only the options ${names.join(", ")}`;
  throw new AnalysisError("ERR_INPUT", `expected ${known} but received ${JSON.stringify(unknown)}`);
}

/** Returns a finite number. @throws ERR_INPUT for everything else, and below or above the limits. */
export function checkedNumber(value: unknown, name: string, least: number, most: number = Infinity): number {
  if (typeof value === "number" && Number.isFinite(value) && value >= least && value <= most) return value;
  const range = most === Infinity ? `a finite number from ${least} up` : `a number from ${least} to ${most}`;
  throw expected("ERR_INPUT", name, range, value);
}

/** Returns a whole number. @throws ERR_INPUT for everything else, and below or above the limits. */
export function checkedWhole(value: unknown, name: string, least: number, most: number = Infinity): number {
  if (Number.isSafeInteger(value)) return checkedNumber(value, name, least, most);
  throw expected("ERR_INPUT", name, "a whole number", value);
}
