import { describe } from "vitest";
import { itReadsRight } from "./runs.ts";

/** The part of `.ci/nodes.mjs` that this test uses. */
interface Nodes {
  readonly LINES: readonly number[];
  readonly binaryOf: (line: number) => string;
  readonly install: () => Promise<string | null>;
}

const { LINES, binaryOf, install } = (await import(
  new URL("../../../../.ci/nodes.mjs", import.meta.url).href
)) as Nodes;
const hasNodes = process.platform === "linux" && process.arch === "x64";
const failed = hasNodes ? await install() : null;
if (failed !== null) throw new Error(failed);

describe.each([...LINES])("the first call of each decoder in a process, on Node %i", (line) => {
  itReadsRight(binaryOf(line), 50, hasNodes ? null : "only Linux on x64 has the other Nodes from npm");
});
