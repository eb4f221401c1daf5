// What a stranger types first. Each line does the obvious, or says what to type.
import { spawnSync } from "node:child_process";
import { chmodSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { gzipSync, zstdCompressSync } from "node:zlib";
import { tableFromArrays, tableToIPC } from "@uwdata/flechette";
import { encode } from "fast-png";
import { parquetWriteBuffer } from "hyparquet-writer";
import { afterAll, beforeAll, expect, test } from "vitest";
import { MAIN, noise } from "./command.ts";

const ROWS = Array.from({ length: 60 }, (_, i) => ({
  day: `2024-01-${String(1 + (i % 28)).padStart(2, "0")}`,
  fare: ((i * 37) % 500) / 10,
  riders: 1 + (i % 4),
  city: ["Rome", "Oslo"][i % 2]!,
}));
const NAMES = ["day", "fare", "riders", "city"] as const;
const textBy = (separator: string): string =>
  `${NAMES.join(separator)}\n${ROWS.map((row) => `${NAMES.map((name) => row[name]).join(separator)}\n`).join("")}`;
const fares = ROWS.map(({ fare }) => fare);

/** An array of NumPy. */
function npy(values: Float64Array): Uint8Array {
  const header = `{'descr': '<f8', 'fortran_order': False, 'shape': (${values.length},), }`.padEnd(117);
  return Buffer.concat([
    Buffer.from("\x93NUMPY\x01\x00\x76\x00", "latin1"),
    Buffer.from(`${header}\n`),
    new Uint8Array(values.buffer),
  ]);
}

const PHOTO = encode({ width: 20, height: 10, channels: 3, depth: 8, data: noise(600) });

const FILES: Readonly<Record<string, Uint8Array | string>> = {
  "photo.png": PHOTO,
  photo: PHOTO,
  "trips.csv": textBy(","),
  "more.csv": textBy(","),
  "trips.tsv": textBy("\t"),
  "trips.txt": textBy(";"),
  "trips.jsonl": ROWS.map((row) => `${JSON.stringify(row)}\n`).join(""),
  "trips.json": JSON.stringify(ROWS),
  "trips.parquet": new Uint8Array(
    parquetWriteBuffer({ columnData: [{ name: "fare", data: fares, type: "DOUBLE" }] }),
  ),
  "trips.arrow": tableToIPC(tableFromArrays({ fare: Float64Array.from(fares) }), { format: "file" })!,
  "fares.npy": npy(Float64Array.from(fares)),
  "numbers.txt": fares.join("\n"),
  "more.json": '[\n  { "fare": 12.5 }\n]\n',
  "rank.train": "1 qid:1 1:0.5 2:3\n0 qid:1 1:0.25\n",
  "notes.txt": "Dear reader,\nthese are words, and no table.\n",
  "data.bin": noise(1000),
  "trips.csv.gz": gzipSync(textBy(",")),
  packed: zstdCompressSync(textBy(",")),
  "data.gz": gzipSync(Buffer.from([1, 2, 0, 255])),
  "cut.csv.gz": gzipSync(textBy(",")).subarray(0, -9),
  "empty.csv": "",
};

let folder = "";
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "polybin-cli-"));
  for (const [name, bytes] of Object.entries(FILES)) writeFileSync(join(folder, name), bytes);
  mkdirSync(join(folder, ".bin"));
  const command = join(folder, ".bin/polybin");
  writeFileSync(command, `#!/bin/sh\nexec "${process.execPath}" "${MAIN}" "$@"\n`);
  chmodSync(command, 0o755);
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Runs a line of a shell in the folder, on a terminal of 80 columns. */
function run(line: string) {
  const PATH = [join(folder, ".bin"), process.env.PATH].join(delimiter);
  return spawnSync("sh", ["-c", line], {
    cwd: folder,
    env: { ...process.env, PATH, COLUMNS: "80", NO_COLOR: "1" },
    encoding: "utf8",
    stdio: ["ignore", "pipe", "pipe"],
  });
}

/** What every table above shows of its fares. */
const FARE = /^(fare|value|column 1): f64, 256 bins over \[0, 49\.9\]/m;
const ALL =
  /60 rows[\s\S]*^day: date, 28 values[\s\S]*^fare: f64[\s\S]*^riders: i32, 4 values from 1 to 4[\s\S]*^city: string/m;

