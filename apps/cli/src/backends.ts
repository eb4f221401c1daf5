import { type Backend, isPolybinError, PolybinError } from "@polybin/core";

/** What a user may tune on every backend that has threads. */
export interface BackendOptions {
  readonly threads?: number;
}

/** A backend that the command knows by name. */
interface Known {
  readonly id: string;
  /** Loads its package, which makes the backend. */
  readonly load: () => Promise<(options: BackendOptions) => Backend>;
}

/** Every backend by its id, the one that `auto` likes best first. Packages are loaded when they are asked for. */
const KNOWN: readonly Known[] = [
  {
    id: "cuda",
    load: async () => {
      const { cuda } = await import("@polybin/cuda");
      return () => cuda();
    },
  },
  {
    id: "webgpu",
    load: async () => {
      const { webgpu } = await import("@polybin/webgpu");
      return () => webgpu();
    },
  },
  {
    id: "piscina",
    load: async () => {
      const { piscina } = await import("@polybin/piscina");
      return ({ threads }) => piscina(threads === undefined ? {} : { threads });
    },
  },
  {
    id: "cpu",
    // Core's own backend, with worker threads for the one algorithm that takes them.
    load: async () => {
      const { multithreaded } = await import("@polybin/core/multithreaded");
      return ({ threads }) => multithreaded(threads === undefined ? {} : { threads });
    },
  },
];

/** The names that `--backend` takes beside auto, in the order of the documentation. */
export const BACKEND_IDS: readonly string[] = KNOWN.map(({ id }) => id).reverse();

/**
 * A backend by its id.
 * @throws ERR_INPUT for an unknown id; ERR_UNAVAILABLE where its package cannot be loaded; what it says of its options.
 */
export async function backendOf(id: string, options: BackendOptions = {}): Promise<Backend> {
  const known = KNOWN.find((candidate) => candidate.id === id);
  if (known === undefined) {
    throw new PolybinError(
      "ERR_INPUT",
      `expected one of auto, ${BACKEND_IDS.join(", ")} for --backend but received ${JSON.stringify(id)}`,
    );
  }
  const make = await known.load().catch((error: unknown) => {
    throw new PolybinError("ERR_UNAVAILABLE", `the package of the ${id} backend cannot be loaded: ${error}`, {
      backend: id,
      cause: error,
    });
  });
  return make(options);
}

/** What `auto` tries, best first. A package that cannot be loaded is passed over; wrong options are an error. */
export async function automaticBackends(options: BackendOptions): Promise<Backend[]> {
  const found = await Promise.all(KNOWN.map(({ id }) => backendOf(id, options).catch(unlessMissing)));
  return found.filter((backend) => backend !== null);
}

function unlessMissing(error: unknown): null {
  if (isPolybinError(error) && error.code === "ERR_UNAVAILABLE") return null;
  throw error;
}
