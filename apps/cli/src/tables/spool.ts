import { createWriteStream } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, sep } from "node:path";
import { pipeline } from "node:stream/promises";
import { isPolybinError, PolybinError } from "@polybin/core";

/** The name of the file that holds a pipe. Messages show it. */
const NAME = "standard input";

/** Files in place of inputs that can be read only once. */
interface Spooled extends AsyncDisposable {
  readonly paths: readonly string[];
  /** Does work, whose errors name the pipe and not its file. */
  named<T extends { readonly name: string }>(work: () => Promise<T>): Promise<T>;
}

/** Inputs that are read as they are. */
export function unspooled(paths: readonly string[]): Spooled {
  return { paths, named: (work) => work(), [Symbol.asyncDispose]: async () => {} };
}

/** Copies standard input to a temporary file, so that it can be read twice. It goes when the work ends. */
export async function spooled(paths: readonly string[], signal: AbortSignal): Promise<Spooled> {
  if (!paths.includes("-")) return unspooled(paths);
  const folder = await mkdtemp(join(tmpdir(), "polybin-"));
  const remove = () => rm(folder, { recursive: true, force: true });
  const file = join(folder, NAME);
  try {
    await pipeline(process.stdin, createWriteStream(file, { mode: 0o600 }), { signal });
  } catch (error) {
    await remove();
    throw error;
  }
  const renamed = (error: unknown): unknown => {
    if (!isPolybinError(error)) return error;
    const message = error.message.replaceAll(`${folder}${sep}`, "");
    return new PolybinError(error.code, message, { cause: error });
  };
  return {
    paths: paths.map((path) => (path === "-" ? file : path)),
    async named(work) {
      try {
        const found = await work();
        return found.name === NAME ? { ...found, name: "-" } : found;
      } catch (error) {
        throw renamed(error);
      }
    },
    [Symbol.asyncDispose]: remove,
  };
}
