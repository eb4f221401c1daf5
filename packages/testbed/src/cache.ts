import { access, mkdir, mkdtemp, rename, rm } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

/** Gone with node_modules, and nobody else can put a library there, as in the system's folder for temporary files. */
const CACHE = fileURLToPath(new URL("../node_modules/.cache/polybin/", import.meta.url));

const exists = (path: string): Promise<boolean> =>
  access(path).then(
    () => true,
    () => false,
  );

/**
 * A folder that is filled once and then kept. Processes may ask for it at the same time: each fills a folder of its
 * own and renames it, the first one wins, so that nobody ever sees a half-filled one.
 */
export async function filledOnce(name: string, fill: (folder: string) => Promise<void>): Promise<string> {
  const target = join(CACHE, name);
  if (await exists(target)) return target;
  await mkdir(CACHE, { recursive: true });
  const mine = await mkdtemp(join(CACHE, `${name}.`));
  try {
    await fill(mine);
    await rename(mine, target);
  } catch (error) {
    await rm(mine, { recursive: true, force: true });
    if (!(await exists(target))) throw error;
  }
  return target;
}
