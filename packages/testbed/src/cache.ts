import { access, mkdir, mkdtemp, rename, rm } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

/**
 * It is removed with node_modules, and unlike in the system's temporary folder nobody else can place a library in it.
 */
const CACHE = fileURLToPath(new URL("../node_modules/.cache/polybin/", import.meta.url));

const exists = (path: string): Promise<boolean> =>
  access(path).then(
    () => true,
    () => false,
  );

/**
 * Returns a folder that is filled once and then kept. Processes may call it concurrently. Each fills its own folder
 * and renames it, and the first one wins, so nobody sees a half-filled folder.
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
