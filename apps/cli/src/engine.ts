import { type Engine, openEngine } from "@polybin/core";
import { automaticBackends, backendOf } from "./backends.ts";
import type { Request } from "./request.ts";

/** Opens the backend that was asked for, or the first that works here. */
export async function engineFor({ backend, threads }: Request): Promise<Engine> {
  const options = threads === undefined ? {} : { threads };
  if (backend === "auto") return openEngine({ backends: await automaticBackends(options) });
  return openEngine({ backend: await backendOf(backend, options) });
}
