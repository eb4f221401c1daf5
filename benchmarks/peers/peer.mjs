// Shared by the JavaScript peers: their arguments, and the lines that they answer.
//
// usage of each: node NAME.mjs FILE N TYPE BINS LO HI [WORD…]     answers lines on stdin:
//   load            reads N samples of the type from the file
//   data N FILE     switches to other samples, and reads them
//   run             counts once into BINS equal bins over [LO, HI), prints the milliseconds
//   calls MOST S    counts at most MOST times for at most S seconds, prints the milliseconds of each call
//   segments E M S  does the same with one table per E samples, if the peer can
//   counts          prints the counts of the last run
//   row I           prints the counts of segment I
import { closeSync, openSync, readSync } from "node:fs";
import { createInterface } from "node:readline";

const ARRAYS = {
  u8: Uint8Array,
  u16: Uint16Array,
  u32: Uint32Array,
  f32: Float32Array,
  f64: Float64Array,
};

const [path, nText, type, binsText, loText, hiText, ...words] = process.argv.slice(2);

/** The job from the arguments. */
export const job = {
  n: Number(nText),
  type,
  bins: Number(binsText),
  lo: Number(loText),
  hi: Number(hiText),
  /** Words that choose a variant of a peer. */
  words,
};

/**
 * Answers until stdin ends. `load` takes the samples, `count` counts them, and `counts` returns the counts. `segments` counts
 * them in parts of equal length, and `row` returns the counts of one part.
 */
export async function serve({ load, count, counts, segments, row }) {
  let file = path;
  let values;
  const take = async () => {
    const bytes = job.n * ARRAYS[type].BYTES_PER_ELEMENT;
    if (values?.byteLength !== bytes) values = new ARRAYS[type](new SharedArrayBuffer(bytes));
    read(file, new Uint8Array(values.buffer));
    await load(values);
    console.log(0);
  };
  for await (const line of createInterface({ input: process.stdin })) {
    if (line === "load") {
      await take();
    } else if (line.startsWith("data ")) {
      const [, n] = line.split(" ", 2);
      job.n = Number(n);
      file = line.slice(`data ${n} `.length);
      await take();
    } else if (line === "run") {
      const start = performance.now();
      await count();
      console.log(performance.now() - start);
    } else if (line.startsWith("calls ")) {
      const [, most, seconds] = line.split(" ").map(Number);
      console.log((await calls(count, most, seconds)).join(" "));
    } else if (line.startsWith("segments ")) {
      const [, each, most, seconds] = line.split(" ").map(Number);
      console.log((await calls(() => segments(each), most, seconds)).join(" "));
    } else if (line.startsWith("row ")) {
      console.log(row(Number(line.slice("row ".length))).join(" "));
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

/** Bytes per read, since Node reads at most 2 GiB at once. */
const READ_BYTES = 2 ** 30;

function read(path, bytes) {
  const file = openSync(path);
  for (let filled = 0; filled < bytes.length; )
    filled += readSync(file, bytes, filled, Math.min(READ_BYTES, bytes.length - filled));
  closeSync(file);
}
