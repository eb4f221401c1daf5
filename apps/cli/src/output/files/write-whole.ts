import { randomUUID } from "node:crypto";
import { chmod, rename, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { Target } from "./targets.ts";

/** A file and its content. */
export interface Content {
  readonly target: Target;
  readonly data: string | Uint8Array;
}

/**
 * Writes files so that each is complete or stays as it was. Writes all of them next to their destination first, then
 * renames each.
 * @throws the file system's own error, with the path as it was typed
 */
export async function writeWhole(contents: readonly Content[]): Promise<void> {
  const written: { readonly beside: string; readonly target: Target }[] = [];
  try {
    for (const { target, data } of contents) {
      await named(target, async () => {
        if (!target.isFile) return writeFile(target.path, data);
        const beside = join(dirname(target.path), `.polybin-${randomUUID()}.tmp`);
        written.push({ beside, target });
        await writeFile(beside, data, { flag: "wx" });
        if (target.mode !== null) await chmod(beside, target.mode);
      });
    }
    for (const { beside, target } of written) await named(target, () => rename(beside, target.path));
  } finally {
    // A file that was renamed does not exist under this name.
    await Promise.all(written.map(({ beside }) => rm(beside, { force: true })));
  }
}

/** Names the typed path in an error, since nobody knows the temporary name. */
async function named(target: Target, work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    throw error instanceof Error ? Object.assign(error, { path: target.typed }) : error;
  }
}
