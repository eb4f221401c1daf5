import { constants } from "node:os";

/** Milliseconds that a stopped command has to end its workers. */
const GRACE_MS = 1000;

/** The way in which SIGINT and SIGTERM reach the work. */
export interface Interrupt {
  /** Aborts when the process receives either signal. */
  readonly signal: AbortSignal;
  /** 128 + the signal's number after a signal, as shells expect. Null before. */
  readonly exitCode: number | null;
  /** Restores Node's own handling of the signals. */
  done(): void;
}

/**
 * Turns SIGINT and SIGTERM into an abort. A second signal, or work that does not stop, such as a decoder in native code,
 * ends the process at once, as if it had no handler. A normal exit would wait for Node's threads, and one of them may be
 * the work that does not stop.
 */
export function interruptible(): Interrupt {
  const controller = new AbortController();
  let exitCode: number | null = null;
  const stop = (name: NodeJS.Signals) => {
    if (exitCode !== null) die(name);
    exitCode = 128 + constants.signals[name];
    process.exitCode = exitCode;
    controller.abort();
    setTimeout(die, GRACE_MS, name).unref();
  };
  const names = ["SIGINT", "SIGTERM"] as const;
  const die = (name: NodeJS.Signals) => {
    done();
    process.kill(process.pid, name);
  };
  const done = () => {
    for (const name of names) process.removeListener(name, stop);
  };
  for (const name of names) process.on(name, stop);
  return {
    signal: controller.signal,
    get exitCode() {
      return exitCode;
    },
    done,
  };
}
