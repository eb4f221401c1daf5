import { type Backend, type Engine, openEngine } from "@polybin/core";
import { automaticBackends, backendOf } from "./backends.ts";

/** What of a request decides where it is worked on. */
interface Where {
  readonly backend: string;
  readonly threads: number | undefined;
}

/** Opens the backend that was asked for, or the first that works here. */
export function engineFor(where: Where): Promise<Engine> {
  return open(where, () => true);
}

/** The same among those that have weighted sums. */
export function weightedEngineFor(where: Where): Promise<Engine> {
  return open(where, ({ weighted = [] }) => weighted.length > 0);
}

async function open({ backend, threads }: Where, able: (backend: Backend) => boolean): Promise<Engine> {
  const options = threads === undefined ? {} : { threads };
  if (backend !== "auto") return openEngine({ backend: await backendOf(backend, options) });
  return openEngine({ backends: (await automaticBackends(options)).filter(able) });
}
