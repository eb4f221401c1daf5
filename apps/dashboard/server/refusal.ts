import { isPolybinError } from "@polybin/core";

/** A request that the server answers with an error: a status, a code and a message. */
export class Refusal extends Error {
  readonly status: number;
  readonly code: string;

  constructor(status: number, code: string, message: string) {
    super(message);
    this.status = status;
    this.code = code;
  }
}

/** An error as the page receives it. */
export interface ErrorBody {
  readonly error: { readonly code: string; readonly message: string };
}

/**
 * Makes the status and body for anything that was thrown. The library's errors occur in jobs, whose answers have begun,
 * so the last line carries their codes. Outside jobs they are faults of the server.
 */
export function answerOf(error: unknown): { readonly status: number; readonly body: ErrorBody } {
  if (error instanceof Refusal) {
    return { status: error.status, body: { error: { code: error.code, message: error.message } } };
  }
  const code = isPolybinError(error) ? error.code : "ERR_INTERNAL";
  const message = error instanceof Error ? error.message : String(error);
  return { status: 500, body: { error: { code, message } } };
}
