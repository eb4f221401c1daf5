// Reads one column of a Parquet file by ranges of bytes, keeps it, and counts it under a brush. It runs in a worker.
import { openTableInPage } from "@polybin/columns/page";
import { openEngine, regular } from "@polybin/core";

const BINS = 120;

const engine = openEngine();
let table;
let values;

/** The columns of numbers of a file. It reads the end of the file only. */
async function open(address) {
  table = await openTableInPage(new URL(address), new URL(address).pathname.split("/").pop());
  const columns = table.columns.filter(({ type }) => type.kind === "number").map(({ name }) => name);
  if (columns.length === 0) throw new Error(`expected a column of numbers in ${table.name} but it has none`);
  return { columns, rows: table.rows };
}

/** Reads a column: its bytes, and those of no other. */
async function read(column) {
  const parts = [];
  for await (const { columns } of table.read({ columns: [column] })) parts.push(present(columns[0]));
  const total = parts.reduce((sum, { length }) => sum + length, 0);
  values = new Float64Array(total);
  let at = 0;
  for (const part of parts) {
    values.set(part, at);
    at += part.length;
  }
  const { min, max } = await (await engine).extent(values);
  return { lo: min, hi: max, counts: await count({ lo: min, hi: max }) };
}

function present({ values, validity }) {
  const all = typeof values[0] === "bigint" ? Float64Array.from(values, Number) : values;
  return validity === null ? all : all.filter((_, row) => (validity.bits[row >> 3] >> (row & 7)) & 1);
}

/** Counts the values of a range in bins of its own, so that a narrow brush shows what is in it. */
async function count({ lo, hi }) {
  const { counts } = await (await engine).histogram(values, {
    axis: regular(BINS, lo, hi > lo ? hi : lo + 1),
  });
  return counts;
}

/** The bytes of the file that were fetched. */
function fetched(address) {
  const requests = performance.getEntriesByType("resource").filter(({ name }) => name === address);
  return {
    requests: requests.length,
    bytes: requests.reduce((sum, { encodedBodySize }) => sum + encodedBodySize, 0),
  };
}

const TASKS = { open, read, count, fetched };

addEventListener("message", async ({ data: { id, task, input } }) => {
  try {
    postMessage({ id, answer: await TASKS[task](input) });
  } catch (error) {
    postMessage({ id, error: error.message });
  }
});
