import { mkdir, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterEach, expect, it } from "vitest";
import { filledOnce } from "../src/cache.ts";

const NAME = `cache-test-${process.pid}`;
let folder: string | undefined;

afterEach(async () => {
  if (folder !== undefined) await rm(folder, { recursive: true, force: true });
});

it("concurrent fills of a folder all get the same complete one, and leave nothing else", async () => {
  let fills = 0;
  const fill = async (target: string): Promise<void> => {
    fills += 1;
    await mkdir(join(target, "lib"));
    await sleep(5);
    await writeFile(join(target, "lib/last"), "whole");
  };
  const folders = await Promise.all(Array.from({ length: 8 }, () => filledOnce(NAME, fill)));
  folder = folders[0] as string;
  expect(new Set(folders).size).toBe(1);
  expect(fills).toBe(8);
  expect(await readFile(join(folder, "lib/last"), "utf8")).toBe("whole");
  expect((await readdir(dirname(folder))).filter((name) => name.startsWith(NAME))).toEqual([
    basename(folder),
  ]);
  await filledOnce(NAME, fill);
  expect(fills).toBe(8);
});

it("a failed fill rejects and leaves nothing", async () => {
  const failing = filledOnce(`${NAME}-failing`, () => Promise.reject(new Error("disk full")));
  await expect(failing).rejects.toThrow("disk full");
});
