/** States why a call failed, as a code that programs may branch on. */
export type ErrorCode =
  | "ERR_INPUT"
  /** The bytes begin like no format that could be read. They are not damaged, but something else. */
  | "ERR_FORMAT"
  | "ERR_AXIS"
  | "ERR_UNSUPPORTED"
  | "ERR_UNAVAILABLE"
  | "ERR_LIMIT"
  /** The device was lost. You can open another engine, on another device or in another process. */
  | "ERR_DEVICE_LOST"
  /** The counts that a device returned do not match its input. The result was discarded. */
  | "ERR_MISCOUNT"
  /** A bug in polybin: it passed a device or its native code an argument that is refused. */
  | "ERR_INTERNAL"
  | "ERR_OUT_OF_MEMORY"
  | "ERR_WORKER";

/** The origin and the cause of an error. */
export interface ErrorDetails {
  /** Id of the backend at which the error arose. */
  readonly backend?: string | undefined;
  /** Slug of the algorithm at which the error arose. */
  readonly algorithm?: string | undefined;
  readonly cause?: unknown;
}

/**
 * The error class of all errors that polybin throws deliberately. The message states what was expected, what was
 * received and what to do. `code` is stable across releases.
 */
export class PolybinError extends Error {
  override readonly name = "PolybinError";
  /** The code of the error. */
  readonly code: ErrorCode;
  /** Id of the backend at which the error arose, if there is one. */
  readonly backend: string | undefined;
  /** Slug of the algorithm at which the error arose, if there is one. */
  readonly algorithm: string | undefined;

  constructor(code: ErrorCode, message: string, details: ErrorDetails = {}) {
    super(message, details.cause === undefined ? undefined : { cause: details.cause });
    this.code = code;
    this.backend = details.backend;
    this.algorithm = details.algorithm;
  }
}

/** Returns true for errors of this library, including those thrown by another copy of the package. */
export function isPolybinError(value: unknown): value is PolybinError {
  return value instanceof Error && value.name === "PolybinError" && "code" in value;
}

/**
 * Creates an argument error: "expected WHAT for NAME but received VALUE of type T". `helps` is appended after a
 * semicolon if it is given.
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
  if (Array.isArray(value)) return `a list of ${value.length}`;
  if (typeof value === "object") return `an object of type ${value.constructor?.name || "object"}`;
  return `a value of type ${typeof value}`;
}

/** Shortens a text that came from outside, so that it fits a message. */
export function clip(text: string): string {
  const most = 60;
  return text.length > most ? `${text.slice(0, most)}…` : text;
}
