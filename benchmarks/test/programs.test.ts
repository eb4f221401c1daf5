import { expect, it } from "vitest";
import { jsonLines } from "../src/programs/lines.ts";

/** Runs a program of the shell, and returns its lines and the reported sentences. */
async function run(script: string) {
  const [lines, missing]: [object[], string[]] = [[], []];
  const report = { miss: (what: string) => void missing.push(what) };
  await jsonLines(
    report,
    "a peer",
    () => ["sh", "-c", script],
    (line) => void lines.push(line),
  );
  return { lines, missing };
}

it("passes on lines, and reports cells that a program cannot measure", async () => {
  expect(await run(`echo '{"a":1}'; echo '{"missing":"cub, u8: no memory"}'; echo '{"a":2}'`)).toEqual({
    lines: [{ a: 1 }, { a: 2 }],
    missing: ["cub, u8: no memory"],
  });
});

it("reports why a program failed, and which cells are missing then", async () => {
  expect((await run("echo first >&2; echo last >&2; exit 3")).missing).toEqual(["a peer: last"]);
  expect((await run(`echo '{"a":1}'; exit 3`)).missing).toEqual([
    "a peer, cells after the last row: the program ended with 3",
  ]);
});
