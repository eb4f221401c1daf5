import type { ListedBackend } from "../../server/backends.ts";

/** What is known of the server that the page comes from: none is a static site. */
export type ServerState =
  | { readonly kind: "none" }
  | { readonly kind: "asking" }
  | { readonly kind: "away" }
  | { readonly kind: "here"; readonly backends: readonly ListedBackend[] };

const EVERY_MS = 3000;

let state: ServerState =
  document.documentElement.dataset.server === "here" ? { kind: "asking" } : { kind: "none" };
let asking = false;
const listeners = new Set<() => void>();

export const serverState = (): ServerState => state;

/** Calls back whenever the server came, went, or has other backends. Asks it now and then from the first call on. */
export function watchServer(changed: () => void): void {
  listeners.add(changed);
  if (state.kind === "none" || asking) return;
  asking = true;
  void ask();
}

/** What is known of the server once it has answered, or has not. */
export async function settledServer(): Promise<ServerState> {
  while (state.kind === "asking") await new Promise<void>((resolve) => listeners.add(resolve));
  return state;
}

async function ask(): Promise<void> {
  const before = JSON.stringify(state);
  try {
    const response = await fetch("api/status");
    if (!response.ok) throw new Error(response.statusText);
    const { backends } = (await response.json()) as { backends: readonly ListedBackend[] };
    state = { kind: "here", backends };
  } catch {
    state = { kind: "away" };
  }
  if (JSON.stringify(state) !== before) for (const listener of listeners) listener();
  setTimeout(() => void ask(), EVERY_MS);
}

/** One line of an answer. */
export type ServerEvent = { readonly event: string } & Readonly<Record<string, unknown>>;

/**
 * Sends something to the server and yields what it tells, line by line, until it is done. Aborting ends the work there.
 * @throws with the server's own message where it refuses or fails.
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
  throw new Error("the server ended in the middle of its answer");
}
