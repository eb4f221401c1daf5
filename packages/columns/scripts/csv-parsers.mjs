// Measures csv-parse and papaparse, each in one worker, on a file of 200 MB: fields as text, nothing converted. Then the
// whole of `openTable`, with one and with all threads. Run it after a build: node scripts/csv-parsers.mjs [MB]
import { closeSync, openSync, readSync, rmSync, writeSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { argv } from "node:process";
import { isMainThread, parentPort, Worker, workerData } from "node:worker_threads";

const PIECE = 8_388_608;
const RUNS = 3;

/** Passes the pieces of a file, which end with a line, to `take` as text. */
function pieces(path, take) {
  const file = openSync(path);
  const buffer = Buffer.alloc(PIECE);
  let kept = 0;
  for (;;) {
    const read = readSync(file, buffer, kept, PIECE - kept, null);
    if (read === 0) break;
    const end = buffer.lastIndexOf(0x0a, kept + read - 1) + 1;
    take(buffer.toString("utf8", 0, end));
    buffer.copy(buffer, 0, end, kept + read);
    kept += read - end;
  }
  closeSync(file);
}

const PARSERS = {
  async papaparse() {
    const { default: Papa } = await import("papaparse");
    return (text, row) => {
      const chunk = ({ data }) => data.forEach(row);
      Papa.parse(text.slice(0, -1), { delimiter: ",", newline: "\n", chunkSize: 262_144, chunk });
    };
  },
  async "csv-parse"() {
    const { parse } = await import("csv-parse/sync");
    return (text, row) => parse(text, { delimiter: "," }).forEach(row);
  },
};

if (isMainThread) {
  const megabytes = Number(argv[2] ?? 200);
  for (const quoted of [false, true]) {
    const path = join(tmpdir(), `polybin-csv-${process.pid}.csv`);
    const bytes = write(path, megabytes * 1e6, quoted);
    const rate = (ms) => `${(bytes / 1e3 / ms).toFixed(0)} MB/s`;
    const times = {};
    for (let run = 0; run < RUNS; run++) {
      for (const parser of Object.keys(PARSERS)) {
        const { ms, fields } = await inWorker({ parser, path });
        times[`${parser}, one worker, ${fields} fields`] = [
          ...(times[`${parser}, one worker, ${fields} fields`] ?? []),
          ms,
        ];
      }
      for (const threads of [1, undefined]) {
        const key = `openTable, all columns typed, ${threads ?? "all"} thread(s)`;
        times[key] = [...(times[key] ?? []), await whole(path, threads)];
      }
    }
    console.log(`${bytes} bytes, ${quoted ? "one field in quotation marks" : "no quotation marks"}`);
    for (const [name, ms] of Object.entries(times)) console.log(`  ${name}: ${ms.map(rate).join(", ")}`);
    rmSync(path);
  }
} else {
  const { parser, path } = workerData;
  const parse = await PARSERS[parser]();
  let fields = 0;
  const start = performance.now();
  pieces(path, (text) => parse(text, (row) => (fields += row.length)));
  parentPort.postMessage({ ms: performance.now() - start, fields });
}

function inWorker(data) {
  return new Promise((resolve, reject) => {
    const worker = new Worker(new URL(import.meta.url), { workerData: data });
    worker.once("message", resolve);
    worker.once("error", reject);
  });
}

async function whole(path, threads) {
  const { openTable } = await import("../dist/index.js");
  const start = performance.now();
  await using table = await openTable(path, threads === undefined ? {} : { threads });
  for await (const _ of table.read());
  return performance.now() - start;
}

/** Writes rows of an identifier, a price, a city, a point in time, a small integer and a switch. */
function write(path, atLeast, quoted) {
  const file = openSync(path, "w");
  let bytes = writeSync(file, "id,price,city,time,kind,ok\n");
  for (let i = 0; bytes < atLeast; ) {
    let lines = "";
    for (const end = i + 10_000; i < end; i++) {
      const city = quoted ? `"Town ${i % 97}, North"` : `Town ${i % 97}`;
      const day = String(1 + (i % 28)).padStart(2, "0");
      lines += `${i},${((i * 7919) % 100_003) / 100},${city},2026-01-${day} 12:00:00,${i % 7},${i % 2 === 0}\n`;
    }
    bytes += writeSync(file, lines);
  }
  closeSync(file);
  return bytes;
}
