import { isPolybinError } from "@polybin/core";

/** A request that is answered with a status and a code, and no more. */
export class Refusal extends Error {
  readonly status: number;
  readonly code: string;

  constructor(status: number, code: string, message: string) {
    super(message);
    this.status = status;
    this.code = code;
  }
}

/** An error as the page gets to see it. */
export interface ErrorBody {
  readonly error: { readonly code: string; readonly message: string };
}

/**
 * Status and body for anything that was thrown. The library works for jobs, whose answers have begun: the last line
 * tells its codes. Outside of jobs they are failures of ours.
 */
export function answerOf(error: unknown): { readonly status: number; readonly body: ErrorBody } {
  if (error instanceof Refusal) {
    return { status: error.status, body: { error: { code: error.code, message: error.message } } };
  }
  const code = isPolybinError(error) ? error.code : "ERR_INTERNAL";
  const message = error instanceof Error ? error.message : String(error);
  return { status: 500, body: { error: { code, message } } };
}
