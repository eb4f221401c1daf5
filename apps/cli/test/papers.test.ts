import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { polybin } from "./command.ts";

const scratch = mkdtempSync(join(tmpdir(), "polybin-papers-"));
afterAll(() => rmSync(scratch, { recursive: true }));

const results = new URL("../../../benchmarks/results/nvidia-h200", import.meta.url).pathname;
const inScratch = (name: string) => join(scratch, name);

/** A folder with one file. */
function folderOf(name: string, file: string, text: string): string {
  mkdirSync(inScratch(name));
  writeFileSync(join(inScratch(name), file), text);
  return inScratch(name);
}

test("papers writes the report of result files", async () => {
  const { code, stdout, stderr } = await polybin(["papers", "--from", results, "--out", scratch]);
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  expect(stdout).toMatch(/^brown-snoeyink +Figure 4: .* agrees/);
  expect(readFileSync(join(scratch, "README.md"), "utf8")).toContain("### Figure 4");
});

test("papers writes the page to another file, whose pictures are in the report's folder", async () => {
  const [out, page] = [inScratch("apart/report"), inScratch("apart/papers/page.md")];
  const { stdout } = await polybin(["papers", "--from", results, "--out", out, "--page", page]);
  expect(stdout.trimEnd().split("\n").at(-1)).toBe(page);
  expect(existsSync(join(out, "README.md"))).toBe(false);
  const pictures = [...readFileSync(page, "utf8").matchAll(/!\[[^\]]*\]\(([^)]+)\)/g)].map(
    ([, file]) => file!,
  );
  expect(pictures.length).toBeGreaterThan(10);
  for (const file of pictures) expect(existsSync(join(dirname(page), file)), file).toBe(true);
});

test("papers says how it is used", async () => {
  expect(await polybin(["papers", "--help"])).toMatchObject({
    code: 0,
    stdout: expect.stringMatching(/^Usage: polybin papers/),
  });
  expect((await polybin(["papers", "--nonsense"])).code).toBe(2);
});

/** Nothing is measured or written for what is refused: `made` is not there. */
test("papers refuses wrong input in a line, before it measures or writes", { timeout: 120_000 }, async () => {
  const made = inScratch("made");
  const note = inScratch("note.txt");
  writeFileSync(note, "no picture");
  const bare = folderOf("bare", "cuda-trish.json", '{"schema":1,"rows":[{}]}');
  const torn = folderOf("torn", "cuda-trish.json", '{"schema":1,');
  const onlyCuda = inScratch("only-cuda");
  cpSync(join(results, "cuda-trish.json"), join(onlyCuda, "cuda-trish.json"));
  const cases: readonly (readonly [says: RegExp, ...args: string[]])[] = [
    [/nowhere/, "--from", inScratch("nowhere")],
    [/note\.txt/, "--picture", note],
    [/nowhere\.png/, "--picture", inScratch("nowhere.png")],
    [/--from without --picture/, "--from", results, "--picture", note],
    [/--from without --mode/, "--from", results, "--mode", "demo"],
    [/--mode demo\|partial\|full but received "fast"/, "--mode", "fast"],
    [/a file for --page but received/, "--from", results, "--page", scratch],
    [/cuda\|webgpu\|piscina but received "foo"/, "--from", results, "--backend", "foo"],
    [/cuda\|webgpu\|piscina but received "foo"/, "--backend", "foo"],
    [/files of webgpu in --from/, "--from", onlyCuda, "--backend", "webgpu"],
    [/--backend once/, "--from", results, "--backend", "cuda", "--backend", "webgpu"],
    [/--from together with --backend/, "--backend", "cuda"],
    [/bare: cuda-trish\.json: .*commit/, "--from", bare],
    [/torn: cuda-trish\.json: /, "--from", torn],
  ];
  for (const [says, ...args] of cases) {
    const { code, stdout, stderr } = await polybin(["papers", "--out", made, ...args]);
    expect({ code, stdout }, args.join(" ")).toEqual({ code: 2, stdout: "" });
    expect(stderr).toMatch(/^error\[ERR_INPUT\]: .*\n$/);
    expect(stderr).toMatch(says);
    expect(existsSync(made), args.join(" ")).toBe(false);
  }
  const onFile = await polybin(["papers", "--from", onlyCuda, "--out", note]);
  expect(onFile).toMatchObject({
    code: 2,
    stderr: expect.stringMatching(/^error\[ERR_INPUT\]: .*note\.txt.*\n$/),
  });
});
