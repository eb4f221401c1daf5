import { settledServer, told } from "../server/server.ts";
import type { Counted, NotCounted } from "./counted.ts";
import { countOnGpu } from "./gpu.ts";
import type { Outcome } from "./outcomes.ts";
import type { Pixels } from "./pixels.ts";
import { countOnWorkers, MANY } from "./workers.ts";

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
