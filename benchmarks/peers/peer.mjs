// Shared by the programs in JavaScript: their arguments, and the lines that they answer.
//
// usage of each: node NAME.mjs FILE N TYPE BINS LO HI [WORD…]     answers lines on stdin:
//   load            reads N samples of the type from the file
//   data N FILE     switches to other samples, and reads them
//   run             counts once into BINS equal bins over [LO, HI), prints the milliseconds
//   calls MOST S W  counts at most MOST times for at most S seconds, prints the milliseconds of each call; W is a way to call
//   segments E M S  does the same with one table per E samples, if the peer can
//   counts          prints the counts of the last run, or its sums of weights
//   row I           prints the counts of segment I
//   about           prints what counts, in JSON, if the program knows
//   grown           prints by how many bytes the calls since the last load raised the peak of the process's memory
// words of all:
//   channels=C      pixels of C interleaved samples; counts the first `wanted=W` channels
//   columns=2       counts pairs of two columns, which follow one another in the file
//   edges=A,B,…     has these edges instead of equal bins
//   weights         adds up weights, 32-bit floats that follow the samples in the file
//   groups=G        counts the samples of G groups apart; their 16-bit numbers follow the samples in the file
//   streamed        reads the file anew in every call
import { closeSync, openSync, readFileSync, readSync, writeFileSync } from "node:fs";
import { createInterface } from "node:readline";

const ARRAYS = {
  u8: Uint8Array,
  u16: Uint16Array,
  i16: Int16Array,
  u32: Uint32Array,
  i32: Int32Array,
  f32: Float32Array,
  f64: Float64Array,
};

const [path, nText, type, binsText, loText, hiText, ...words] = process.argv.slice(2);
const named = Object.fromEntries(words.map((word) => word.split("=", 2)));
const { channels = 1, wanted = 1, columns = 1, groups = 0, edges } = named;

/** The job from the arguments. */
export const job = {
  ...{ n: Number(nText), type, bins: Number(binsText), lo: Number(loText), hi: Number(hiText) },
  ...{ channels: Number(channels), wanted: Number(wanted), columns: Number(columns) },
  edges: edges === undefined ? null : edges.split(",").map(Number),
  weighted: words.includes("weights"),
  groups: Number(groups),
  /** The file of the samples, for programs that read it in every call. */
  path,
  /** Words that choose a variant of a peer, and those with a value by name. */
  words,
  named,
};

/** The constructor of a type's arrays. */
export const arrayOf = (type) => ARRAYS[type];

/**
 * Answers until stdin ends. `load` takes the columns of samples, the weights and the groups. `count` counts them in a way, and `counts`
 * returns the counts. `segments` counts them in parts of equal length, and `row` returns the counts of one part. `about`
 * describes what counted, and `allocate` makes memory for samples.
 */
export async function serve({ load, count, counts, segments, row, about, allocate = ordinary }) {
  let file = path;
  let before = 0;
  const take = async () => {
    await load([], null, null);
    job.path = file;
    if (!words.includes("streamed")) await load(...read(file, allocate));
    // The peak begins anew with the loaded samples.
    if (process.platform === "linux") writeFileSync("/proc/self/clear_refs", "5");
    before = memory("VmHWM");
    console.log(0);
  };
  for await (const line of createInterface({ input: process.stdin })) {
    const [word, ...rest] = line.split(" ");
    if (word === "load") {
      await take();
    } else if (word === "data") {
      job.n = Number(rest[0]);
      file = line.slice(`data ${rest[0]} `.length);
      await take();
    } else if (word === "run") {
      const start = performance.now();
      await count();
      console.log(performance.now() - start);
    } else if (word === "calls") {
      console.log((await calls(() => count(rest[2]), Number(rest[0]), Number(rest[1]))).join(" "));
    } else if (word === "segments") {
      const [each, most, seconds] = rest.map(Number);
      console.log((await calls(() => segments(each), most, seconds)).join(" "));
    } else if (word === "row") {
      console.log(row(Number(rest[0])).join(" "));
    } else if (word === "about") {
      console.log(JSON.stringify(await about()));
    } else if (word === "grown") {
      console.log(memory("VmHWM") - before);
    } else {
      console.log((await counts()).join(" "));
    }
  }
}

/** Waits for promises only, not for peers that count synchronously. */
async function calls(count, most, seconds) {
  const ms = [];
  const end = performance.now() + seconds * 1000;
  for (let stop = 0; ms.length < most && stop < end; ) {
    const start = performance.now();
    const made = count();
    if (made instanceof Promise) await made;
    stop = performance.now();
    ms.push(stop - start);
  }
  return ms;
}

/** Reads a number of Linux about this process, in bytes; 0 elsewhere. */
function memory(name) {
  if (process.platform !== "linux") return 0;
  const [, kib] = new RegExp(`${name}:\\s*(\\d+)`).exec(readFileSync("/proc/self/status", "utf8"));
  return Number(kib) * 1024;
}

function ordinary(bytes) {
  return new Uint8Array(bytes);
}

/** Bytes per read, since Node reads at most 2 GiB at once. */
const READ_BYTES = 2 ** 30;

/** Reads the columns of a job, its weights and its groups. */
function read(from, allocate) {
  const file = openSync(from);
  const { n, weighted, groups } = job;
  const next = (of, length) => {
    const bytes = allocate(length * of.BYTES_PER_ELEMENT);
    for (let filled = 0; filled < bytes.length; )
      filled += readSync(file, bytes, filled, Math.min(READ_BYTES, bytes.length - filled));
    return new of(bytes.buffer, bytes.byteOffset, length);
  };
  try {
    const samples = Array.from({ length: job.columns }, () => next(ARRAYS[type], n * job.channels));
    return [samples, weighted ? next(Float32Array, n) : null, groups > 0 ? next(Uint16Array, n) : null];
  } finally {
    closeSync(file);
  }
}
