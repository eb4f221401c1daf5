import type { Backend } from "@polybin/core";

/** A backend as the page lists it. */
export interface ListedBackend {
  readonly id: string;
  readonly available: boolean;
  /** Why it is not available; null where it is. */
  readonly reason: string | null;
  readonly device: string | null;
  readonly algorithms: readonly string[];
}

/** The backends that the server counts on. Whoever starts it says which: it depends on none. */
export interface Backends {
  /** All of them, in the order in which the page shows them. */
  readonly ids: readonly string[];
  /** A backend by its id. @throws PolybinError where there is none */
  load(id: string): Promise<Backend>;
  /** Whether each works here. It is asked once. */
  list(): Promise<readonly ListedBackend[]>;
}
