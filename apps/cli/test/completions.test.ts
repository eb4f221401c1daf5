import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { expect, type TestContext, test } from "vitest";
import { SHELLS, usageOf } from "../src/completions/usage.ts";
import { program } from "../src/program.ts";
import { file, here, refused } from "./command.ts";

/** Prints what zsh offers after a line. */
const COMPLETE = fileURLToPath(new URL("fixtures/complete.zsh", import.meta.url));

const usage = usageOf(program(new AbortController().signal));

async function script(shell: string): Promise<string> {
  const { code, stdout, stderr } = await here(["completions", shell]);
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  return stdout;
}

/** Runs a shell, which must succeed and say nothing on stderr. */
function run({ skip }: TestContext, shell: string, args: readonly string[]): string {
  const { status, stdout, stderr, error } = spawnSync(shell, args, { encoding: "utf8" });
  if (error !== undefined) skip(`${shell} is not installed here: ${error.message}`);
  expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
  return stdout;
}

test.each(SHELLS)("%s knows every command, option and word of help", async (shell) => {
  const text = await script(shell);
  for (const { name, options } of usage.commands) {
    expect(text).toContain(name);
    for (const { long, value } of options) {
      expect(text).toContain(shell === "fish" ? `-l ${long.slice(2)} ` : long);
      if (Array.isArray(value)) expect(text).toContain(value.join(" "));
    }
  }
});

const CASES: readonly (readonly [line: string, ...words: string[]])[] = [
  ["polybin h", "help", "hist"],
  ["polybin completions ", "bash", "fish", "zsh"],
  ["polybin hist --ti", "--tiles"],
  ["polybin hist --range ", "data", "type"],
  ["polybin hist x.png --scale li", "linear"],
  ["polybin weighted --algorithm weighted-f", "weighted-fixed-point"],
  ["polybin backends --", "--help", "--json", "--verbose"],
  ["polybin hist --bins "],
];

test("bash offers them, and leaves file names to readline", async (context) => {
  const path = file("polybin.bash", await script("bash"));
  const offered = (line: string) => {
    const words = line.split(" ").map((word) => `'${word}'`);
    return run(context, "bash", [
      "-c",
      // compopt works while bash completes only.
      `source ${path}; compopt() { echo "compopt $*"; }; COMP_WORDS=(${words.join(" ")}); COMP_CWORD=$((\${#COMP_WORDS[@]} - 1)); _polybin; printf '%s\\n' "\${COMPREPLY[@]}"`,
    ])
      .split("\n")
      .filter(Boolean)
      .sort();
  };
  for (const [line, ...words] of CASES) {
    expect(offered(line), line).toEqual([...words, "compopt +o default"].sort());
  }
  // The first word may be a file.
  expect(offered("polybin photo.p")).toContain("compopt -o default");
  expect(offered("polybin hist --range = ty")).toContain("type");
  for (const line of ["polybin hist x", "polybin hist --svg x", "polybin weighted --weights x"]) {
    expect(offered(line), line).toEqual([]);
  }
});

test("fish offers them, and file names", async (context) => {
  const path = file("polybin.fish", await script("fish"));
  const offered = (line: string) =>
    run(context, "fish", ["--no-config", "-c", `source ${path}; complete -C '${line}'`])
      .split("\n")
      .filter(Boolean)
      .map((text) => text.split("\t")[0])
      .sort();
  for (const [line, ...words] of CASES) expect(offered(line), line).toEqual([...words].sort());
  for (const line of ["polybin hist ", "polybin hist --svg "]) {
    expect(offered(`${line}${path.slice(0, -5)}`), line).toEqual([path]);
  }
});

test("zsh offers them, and file names", async (context) => {
  const path = file("_polybin", await script("zsh"));
  const offered = (line: string) =>
    run(context, "zsh", ["-f", COMPLETE, path, line]).split("\n").filter(Boolean);
  for (const [line, ...words] of CASES) expect(offered(line), line).toEqual([...words].sort());
  for (const line of ["polybin hist ", "polybin hist --svg "]) {
    expect(offered(`${line}${path.slice(0, -2)}`), line).toEqual(["_polybin"]);
  }
});

test("another shell is refused", async () => {
  await refused(["completions", "csh"], "ERR_INPUT", /one of bash, zsh, fish for SHELL but received "csh"/);
  await refused(["completions"], "ERR_INPUT", /SHELL/);
});
