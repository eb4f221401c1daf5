import { type Backend, type Engine, type OpenOptions, openEngine } from "@polybin/core";

/** An engine's calls without an engine, and `openEngine` with the same default. */
export interface Calls extends Pick<Engine, Name> {
  openEngine(options?: OpenOptions): Promise<Engine>;
}

type Name = "histogram" | "histograms" | "joint";

/**
 * Creates calls that share one engine. The first call opens it, and it stays open. It does not keep a process running.
 * @param backends returns the backends in order of preference; core's CPU comes after them
 */
export function callsOn(backends: () => Promise<readonly Backend[]>): Calls {
  const open = async (options?: OpenOptions): Promise<Engine> => {
    const isChosen = options?.backend !== undefined || options?.backends !== undefined;
    return openEngine(isChosen ? options : { ...options, backends: await backends() });
  };
  let shared: Promise<Engine> | undefined;
  const engine = (): Promise<Engine> => {
    shared ??= open().catch((error) => {
      shared = undefined;
      throw error;
    });
    return shared;
  };
  // The types are those of the methods, which have several overloads.
  const call = (name: Name) =>
    (async (...given: unknown[]) => {
      const on = await engine();
      return (on[name] as (...all: unknown[]) => unknown).apply(on, given);
    }) as never;
  return {
    histogram: call("histogram"),
    histograms: call("histograms"),
    joint: call("joint"),
    openEngine: open,
  };
}
