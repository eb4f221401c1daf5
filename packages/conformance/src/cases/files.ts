import { circular, fileSamples, regular, type SampleType } from "@polybin/core";
import { limits, SAMPLE_TYPES } from "@polybin/core/backend";
import { axesFor, wholeAxis } from "../axes.ts";
import { type Case, type Context, Skip, type Topic } from "../case.ts";
import { aroundAxis, generate } from "../generators.ts";
import { hasJoint } from "../joining.ts";
import { type NodeFiles, nodeFiles } from "../node.ts";
import { countByDefinition } from "../oracle/counts.ts";

const bins = limits.PER_THREAD_64_BINS;
const SIZES: readonly number[] = [0, 1, 3, 4097, 1_000_003];

/** Cases of files, whether the backend or the calling thread reads them. */
export const files: Topic = ({ slugs }) => [
  onFiles("sizes from 0 to 1,000,003 bytes", sizes),
  onFiles("every type, at an offset", everyType),
  onFiles("every slug", (folder, context) => everySlug(slugs, folder, context)),
  onFiles("channels of a file", channels),
  onFiles("the default axis of floats", defaultAxis),
  onFiles("files of the types that core converts, and over a circular axis", converted),
  onFiles("an axis for each channel, and progress", everyCall),
  onFiles("files as columns of a joint histogram", joint),
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
    await check.counts(engine, samples, "u8", wholeAxis("u8", bins), {}, { name: "a file", input });
  }
}

async function writeTyped(folder: Folder, type: SampleType, n: number, offset: number) {
  const axis = axesFor(type, bins)[4]!;
  const samples = aroundAxis(axis, type, n);
  const bytes = new Uint8Array(offset + samples.byteLength + 1).fill(limits.U8_MAX);
  bytes.set(new Uint8Array(samples.buffer, samples.byteOffset, samples.byteLength), offset);
  const path = await folder.write(`${type}-${n}-${offset}`, bytes);
  return { axis, samples, input: fileSamples({ path, bytes: samples.byteLength, offset, type }) };
}

async function everyType(folder: Folder, { engine, check }: Context): Promise<void> {
  for (const type of SAMPLE_TYPES) {
    for (const offset of [0, 1, 8, 4097]) {
      const { axis, samples, input } = await writeTyped(folder, type, 30_001, offset);
      await check.counts(engine, samples, type, axis, {}, { name: `a file from byte ${offset} on`, input });
    }
  }
}

async function everySlug(
  slugs: Context["engine"]["algorithms"],
  folder: Folder,
  { engine, check }: Context,
): Promise<void> {
  for (const type of ["u8", "i16", "f32", "f64"] as const) {
    const { axis, samples, input } = await writeTyped(folder, type, 20_001, 3);
    for (const algorithm of slugs) {
      await check.counts(engine, samples, type, axis, { algorithm }, { name: "a file", input });
    }
  }
}

async function channels(folder: Folder, { engine, check }: Context): Promise<void> {
  const pixels = generate("u8", "gauss", 3 * 40_001);
  const path = await folder.write("rgb", pixels as Uint8Array);
  const input = fileSamples({ path, bytes: pixels.length, channels: 3 });
  const axis = wholeAxis("u8", bins);
  for (const [channel, found] of (await engine.histograms(input, { axis })).entries()) {
    check.histogram(`channel ${channel}`, found, countByDefinition(axis, "u8", pixels, channel, 3));
  }
}

async function defaultAxis(folder: Folder, { engine, check }: Context): Promise<void> {
  for (const type of ["f32", "f64"] as const) {
    const { samples, input } = await writeTyped(folder, type, 10_001, 5);
    const [fromFile, fromMemory] = [await engine.extent(input), await engine.extent(samples)];
    check.same(`${type}: lowest`, fromFile.min, fromMemory.min);
    check.same(`${type}: highest`, fromFile.max, fromMemory.max);
    const found = await engine.histogram(await finite(folder, type));
    check.histogram(type, found, countByDefinition(found.axis, type, generate(type, "gauss", 9001)));
  }
}

/** This thread reads what no device counts as it is. */
async function converted(folder: Folder, { engine, check }: Context): Promise<void> {
  const axis = regular(7, -900, 1000);
  for (const [type, samples] of [
    ["i64", BigInt64Array.from({ length: 9001 }, (_, i) => BigInt(i % 2500) - 1200n)],
    ["u64", BigUint64Array.from({ length: 9001 }, (_, i) => BigInt(i % 2500))],
  ] as const) {
    const bytes = new Uint8Array(samples.buffer);
    const path = await folder.write(type, bytes);
    const input = fileSamples({ path, bytes: bytes.length, type });
    const doubles = Float64Array.from(samples, Number);
    check.histogram(type, await engine.histogram(input, { axis }), countByDefinition(axis, "f64", doubles));
    const { min, max } = await engine.extent(input);
    check.sameNumbers(`${type}: extent`, [min, max], [Math.min(...doubles), Math.max(...doubles)]);
  }
  const turns = circular(9, -1, 5.5);
  const { samples, input } = await writeTyped(folder, "f32", 9001, 3);
  check.histogram(
    "circular",
    await engine.histogram(input, { axis: turns }),
    countByDefinition(turns, "f32", samples),
  );
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

async function finite(folder: Folder, type: SampleType) {
  const samples = generate(type, "gauss", 9001);
  const bytes = new Uint8Array(samples.buffer, samples.byteOffset, samples.byteLength);
  return fileSamples({ path: await folder.write(`finite-${type}`, bytes), bytes: bytes.length, type });
}

async function joint(folder: Folder, context: Context): Promise<void> {
  if (!(await hasJoint(context))) return;
  const { engine, check } = context;
  const n = 10_001;
  const [x, y] = [generate("f32", "gauss", n), generate("u8", "uniform", n)];
  const files = [x, y].map(async (samples, k) => {
    const bytes = new Uint8Array(samples.buffer, samples.byteOffset, samples.byteLength);
    const path = await folder.write(`column-${k}`, bytes);
    return fileSamples({ path, bytes: bytes.length, type: k === 0 ? "f32" : "u8" });
  });
  // The data decide the first axis, so the device reads the first file twice.
  const fromMemory = await engine.joint([x, y], { axes: [{ bins: 9 }, wholeAxis("u8", bins)] });
  const found = await engine.joint(await Promise.all(files), { axes: [{ bins: 9 }, wholeAxis("u8", bins)] });
  check.same("the axis", found.edges[0]!.join(), fromMemory.edges[0]!.join());
  check.same("the cells", found.cells.join(), fromMemory.cells.join());
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
  await check.counts(
    engine,
    new Uint8Array(4097),
    "u8",
    wholeAxis("u8", bins),
    {},
    {
      name: "a file after wrong ones",
      input: fileSamples({ path, bytes: 4097 }),
    },
  );
}
