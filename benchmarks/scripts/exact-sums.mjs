// Compares every bin of random weighted histograms with Python's math.fsum, bit by bit, on one thread and on pools of several
// sizes. The weights span 12 orders of magnitude with mixed signs.
//
//   node scripts/exact-sums.mjs [CASES] [SEED]      needs python3 with its standard library only
import { spawn } from "node:child_process";
import { once } from "node:events";
import { integer, openEngine, regular, variable } from "@polybin/core";
import { piscina } from "@polybin/piscina";
import { xorshift } from "../src/data/random.ts";

const cases = Number(process.argv[2] ?? 10_000);
// xorshift never leaves 0.
const random = xorshift(Number(process.argv[3] ?? 1) || 1);
const below = (n) => Math.floor(random() * n);
const pick = (of) => of[below(of.length)];

const TYPES = {
  u8: Uint8Array,
  i8: Int8Array,
  u16: Uint16Array,
  i16: Int16Array,
  u32: Uint32Array,
  i32: Int32Array,
  f32: Float32Array,
  f64: Float64Array,
};
/** Sometimes more samples than a piece holds. */
const LARGE = 300_000;

function axisOf() {
  const kind = pick(["integer", "regular", "variable"]);
  const bins = pick([1, 2, 7, 100, 256, 300, below(60) + 1]);
  if (kind === "integer") return integer(below(40) - 20, bins + 21);
  if (kind === "regular") {
    const low = below(100) - 50;
    return regular(bins, low, low + 1 + below(150));
  }
  const edges = new Set([0, 90, ...Array.from({ length: bins }, () => Math.round(random() * 360) / 4)]);
  return variable([...edges].sort((a, b) => a - b));
}

function samplesOf(type, n) {
  const out = new TYPES[type](n);
  const isFloat = type.startsWith("f");
  for (let i = 0; i < n; i++) out[i] = isFloat ? random() * 160 - 40 : below(160) - 40;
  if (isFloat) for (let i = 0; i < n; i += 41) out[i] = pick([Number.NaN, Infinity, -Infinity, 0, 90]);
  return out;
}

/** Six orders of magnitude on each side of 1, with either sign. */
function weightsOf(n) {
  const weight = () => (random() < 0.5 ? -1 : 1) * (1 + random()) * 10 ** (12 * random() - 6);
  const doubles = Float64Array.from({ length: n }, weight);
  return pick([doubles, Float32Array.from(doubles), [...doubles]]);
}

const THREADS = [1, 2, 3];
const engines = [
  ["cpu", await openEngine()],
  ...(await Promise.all(
    THREADS.map(async (threads) => [
      `piscina ${threads}`,
      await openEngine({ backend: piscina({ threads }) }),
    ]),
  )),
];
const python = spawn("python3", [new URL("exact-sums.py", import.meta.url).pathname], {
  stdio: ["pipe", "pipe", "inherit"],
});
let answer = "";
python.stdout.on("data", (data) => {
  answer += data;
});
const ended = once(python, "close");
const write = async (data) => {
  if (!python.stdin.write(data)) await once(python.stdin, "drain");
};
const bytes = (numbers) => Buffer.from(Float64Array.from(numbers).buffer);
const row = (bins, { underflow, overflow, nan }) => [...bins, underflow, overflow, nan];

let limbs = 0;
let differing = 0;
for (let i = 0; i < cases; i++) {
  const n = i % 1000 === 999 ? LARGE : below(600);
  const axis = axisOf();
  const samples = samplesOf(pick(Object.keys(TYPES)), n);
  const weights = weightsOf(n);
  const results = [];
  for (const [, engine] of engines) {
    results.push(await engine.histogram(samples, { axis, weights, squares: true }));
  }
  const numbers = results.map(({ counts, flow, sums, flowSums, sumsOfSquares, flowSumsOfSquares }) =>
    bytes([...row(counts, flow), ...row(sums, flowSums), ...row(sumsOfSquares, flowSumsOfSquares)]),
  );
  for (const of of numbers) differing += of.equals(numbers[0]) ? 0 : 1;
  limbs = Math.max(limbs, results[0].limbs);
  const closed = axis.type !== "integer";
  await write(`${JSON.stringify({ n, bins: axis.bins, closed, engines: engines.map(([name]) => name) })}\n`);
  for (const of of [samples, weights, results[0].edges]) await write(bytes(of));
  for (const of of numbers) await write(of);
}
python.stdin.end();
const [code] = await ended;
if (code !== 0) throw new Error(`python3 ended with ${code}`);
const found = JSON.parse(answer);
console.log(
  `${found.cases} cases, ${found.samples} samples, ${found.bins} bins (flow included), up to ${limbs} limbs`,
);
for (const [name, right] of Object.entries(found.engines)) {
  console.log(`${name}: ${right} of ${found.bins} sums equal math.fsum's, bit by bit`);
}
console.log(`wrong counts ${found.wrongCounts}, wrong sums of squares ${found.wrongSquares}`);
console.log(`largest error as a share of a bin's sum of |w|: ${found.worstShare} (2^-40 is ${2 ** -40})`);
console.log(`results that differ from cpu's in any bit: ${differing}`);
for (const [, engine] of engines) await engine.close();
if (found.wrongCounts + found.wrongSums + found.wrongSquares + differing > 0) process.exitCode = 1;
