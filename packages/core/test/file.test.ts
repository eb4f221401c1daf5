import { describe, it } from "vitest";
import { fileSamples } from "../src/input/file.ts";
import { checkFile, type FileState } from "../src/input/file-state.ts";
import type { Input } from "../src/input/handed.ts";
import { expectError } from "./helpers.ts";

const call = () => ({
  kind: "file" as const,
  file: fileSamples({ path: "f", bytes: 80, offset: 20, type: "f32", channels: 2 }),
});
const state = (changes: Partial<Omit<FileState, "isFile">> = {}, isFile = true): FileState => ({
  dev: 1n,
  ino: 2n,
  size: 100n,
  mtimeNs: 3n,
  ...changes,
  isFile: () => isFile,
});

describe("the file of a call", () => {
  it("holds the described bytes", () => {
    checkFile(call(), state());
    checkFile(call(), state({ size: 101n }));
    expectError(() => checkFile(call(), state({ size: 99n })), "ERR_INPUT", "100 bytes in f but it has 99");
    expectError(() => checkFile(call(), state({}, false)), "ERR_INPUT", "a regular file");
  });

  it.each([[{ dev: 9n }], [{ ino: 9n }], [{ mtimeNs: 9n }], [{ mtimeNs: 2n }]])(
    "stays the file that it was: %o",
    (changes) => {
      const input: Extract<Input, { kind: "file" }> = call();
      checkFile(input, state());
      checkFile(input, state());
      expectError(() => checkFile(input, state(changes)), "ERR_INPUT", "f to stay unchanged", "was changed");
      checkFile(call(), state(changes));
    },
  );

  it("may grow, but must not change otherwise", () => {
    const input = call();
    checkFile(input, state());
    checkFile(input, state({ size: 108n, mtimeNs: 4n }));
    checkFile(input, state({ size: 108n, mtimeNs: 4n }));
    expectError(() => checkFile(input, state({ size: 108n, mtimeNs: 5n })), "ERR_INPUT", "was changed");
    expectError(() => checkFile(input, state({ size: 104n, mtimeNs: 5n })), "ERR_INPUT", "was changed");
  });
});
