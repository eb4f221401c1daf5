import { type ErrorCode, isPolybinError, PolybinError } from "@polybin/core";

/** Creates an error about a file. Its message starts with the file's name. */
export function fault(name: string, code: ErrorCode, message: string, cause?: unknown): PolybinError {
  return new PolybinError(code, `${name}: ${message}`, cause === undefined ? {} : { cause });
}

/** Creates an ERR_INPUT about a file: damage, or content that does not fit the options. */
export const damaged = (name: string, message: string, cause?: unknown): PolybinError =>
  fault(name, "ERR_INPUT", message, cause);

/** Returns the error as it is if it is one of polybin's, else an ERR_INPUT about the file with it as the cause. */
export function asDamage(name: string, error: unknown): PolybinError {
  if (isPolybinError(error)) return error;
  return damaged(name, `the file is damaged, or is not of this format${becauseOf(error)}`, error);
}

/** Errors of JavaScript itself. Their messages are about a program, and say nothing about a file. */
const ENGINE: ReadonlySet<string> = new Set([
  "TypeError",
  "RangeError",
  "SyntaxError",
  "ReferenceError",
  "URIError",
]);

/** Continues a message with a colon and the reason that a reader states. Empty if JavaScript itself failed. */
export function becauseOf(error: unknown): string {
  if (!(error instanceof Error)) return `: ${error}`;
  return ENGINE.has(error.name) ? "" : `: ${error.message}`;
}
