import type { Backend } from "@polybin/core";

/** A backend as listed by the page. */
export interface ListedBackend {
  readonly id: string;
  readonly available: boolean;
  /** Why it is not available; null if it is. */
  readonly reason: string | null;
  readonly device: string | null;
  readonly algorithms: readonly string[];
}

/** The backends that the server counts on. The caller supplies them, so the server depends on none. */
export interface Backends {
  /** Ids of all backends, in the order in which the page shows them. */
  readonly ids: readonly string[];
  /** Loads a backend by its id. @throws PolybinError if there is none */
  load(id: string): Promise<Backend>;
  /** Whether each backend works here. The server calls it once. */
  list(): Promise<readonly ListedBackend[]>;
}
