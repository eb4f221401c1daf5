import { type FileInput, fileSamples, regular, type SampleType } from "@polybin/core";
import { limits, SAMPLE_TRAITS } from "@polybin/core/backend";
import { wholeAxis } from "../axes.ts";
import { type Case, type Context, Skip, type Topic } from "../case.ts";
import { generate } from "../generators.ts";
import { type NodeFiles, nodeFiles } from "../node.ts";
import { countByDefinition } from "../oracle/counts.ts";
import { Inputs } from "../request/inputs.ts";
import { extentOf } from "../request/samples.ts";

const bins = limits.PER_THREAD_64_BINS;
const SIZES: readonly number[] = [0, 1, 3, 4097, 1_000_003];

/** Cases of files, whether the backend or the calling thread reads them. */
export const files: Topic = () => [
  onFiles("sizes from 0 to 1,000,003 bytes", sizes),
  onFiles("the range of every type", extents),
  onFiles("an axis for each channel, and progress", everyCall),
  onFiles("a missing file, a folder, and a file shorter than its description", wrongFiles),
];

/** A case's own folder, which is removed at the end. */
interface Folder {
  write(name: string, bytes: Uint8Array): Promise<string>;
  readonly path: string;
}

function onFiles(name: string, run: (folder: Folder, context: Context) => Promise<void>): Case {
  return {
    topic: "files",
    name,
    async run(context) {
      const node = nodeFiles();
      if (node === null) throw new Skip("this platform has no files to write");
      const folder = await openFolder(node);
      try {
        await run(folder, context);
      } finally {
        await node.fs.rm(folder.path, { recursive: true, force: true });
      }
    },
  };
}

async function openFolder({ fs, os, path }: NodeFiles): Promise<Folder> {
  const folder = await fs.mkdtemp(path.join(os.tmpdir(), "polybin-conformance-"));
  return {
    path: folder,
    async write(name, bytes) {
      const file = path.join(folder, name);
      await fs.writeFile(file, bytes);
      return file;
    },
  };
}

async function sizes(folder: Folder, { engine, check }: Context): Promise<void> {
  for (const bytes of SIZES) {
    const samples = generate("u8", "gauss", bytes);
    const path = await folder.write(`${bytes}`, samples as Uint8Array);
    const input = fileSamples({ path, bytes });
    await check.counts(engine, samples, "u8", wholeAxis("u8", bins), { name: "a file", input });
  }
}

async function extents(_: Folder, { engine, check }: Context): Promise<void> {
  await using inputs = new Inputs(engine);
  for (const type of Object.keys(SAMPLE_TRAITS) as readonly SampleType[]) {
    const data = { type, pixels: 9001, channels: 1, seed: 3, form: "file", picture: null } as const;
    const { min, max } = await engine.extent((await inputs.of(data)).input as FileInput);
    check.sameNumbers(`${type}: the range`, [min + 0, max + 0], extentOf(data, [0]));
  }
}

async function everyCall(folder: Folder, { engine, check }: Context): Promise<void> {
  const pixels = generate("u8", "gauss", 2 * 40_001) as Uint8Array;
  const input = fileSamples({ path: await folder.write("two", pixels), bytes: pixels.length, channels: 2 });
  const axes = [wholeAxis("u8", bins), regular(3, 0, 200)];
  const told: number[] = [];
  const onProgress = ({ done, total }: { readonly done: number; readonly total: number | null }) => {
    told.push(done);
    check.same("total", total, 40_001);
  };
  for (const [channel, found] of (await engine.histograms(input, { axes, onProgress })).entries()) {
    const axis = axes[channel]!;
    check.histogram(`channel ${channel}`, found, countByDefinition(axis, "u8", pixels, channel, 2));
  }
  check.same("progress", told.at(-1), 40_001);
  const aborted = AbortSignal.abort("enough");
  const reason = await engine
    .histogram(input, { channel: 0, signal: aborted })
    .catch((error: unknown) => error);
  check.same("reason", reason, "enough");
}

async function wrongFiles(folder: Folder, { engine, check }: Context): Promise<void> {
  const path = await folder.write("short", new Uint8Array(4097));
  const wrong = { code: "ERR_INPUT" };
  for (const [what, file] of [
    ["missing", fileSamples({ path: `${path}-not-here`, bytes: 9 })],
    ["a folder", fileSamples({ path: folder.path, bytes: 9 })],
    ["one byte short", fileSamples({ path, bytes: 4098 })],
    ["half as long as described", fileSamples({ path, bytes: 8194 })],
    ["too short after the offset", fileSamples({ path, bytes: 4097, offset: 1 })],
    ["an offset after the end", fileSamples({ path, bytes: 1, offset: 5000 })],
  ] as const) {
    await check.rejects(what, () => engine.histogram(file), wrong);
  }
  await check.counts(engine, new Uint8Array(4097), "u8", wholeAxis("u8", bins), {
    name: "a file after wrong ones",
    input: fileSamples({ path, bytes: 4097 }),
  });
}
