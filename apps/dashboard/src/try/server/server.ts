import type { ListedBackend } from "../../../server/backends.ts";
import type { MachineOfServer } from "../../../server/machine.ts";

/** The known state of the page's server. `none` means a static site. */
export type ServerState =
  | { readonly kind: "none" }
  | { readonly kind: "asking" }
  | { readonly kind: "away" }
  | { readonly kind: "here"; readonly backends: readonly ListedBackend[]; readonly machine: MachineOfServer };

const EVERY_MS = 3000;

let state: ServerState =
  document.documentElement.dataset.server === "here" ? { kind: "asking" } : { kind: "none" };
let asking = false;
const listeners = new Set<() => void>();

export const serverState = (): ServerState => state;

/** Calls back whenever the server appears, disappears or has other backends. Polls it from the first call on. */
export function watchServer(changed: () => void): void {
  listeners.add(changed);
  if (state.kind === "none" || asking) return;
  asking = true;
  void ask();
}

/** Resolves to the server's state once it has answered or failed to answer. */
export async function settledServer(): Promise<ServerState> {
  while (state.kind === "asking") await new Promise<void>((resolve) => listeners.add(resolve));
  return state;
}

async function ask(): Promise<void> {
  const before = JSON.stringify(state);
  try {
    const response = await fetch("api/status");
    if (!response.ok) throw new Error(response.statusText);
    const { backends, machine } = (await response.json()) as Omit<ServerState & { kind: "here" }, "kind">;
    state = { kind: "here", backends, machine };
  } catch {
    state = { kind: "away" };
  }
  if (JSON.stringify(state) !== before) for (const listener of listeners) listener();
  setTimeout(() => void ask(), EVERY_MS);
}

/** One line of a response. */
export type ServerEvent = { readonly event: string } & Readonly<Record<string, unknown>>;

/**
 * Sends a request to the server and yields the lines of its response. Aborting stops the work on the server.
 * @throws an error with the server's own message if it refuses or fails.
 */
export async function* told(path: string, init: RequestInit): AsyncGenerator<ServerEvent> {
  const response = await fetch(path, { ...init, method: "POST" });
  if (!response.ok) {
    const { error } = (await response.json()) as { error: { code: string; message: string } };
    throw new Error(`${error.message} (${error.code})`);
  }
  let rest = "";
  // Not every browser can walk a stream with `for await`.
  const reader = response.body!.pipeThrough(new TextDecoderStream()).getReader();
  for (let part = await reader.read(); !part.done; part = await reader.read()) {
    const lines = (rest + part.value).split("\n");
    rest = lines.pop()!;
    for (const line of lines) {
      const event = JSON.parse(line) as ServerEvent;
      if (event.event === "done") return;
      if (event.event === "error") throw new Error(`${event.message} (${event.code})`);
      yield event;
    }
  }
  throw new Error("expected the end of the server's answer but the connection ended before it");
}
