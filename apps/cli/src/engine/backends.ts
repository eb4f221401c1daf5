import { type Backend, type Engine, isPolybinError, openEngine, PolybinError } from "@polybin/core";

/** Options of every backend that has threads. */
export interface BackendOptions {
  readonly threads?: number;
}

/** A backend that the command knows by name. */
interface Known {
  readonly id: string;
  /** Loads its package, and returns the function that makes the backend. */
  readonly load: () => Promise<(options: BackendOptions) => Backend>;
}

/** Every backend, in the order in which `auto` tries them. Packages are loaded on first use. */
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
    id: "native",
    load: async () => {
      const { native } = await import("@polybin/native");
      return ({ threads }) => native(threads === undefined ? {} : { threads });
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
    // Core's own backend, with worker threads for the one algorithm that uses them.
    load: async () => {
      const { multithreaded } = await import("@polybin/core/multithreaded");
      return ({ threads }) => multithreaded(threads === undefined ? {} : { threads });
    },
  },
];

/** The names that `--backend` takes in addition to auto, in the order of the documentation. */
export const BACKEND_IDS: readonly string[] = KNOWN.map(({ id }) => id).reverse();

/**
 * Makes a backend.
 * @throws ERR_INPUT for an unknown id. ERR_UNAVAILABLE if its package cannot be loaded. Any error of its options.
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

/** The backend whose calls start at once: it has no workers and no device to start. */
export const AT_ONCE: readonly string[] = ["native"];

/** The backends that count in the machine's own memory, where the threads that decode a table leave its values. */
export const IN_MEMORY: readonly string[] = ["native", "piscina"];

/**
 * Opens the first of these backends that works here, or core's own. Packages of those after it are not loaded. Those that
 * cannot be loaded are passed over. Wrong options are an error.
 * @param ids the backends to try. Default: all, best first
 * @param able which backends do what is asked for
 */
export async function openFirst(
  options: BackendOptions,
  able: (backend: Backend) => boolean = () => true,
  ids: readonly string[] = KNOWN.map(({ id }) => id),
): Promise<Engine> {
  for (const id of ids) {
    const backend = await backendOf(id, options).catch(unlessMissing);
    if (backend === null || !able(backend)) continue;
    const engine = await openEngine({ backends: [backend] });
    if (engine.skipped.length === 0) return engine;
    await engine.close();
  }
  return openEngine();
}

function unlessMissing(error: unknown): null {
  if (isPolybinError(error) && error.code === "ERR_UNAVAILABLE") return null;
  throw error;
}
