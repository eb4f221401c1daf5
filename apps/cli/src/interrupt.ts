import { constants } from "node:os";

/** Milliseconds that a stopped command has to let go of its workers. */
const GRACE_MS = 1000;

/** How ^C and a polite kill reach the work. */
export interface Interrupt {
  /** Aborts when the process is asked to stop. */
  readonly signal: AbortSignal;
  /** 128 + the signal's number once one came, as shells expect; else null. */
  readonly exitCode: number | null;
  /** Gives the signals back to Node. */
  done(): void;
}

/**
 * Turns SIGINT and SIGTERM into an abort. A second one, or work that does not stop (a decoder deep in native
 * code), ends the process at once, as if nobody had listened for it: to exit, Node would wait for its threads, and one of
 * them may be what does not stop.
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
