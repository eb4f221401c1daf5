import { isPolybinError, PolybinError } from "@polybin/core";

/** The name of ioredis's error for a connection that was lost and did not come back in time. */
const LOST = "MaxRetriesPerRequestError";

/** Whether an error is a lost connection to Redis, and not an answer of Redis. */
export function isLost(error: unknown): boolean {
  if (!(error instanceof Error) || isPolybinError(error)) return false;
  return (
    error.name === LOST ||
    /Connection is closed|Command aborted|ECONN|EPIPE|socket closed/i.test(error.message)
  );
}

/**
 * Runs work on Redis, and gives its errors a code.
 * @throws ERR_UNAVAILABLE if the connection is lost, or Redis refuses a command, for example because its memory is full.
 */
export async function reaching<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (cause) {
    const isAnswer = cause instanceof Error && cause.name === "ReplyError";
    if (!isLost(cause) && !isAnswer) throw cause;
    const what = isAnswer ? "Redis refused a command" : "the connection to Redis is lost";
    throw new PolybinError(
      "ERR_UNAVAILABLE",
      `${what}: ${(cause as Error).message}; jobs and counted shards are kept: ask again when Redis works`,
      { cause },
    );
  }
}
