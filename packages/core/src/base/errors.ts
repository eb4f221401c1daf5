/** Why a call failed, as a code a program may branch on. */
export type ErrorCode =
  | "ERR_INPUT"
  | "ERR_AXIS"
  | "ERR_UNSUPPORTED"
  | "ERR_UNAVAILABLE"
  | "ERR_LIMIT"
  /** The device went away; another engine can be opened, on another device or in another process. */
  | "ERR_DEVICE_LOST"
  /** What a device returned does not add up to what it was given: the result was thrown away. */
  | "ERR_MISCOUNT"
  /** A fault of polybin's own: a device or its native code was asked for what it refuses. */
  | "ERR_INTERNAL"
  | "ERR_OUT_OF_MEMORY"
  | "ERR_WORKER";

/** Where an error arose and what lay beneath it. */
export interface ErrorDetails {
  readonly backend?: string | undefined;
  readonly algorithm?: string | undefined;
  readonly cause?: unknown;
}

/**
 * The only error that polybin throws on purpose.
 * The message says what was expected, what came and what helps; `code` is stable across releases.
 */
export class PolybinError extends Error {
  override readonly name = "PolybinError";
  readonly code: ErrorCode;
  readonly backend: string | undefined;
  readonly algorithm: string | undefined;

  constructor(code: ErrorCode, message: string, details: ErrorDetails = {}) {
    super(message, details.cause === undefined ? undefined : { cause: details.cause });
    this.code = code;
    this.backend = details.backend;
    this.algorithm = details.algorithm;
  }
}

/** True for errors of this library, also when another copy of the package threw them. */
export function isPolybinError(value: unknown): value is PolybinError {
  return value instanceof Error && value.name === "PolybinError" && "code" in value;
}

/**
 * "Expected X for NAME but received VALUE of type T", the one form of every argument error; behind it what helps, where
 * that is known.
 */
export function expected(
  code: ErrorCode,
  name: string,
  what: string,
  received: unknown,
  { helps = null, ...details }: ErrorDetails & { readonly helps?: string | null } = {},
): PolybinError {
  const message = `expected ${what} for ${name} but received ${show(received)}`;
  return new PolybinError(code, helps === null ? message : `${message}; ${helps}`, details);
}

function show(value: unknown): string {
  if (value === null || value === undefined) return String(value);
  if (typeof value === "string") return `${JSON.stringify(clip(value))} of type string`;
  if (typeof value === "number" || typeof value === "boolean" || typeof value === "bigint") {
    return `${value} of type ${typeof value}`;
  }
  if (typeof value === "object") return `an object of type ${value.constructor?.name || "object"}`;
  return `a value of type ${typeof value}`;
}

/** A text from outside, short enough for a message. */
export function clip(text: string): string {
  const most = 60;
  return text.length > most ? `${text.slice(0, most)}…` : text;
}
