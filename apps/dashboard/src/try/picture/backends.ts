import { settledServer, told } from "../server/server.ts";
import { type Counted, differences, isCounted, type NotCounted, sizeOfCounts } from "./counted.ts";
import { countOnGpu } from "./gpu.ts";
import type { Pixels } from "./pixels.ts";
import { countOnWorkers, MANY } from "./workers.ts";

/** The result of a backend, and where it counted. */
export interface Outcome {
  readonly where: "page" | "server";
  readonly result: Counted | NotCounted;
}

/** Counts a picture on every backend in sequence: those in the page, then those of the local server if there is one. */
export async function* onBackends(pixels: Pixels, signal: AbortSignal): AsyncGenerator<Outcome> {
  for (const [backend, work] of [
    ["cpu", () => countOnWorkers(pixels, 1)],
    ["workers", () => countOnWorkers(pixels, MANY)],
    ["webgpu", () => countOnGpu(pixels)],
  ] as const) {
    const result = await work().catch((error: Error): NotCounted => ({ backend, reason: error.message }));
    if (signal.aborted) return;
    yield { where: "page", result };
  }
  yield* onServer(pixels, signal);
}

/** The server takes red, green, blue and alpha of 8 bits. */
async function* onServer(pixels: Pixels, signal: AbortSignal): AsyncGenerator<Outcome> {
  const state = await settledServer();
  if (state.kind !== "here") return;
  const { data, width, height, channels } = pixels;
  const refused = (backend: string, reason: string): Outcome => ({
    where: "server",
    result: { backend, reason },
  });
  if (channels !== 4 || !(data instanceof Uint8Array)) {
    yield refused("server", "it counts four channels of 8 bits only");
    return;
  }
  for (const { id, available, reason } of state.backends) {
    if (!available) yield refused(id, reason ?? "not available");
  }
  const ids = state.backends.filter(({ available }) => available).map(({ id }) => id);
  if (ids.length === 0) return;
  const query = new URLSearchParams({ width: `${width}`, height: `${height}`, backends: ids.join(",") });
  const headers = { "content-type": "application/octet-stream" };
  try {
    for await (const event of told(`api/histogram?${query}`, { body: data, headers, signal })) {
      if (event.event === "result") yield { where: "server", result: event as unknown as Counted };
      if (event.event === "absent") yield refused(String(event.backend), String(event.message));
    }
  } catch (error) {
    if (!signal.aborted) yield refused("server", (error as Error).message);
  }
}

/** How a result compares with the reference, which is core's CPU backend on one worker of the page. */
export type Verdict = "no reference" | "the reference" | "equal" | { readonly differ: number };

/** Returns the reference, or null if it could not count. */
export function referenceOf(outcomes: readonly Outcome[]): Counted | null {
  const found = outcomes.find(({ where, result }) => where === "page" && result.backend === "cpu")?.result;
  return found !== undefined && isCounted(found) ? found : null;
}

export function verdict(result: Counted, reference: Counted | null): Verdict {
  if (reference === null) return "no reference";
  if (result === reference) return "the reference";
  const differ = differences(result, reference);
  return differ === 0 ? "equal" : { differ };
}

/** One line about all backends: "5 backends, 1,024 counts equal". */
export function summary(outcomes: readonly Outcome[]): { readonly text: string; readonly isGood: boolean } {
  const reference = referenceOf(outcomes);
  const results = outcomes.map(({ result }) => result).filter(isCounted);
  const backends = `${results.length} backend${results.length === 1 ? "" : "s"}`;
  if (reference === null)
    return { text: `${backends}, not compared: the reference is missing`, isGood: false };
  const others = results.filter((result) => result !== reference);
  const wrong = others.filter((result) => differences(result, reference) > 0);
  const counts = sizeOfCounts(reference).toLocaleString("en");
  if (wrong.length > 0) {
    const names = wrong.map(({ backend }) => backend).join(", ");
    return {
      text: `${backends}, ${wrong.length} with other counts than the reference: ${names}`,
      isGood: false,
    };
  }
  return {
    text: others.length === 0 ? `${backends}, ${counts} counts` : `${backends}, ${counts} counts equal`,
    isGood: true,
  };
}
