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

/** The library's codes that blame the request; the rest are failures of ours. */
const REQUESTS: readonly string[] = [
  "ERR_INPUT",
  "ERR_AXIS",
  "ERR_UNSUPPORTED",
  "ERR_UNAVAILABLE",
  "ERR_LIMIT",
];

/** Status and body for anything that was thrown. */
export function answerOf(error: unknown): { readonly status: number; readonly body: ErrorBody } {
  if (error instanceof Refusal) {
    return { status: error.status, body: { error: { code: error.code, message: error.message } } };
  }
  if (isPolybinError(error)) {
    const status = REQUESTS.includes(error.code) ? 422 : 500;
    return { status, body: { error: { code: error.code, message: error.message } } };
  }
  const message = error instanceof Error ? error.message : String(error);
  return { status: 500, body: { error: { code: "ERR_INTERNAL", message } } };
}
