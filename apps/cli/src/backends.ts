import { type Backend, PolybinError } from "@polybin/core";

/** What a user may tune on every backend that has threads. */
export interface BackendOptions {
  readonly threads?: number;
}

/** A backend that the command knows by name. */
interface Known {
  readonly id: string;
  /** Loads its package. */
  readonly load: (options: BackendOptions) => Promise<Backend>;
}

/** Every backend by its id, the one that `auto` likes best first. Packages are loaded when they are asked for. */
const KNOWN: readonly Known[] = [
  { id: "cuda", load: async () => (await import("@polybin/cuda")).cuda() },
  { id: "webgpu", load: async () => (await import("@polybin/webgpu")).webgpu() },
  { id: "piscina", load: async (options) => (await import("@polybin/piscina")).piscina(options) },
  {
    id: "cpu",
    // Core's own backend, with worker threads for the one algorithm that takes them.
    load: async (options) => (await import("@polybin/core/multithreaded")).multithreaded(options),
  },
];

/** The names that `--backend` takes beside auto, in the order of the documentation. */
export const BACKEND_IDS: readonly string[] = KNOWN.map(({ id }) => id).reverse();

/**
 * A backend by its id.
 * @throws ERR_INPUT for an unknown id; ERR_UNAVAILABLE where its package cannot be loaded.
 */
export async function backendOf(id: string, options: BackendOptions = {}): Promise<Backend> {
  const known = KNOWN.find((candidate) => candidate.id === id);
  if (known === undefined) {
    throw new PolybinError(
      "ERR_INPUT",
      `expected one of auto, ${BACKEND_IDS.join(", ")} for --backend but received ${JSON.stringify(id)}`,
    );
  }
  try {
    return await known.load(options);
  } catch (error) {
    throw new PolybinError("ERR_UNAVAILABLE", `the package of the ${id} backend cannot be loaded: ${error}`, {
      backend: id,
      cause: error,
    });
  }
}

/** What `auto` tries, best first. A package that cannot be loaded is passed over. */
export async function automaticBackends(options: BackendOptions): Promise<Backend[]> {
  const loaded = await Promise.allSettled(KNOWN.map(({ id }) => backendOf(id, options)));
  return loaded.flatMap((result) => (result.status === "fulfilled" ? [result.value] : []));
}
