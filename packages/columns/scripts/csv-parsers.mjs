// Measures csv-parse and papaparse, each in one worker, on a file of 200 MB: fields as text, nothing converted. Then the
// whole of `openTable`, with one and with all threads. Run it after a build, on Node 24 or newer:
//
//   node scripts/csv-parsers.mjs [MB]
//
// Rates of parsers are per second of the worker's processor time, so that other programs do not change them.
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
      Papa.parse(text.slice(0, -1), { delimiter: ",", newline: "\n", chunkSize: 32_768, chunk });
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
    const times = new Map();
    const add = (name, ms) => times.set(name, [...(times.get(name) ?? []), ms]);
    for (let run = 0; run < RUNS; run++) {
      for (const parser of Object.keys(PARSERS)) {
        const { ms, fields } = await inWorker({ parser, path });
        add(`${parser}, ${fields} fields, processor time`, ms);
      }
      for (const threads of [1, undefined]) {
        const { elapsed, processor } = await whole(path, threads);
        add(`openTable, ${threads ?? "all"} thread(s), processor time`, processor);
        add(`openTable, ${threads ?? "all"} thread(s), elapsed`, elapsed);
      }
    }
    console.log(`${bytes} bytes, ${quoted ? "one field in quotation marks" : "no quotation marks"}`);
    for (const [name, ms] of times) console.log(`  ${name}: ${ms.map(rate).join(", ")}`);
    rmSync(path);
  }
} else {
  const { parser, path } = workerData;
  const parse = await PARSERS[parser]();
  let fields = 0;
  const before = process.threadCpuUsage();
  pieces(path, (text) =>
    parse(text, (row) => {
      fields += row.length;
    }),
  );
  const { user, system } = process.threadCpuUsage(before);
  parentPort.postMessage({ ms: (user + system) / 1e3, fields });
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
  const before = process.cpuUsage();
  const start = performance.now();
  {
    await using table = await openTable(path, threads === undefined ? {} : { threads });
    for await (const _ of table.read());
  }
  const { user, system } = process.cpuUsage(before);
  return { elapsed: performance.now() - start, processor: (user + system) / 1e3 };
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
