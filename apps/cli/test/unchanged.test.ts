import { appendFileSync, renameSync, truncateSync, utimesSync, writeFileSync } from "node:fs";
import { cpu, type Engine, openEngine } from "@polybin/core";
import { piscina } from "@polybin/piscina";
import { describe, expect, test } from "vitest";
import { count } from "../src/hist/count.ts";
import { parseRequest } from "../src/hist/request.ts";
import { openSource, type Source } from "../src/input/source.ts";
import { readLibsvm } from "../src/weighted/input/libsvm.ts";
import { file } from "./command.ts";

const { signal } = new AbortController();
const LATER = 4e9;
/** More than is read at once. */
const floats = new Uint8Array(Float32Array.from({ length: 1_000_000 }, (_, i) => i % 1000).buffer);
const SAMPLES = floats.length / 4;

const CHANGES: readonly (readonly [what: string, change: (path: string) => void])[] = [
  ["is cut to nothing", (path) => truncateSync(path, 0)],
  ["is cut by a sample", (path) => truncateSync(path, floats.length - 4)],
  ["is cut to what was read", (path) => truncateSync(path, 1 << 20)],
  ["grows", (path) => appendFileSync(path, "four")],
  [
    "is written to",
    (path) => {
      writeFileSync(path, "four", { flag: "r+" });
      utimesSync(path, LATER, LATER);
    },
  ],
  [
    "makes way for another one",
    (path) => {
      writeFileSync(`${path}-new`, floats);
      renameSync(`${path}-new`, path);
    },
  ],
];

/** A source whose file changes when a stream of it has delivered its first bytes; `pass`: of which stream. */
function changing(source: Source, pass: number, change: () => void): Source {
  let passes = 0;
  async function* stream(): AsyncGenerator<Uint8Array> {
    const isIt = passes++ === pass;
    let first = true;
    for await (const chunk of source.stream()) {
      if (isIt && first) change();
      first = false;
      yield chunk;
    }
  }
  return { ...source, stream };
}

const request = (options: object) =>
  parseRequest({ channel: "all", backend: "cpu", algorithm: "auto", type: "f32", ...options });
/** Whatever there is to count, it is counted there. */
const on = (engine: Engine) => ({ alone: () => 0, engine: async () => engine });
const refused = {
  code: "ERR_INPUT",
  message: expect.stringMatching(/stay (unchanged|as it is)|cannot read|bytes in/),
};

describe.each(CHANGES)("a file that %s", (_, change) => {
  test.for([
    ["while it is counted", { range: "0,1000" }, 0],
    ["while its range is looked for", {}, 0],
    ["between its range and its counts", {}, 1],
  ] as const)("%s on the CPU is refused", async ([, options, pass]) => {
    const path = file("floats", floats);
    await using engine = await openEngine({ backend: cpu() });
    const source = changing(await openSource(path, signal), pass, () => change(path));
    await expect(count(source, request(options), on(engine), signal, () => {})).rejects.toMatchObject(
      refused,
    );
  });

  test.for([
    ["before it is counted", "opened"],
    ["once it is counted", "counted"],
  ] as const)("%s by the pool is refused", async ([, when]) => {
    const path = file("floats", floats);
    await using engine = await openEngine({ backend: piscina({ threads: 1 }) });
    const source = await openSource(path, signal);
    if (when === "opened") change(path);
    // The last report is that all bytes are counted.
    const watch = ({ done }: { readonly done: number }) =>
      void (when === "counted" && done === floats.length && change(path));
    await expect(count(source, request({}), on(engine), signal, watch)).rejects.toMatchObject(refused);
  });

  test("while it is read as text is refused", async () => {
    const line = "1 1:0.5 2:7\n";
    const path = file("text", line.repeat(Math.ceil(floats.length / line.length)));
    const source = changing(await openSource(path, signal), 0, () => change(path));
    await expect(readLibsvm(source, signal, () => {})).rejects.toMatchObject({ code: "ERR_INPUT" });
  });
});

test("a file that stays as it is is counted, however often it is read", async () => {
  const source = await openSource(file("floats", floats), signal);
  for (const backend of [cpu(), piscina({ threads: 1 })]) {
    await using engine = await openEngine({ backend });
    for (const options of [{}, { range: "0,1000" }]) {
      const { input } = await count(source, request(options), on(engine), signal, () => {});
      expect(input.samples).toBe(SAMPLES);
    }
  }
});
