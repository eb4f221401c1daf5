// docs/internals/adding-a-backend.md is carried out as written, in a folder of its own.
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { runConformance } from "@polybin/conformance";
import type { Backend } from "@polybin/core";
import { expect, test } from "vitest";
import { type Block, blocksOf } from "./blocks.ts";
import { compile, project, run, write } from "./run.ts";

const PAGE = "docs/internals/adding-a-backend.md";
const filesOf = (page: string): Block[] => blocksOf(page).filter(({ mark }) => mark?.word === "file");

test("docs/internals/adding-a-backend.md: it compiles, counts and keeps the contract", async () => {
  const folder = project();
  for (const { mark, text } of filesOf(PAGE)) write(folder, mark!.text, `${text}\n`);
  expect(await compile(folder)).toBe("");
  const { stdout, stderr } = await run(process.execPath, [join(folder, "src", "main.ts")]);
  expect({ stdout, stderr }).toEqual({ stdout: "1000 plain global\n", stderr: "" });
  const explained = await run(process.execPath, [join(folder, "src", "explain.ts")]);
  const [shown] = blocksOf(PAGE).filter(
    ({ language, mark }) => language === "text" && mark?.word === "tested",
  );
  expect(explained.stdout.trimEnd()).toBe(shown!.text);
  const { plain } = (await import(
    /* @vite-ignore */ pathToFileURL(join(folder, "src", "backend.ts")).href
  )) as {
    plain: () => Backend;
  };
  const { results, passed } = await runConformance(plain, { required: true, numRuns: 5 });
  expect(results.filter(({ status }) => status === "failed")).toEqual([]);
  expect(passed).toBeGreaterThan(50);
});