test.each<[line: string, stdout: RegExp]>([
  ["polybin photo.png", /20 x 10 pixels[\s\S]*^red 200 counted[\s\S]*^green [\s\S]*^blue /m],
  ["polybin hist photo.png", /^red 200 counted/m],
  ["polybin photo", /20 x 10 pixels/],
  ["polybin hist photo.png -b 2", /2 bins over/],
  ["polybin --bins 2 photo.png", /2 bins over/],
  ["polybin photo.png --json", /"kind":"image"/],
  ["polybin trips.csv", ALL],
  ["polybin hist trips.csv", ALL],
  ["polybin trips.tsv", ALL],
  ["polybin trips.txt", ALL],
  ["polybin trips.jsonl", ALL],
  ["polybin trips.parquet", FARE],
  ["polybin trips.arrow", FARE],
  ["polybin fares.npy", FARE],
  ["polybin numbers.txt", FARE],
  ["polybin trips.csv more.csv", /trips\.csv and 1 more file {2}120 rows[\s\S]*^fare 120 counted/m],
  ["polybin data.bin", /1,000 values of u8, 256 bins/],
  ["polybin data.bin -t f32 -b 4 -r 0,1", /250 values of f32, 4 bins over \[0, 1\]/],
  ["cat data.bin | polybin", /1,000 values of u8/],
  ["polybin hist - < data.bin", /1,000 values of u8/],
  ["polybin - --json < data.bin", /"kind":"raw"/],
  ["cat trips.csv | polybin", ALL],
  ["polybin < trips.csv", ALL],
  ["cat trips.csv | polybin hist", ALL],
  ["cat fares.npy | polybin -", FARE],
  ["cat photo.png | polybin", /standard input {2}20 x 10 pixels/],
  ["gunzip -c trips.csv.gz | polybin", ALL],
  ["polybin trips.csv.gz", ALL],
  ["polybin packed", ALL],
  ["cat packed | polybin", ALL],
  ["polybin - < trips.csv.gz", ALL],
  ["cat trips.csv | polybin hist -c fare --format csv -r 0,20 -b 2", /^fare \d+ counted/m],
  ["polybin trips.csv -c fare -c city", /^fare 60 counted[\s\S]*^city 60 counted/m],
  ["polybin trips.csv -c fare,city", /^fare 60 counted[\s\S]*^city 60 counted/m],
  ["polybin trips.csv -c riders -r 0,5", /6 values from 0 to 5[\s\S]*^0 +0\n1 15 /m],
  ["polybin trips.csv -c day -r 2024-01-01,2024-01-03", /3 values from 2024-01-01 to 2024-01-03/],
  ["polybin trips.csv -c fare -b 5 -r 0,50", /^fare 60 counted[\s\S]*^ *\[0, 10\) +\d/m],
  ["polybin trips.csv --column fare --csv", /^column,group,bin,lo,hi,count\nfare,,0,0,/],
  ["polybin trips.csv -c day --csv", /^day,,0,2024-01-01,2024-01-02,3$/m],
  [
    "polybin trips.csv --by city -c fare",
    /one panel per city, all[\s\S]on[\s\S]the[\s\S]same[\s\S]scales[\s\S]*^fare, city "Oslo" 30 counted/m,
  ],
  ["polybin trips.csv -c fare -o fare.png", /^fare 60 counted/m],
  ["polybin joint trips.csv -c fare,riders", /fare of trips\.csv/],
  ["polybin profile trips.csv", /60 rows, 4 columns/],
  ["polybin -h", /^Usage: polybin[\s\S]*Commands:/],
  [
    "polybin hist -h",
    /^Usage: polybin hist[\s\S]*-c, --column[\s\S]*`polybin hist --help` shows every option/,
  ],
  ["polybin hist --help", /--extent-from/],
  ["polybin --help", /^Usage: polybin[\s\S]*Commands:/],
  ["polybin help", /^Usage: polybin[\s\S]*Commands:/],
  ["polybin help joint", /^Usage: polybin joint/],
  ["polybin -V", /^\d+\.\d+\.\d+\n$/],
  ["polybin --version", /^\d+\.\d+\.\d+\n$/],
  ["polybin backends", /^cpu +\d+ JavaScript threads?\n/],
  ["polybin backends --verbose", /hist: bank-owned/],
  ["polybin notes.txt --raw", /44 values of u8/],
  ["polybin empty.csv", /empty\.csv is empty/],
])("%s", (line, stdout) => {
  const found = run(line);
  expect(found.stderr).toBe("");
  expect(found.stdout).toMatch(stdout);
  expect(found.status).toBe(0);
  if (line.endsWith("fare.png")) expect(readdirSync(folder)).toContain("fare.png");
});

test.each<[line: string, stderr: RegExp]>([
  ["polybin hsit photo.png", /: did you mean hist\? .* received "hsit"; polybin --help/],
  ["polybin profil trips.csv", /: did you mean profile\?/],
  ["polybin help jiont", /: did you mean joint\?/],
  ["polybin trips.cvs", /no such file or folder; did you mean trips\.csv\?/],
  ["polybin missing.csv", /cannot open missing\.csv: there is no such file or folder/],
  ["polybin trips.csv -c fare,fare", /each column once for --column but received "fare" twice/],
  ["polybin trips.csv -c fares", /: did you mean fare\? expected one of the columns "day", "fare"/],
  ["polybin trips.csv --bin 4", /Did you mean --bins\?/],
  ["polybin notes.txt", /is text and no table .*; try --format csv .*; --raw counts its bytes/],
  ["cat notes.txt | polybin", /standard input is text/],
  ["polybin trips.json", /jq -c '\.\[\]' trips\.json \| polybin/],
  ["polybin more.json", /jq -c '\.\[\]' more\.json \| polybin/],
  ["polybin rank.train", /try polybin weighted rank\.train, which reads LIBSVM files/],
  ["polybin data.gz", /is gzip, .*: gunzip -c data\.gz \| polybin hist -/],
  ["polybin cut.csv.gz", /cut\.csv\.gz: expected whole gzip data but it ends after \d+ bytes/],
  ["polybin photo.png trips.csv", /received 2 files; photo\.png is no table/],
  ["polybin trips.csv -o fare.pdf", /ends in \.svg or \.png for --output/],
  ["polybin trips.csv -o fare.json", /--json > fare\.json writes the counts/],
  ["polybin hist < /dev/null", /a FILE, or a pipe: cat FILE \| polybin hist/],
])("%s is refused with what to type", (line, stderr) => {
  const found = run(line);
  expect(found.stderr).toMatch(/^error\[ERR_\w+\]: [^\n]*\n$/);
  expect(found.stderr).toMatch(stderr);
  expect(found).toMatchObject({ status: 2, stdout: "" });
});
