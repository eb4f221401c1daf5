// What the JavaScript peers share: their arguments and the lines that they answer.
//
// usage of each: node NAME.mjs FILE N TYPE BINS LO HI     answers lines on stdin:
//   load    reads N samples of the type from the file
//   run     counts once into BINS equal bins over [LO, HI), prints milliseconds
//   counts  prints the counts of the last run
import { closeSync, openSync, readSync } from "node:fs";
import { createInterface } from "node:readline";

const ARRAYS = {
  u8: Uint8Array,
  u16: Uint16Array,
  u32: Uint32Array,
  f32: Float32Array,
  f64: Float64Array,
};

const [path, nText, type, binsText, loText, hiText] = process.argv.slice(2);

/** What is asked for. */
export const job = {
  n: Number(nText),
  type,
  bins: Number(binsText),
  lo: Number(loText),
  hi: Number(hiText),
};

/** Answers until stdin ends. `load` takes the samples, `count` counts them, `counts` tells what was found. */
export async function serve({ load, count, counts }) {
  const values = new ARRAYS[type](new SharedArrayBuffer(job.n * ARRAYS[type].BYTES_PER_ELEMENT));
  for await (const line of createInterface({ input: process.stdin })) {
    if (line === "load") {
      read(new Uint8Array(values.buffer));
      await load(values);
      console.log(0);
    } else if (line === "run") {
      const start = performance.now();
      await count();
      console.log(performance.now() - start);
    } else {
      console.log((await counts()).join(" "));
    }
  }
}

/** Node reads 2 GiB at once at the most. */
const READ_BYTES = 2 ** 30;

function read(bytes) {
  const file = openSync(path);
  for (let filled = 0; filled < bytes.length; )
    filled += readSync(file, bytes, filled, Math.min(READ_BYTES, bytes.length - filled));
  closeSync(file);
}
