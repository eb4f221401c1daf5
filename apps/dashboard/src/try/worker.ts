/** The tasks of workers. */
export type Role = "picture" | "decode" | "column" | "camera" | "tasks";

/**
 * The one script of all workers of the playground, so that they share the files of the library. The name of a worker says
 * what it does.
 */
const ROLES: Readonly<Record<Role, () => Promise<object>>> = {
  picture: () => import("./picture/counting.ts"),
  decode: () => import("./picture/decoding.ts"),
  column: () => import("./column/counting.ts"),
  camera: () => import("./camera/counting.ts"),
  tasks: () => import("./tasks/measuring.ts"),
};

/** The module of a task. It handles one message after the other. */
export interface Handler {
  handle(message: unknown): Promise<void>;
}

const role: Promise<Handler> = ROLES[self.name as Role]() as Promise<Handler>;

// Messages may arrive before the module has loaded. All wait for it, in their order.
addEventListener("message", async ({ data }: MessageEvent<unknown>) => {
  try {
    await (await role).handle(data);
  } catch (error) {
    postMessage({ error: (error as Error).message });
  }
});
