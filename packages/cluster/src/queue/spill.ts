import { createHash, randomUUID } from "node:crypto";
import { constants } from "node:fs";
import { open, readdir, realpath, rename, rm, stat, unlink, writeFile } from "node:fs/promises";
import { join, sep } from "node:path";
import { PolybinError } from "@polybin/core";
import { KEEP_SECONDS } from "./limits.ts";
import { type Node, nodeText } from "./tree.ts";

/** The start of a value in Redis that names a file in place of a partial result. */
const MAGIC = Buffer.from("PBFILE 1 ");
/** A file's name: its job, its node, and the SHA-256 of its bytes. No name leads out of the folder. */
const NAME = /^([0-9a-f]{64})-\d{1,2}\.\d{1,15}-([0-9a-f]{64})\.part$/;
/** Bytes of a value that names a file, at most. */
export const REFERENCE_BYTES = 256;
/** Bytes of a file at most, as of an encoded partial result. */
const MAX_FILE_BYTES = 67_108_864;

/** A partial result that a merge needs is lost. Another attempt would not find it: its shards must be counted again. */
export class LostPartial extends Error {}

/** Whether a value in Redis names a file. */
export const isReference = (value: Uint8Array): boolean =>
  value.byteLength <= REFERENCE_BYTES && MAGIC.equals(value.subarray(0, MAGIC.byteLength));

const nameIn = (reference: Uint8Array): string =>
  Buffer.from(reference.subarray(MAGIC.byteLength)).toString("latin1");

/**
 * A folder for partial results that are too large for Redis. All workers share it. A file gets its name when it is whole, and
 * its name holds the checksum of its bytes.
 */
export class Spill {
  readonly #folder: string;
  /** Bytes of a partial result above which it goes to a file. */
  readonly above: number;

  private constructor(folder: string, above: number) {
    this.#folder = folder;
    this.above = above;
  }

  /**
   * @param allow folders. One of them must hold the folder. Null: any place will do.
   * @throws ERR_INPUT if the folder does not exist, or lies outside.
   */
  static async open(folder: string, above: number, allow: readonly string[] | null): Promise<Spill> {
    const real = await realpath(folder).catch(() => null);
    if (real === null || !(await stat(real)).isDirectory()) {
      throw new PolybinError(
        "ERR_INPUT",
        `expected a folder for spill (--spill) but received ${JSON.stringify(folder)}`,
      );
    }
    const roots = await Promise.all((allow ?? ["/"]).map((root) => realpath(root).catch(() => null)));
    const within = (root: string) => real === root || real.startsWith(root.endsWith(sep) ? root : root + sep);
    if (allow !== null && !roots.some((root) => root !== null && within(root))) {
      throw new PolybinError(
        "ERR_INPUT",
        `expected a spill folder (--spill) in one of ${allow.join(", ")} (allow) but received ${JSON.stringify(folder)}`,
      );
    }
    return new Spill(real, above);
  }

  /** Writes a partial result to a file and returns what Redis keeps for it. */
  async write(id: string, node: Node, bytes: Uint8Array): Promise<Buffer> {
    const name = `${id}-${nodeText(node)}-${sha256(bytes)}.part`;
    const unfinished = join(this.#folder, `.${name}.${randomUUID()}.tmp`);
    try {
      await writeFile(unfinished, bytes, { flag: "wx", mode: 0o640, flush: true });
      // A repetition has the same bytes and replaces the file, which may be damaged.
      await rename(unfinished, join(this.#folder, name));
    } catch (error) {
      await rm(unfinished, { force: true });
      throw error;
    }
    return Buffer.concat([MAGIC, Buffer.from(name)]);
  }

  /** Reads the file that a value of Redis names. @throws LostPartial if it is gone, or has other bytes. */
  async read(id: string, reference: Uint8Array): Promise<Buffer> {
    const name = nameIn(reference);
    const [, owner, sum] = NAME.exec(name) ?? [];
    if (owner !== id) throw new LostPartial("a partial result in Redis names no file of its job");
    const bytes = await this.#bytesOf(name);
    if (bytes !== null && sha256(bytes) === sum) return bytes;
    const what = bytes === null ? "is not" : "has other bytes";
    throw new LostPartial(
      `the file ${name} of a partial result ${what} in ${this.#folder}; do all workers share this folder?`,
    );
  }

  /** No link and no pipe is followed: they could make a worker read elsewhere. */
  async #bytesOf(name: string): Promise<Buffer | null> {
    const flags = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;
    const file = await open(join(this.#folder, name), flags).catch(() => null);
    if (file === null) return null;
    try {
      const info = await file.stat();
      return info.isFile() && info.size <= MAX_FILE_BYTES ? await file.readFile() : null;
    } finally {
      await file.close();
    }
  }

  /** Removes the file that a value of Redis names. */
  async drop(id: string, reference: Uint8Array): Promise<void> {
    const name = nameIn(reference);
    if (NAME.exec(name)?.[1] === id) await removeFile(join(this.#folder, name));
  }

  /** Removes the files of a job. Returns their number. */
  async remove(id: string): Promise<number> {
    return this.#removeAll((owner) => owner === id);
  }

  /** Removes files that Redis has dropped: their jobs are unknown, and they are older than any job. Returns their number. */
  async removeOrphans(known: ReadonlySet<string>): Promise<number> {
    return this.#removeAll(async (owner, path) => {
      if (known.has(owner)) return false;
      const age = Date.now() - ((await stat(path).catch(() => null))?.mtimeMs ?? Date.now());
      return age > KEEP_SECONDS * 1000;
    });
  }

  async #removeAll(wanted: (owner: string, path: string) => boolean | Promise<boolean>): Promise<number> {
    let removed = 0;
    for (const entry of await readdir(this.#folder)) {
      // Unfinished files have the name of the finished one after a dot.
      const name = entry.startsWith(".") ? entry.slice(1).replace(/\.part\..*\.tmp$/, ".part") : entry;
      const owner = NAME.exec(name)?.[1];
      const path = join(this.#folder, entry);
      if (owner === undefined || !(await wanted(owner, path))) continue;
      if (await removeFile(path)) removed++;
    }
    return removed;
  }
}

/** Returns whether there was a file. A folder of this name is not a part and stays. */
async function removeFile(path: string): Promise<boolean> {
  try {
    await unlink(path);
    return true;
  } catch (error) {
    if (["ENOENT", "EISDIR", "EPERM"].includes((error as NodeJS.ErrnoException).code ?? "")) return false;
    throw error;
  }
}

const sha256 = (bytes: Uint8Array): string => createHash("sha256").update(bytes).digest("hex");
