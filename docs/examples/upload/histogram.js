import { openTable } from "@polybin/columns";
import { openEngine } from "@polybin/core";
import { decode, PictureError } from "@polybin/pictures";
import { pictureFormat } from "@polybin/pictures/formats";
import { piscina } from "@polybin/piscina";

/** Says what is wrong with an upload, in polybin's words: its error codes become status codes in server.js. */
class UploadError extends PictureError {}

/**
 * Opens what counts uploads: one pool of workers for all requests.
 * @param limits `maxPixels` and `maxRows`, both compared before anything is decoded if the upload's header states them
 */
export async function openCounter({ maxPixels, maxRows, threads }) {
  const engine = await openEngine({ backend: piscina(threads === undefined ? {} : { threads }) });
  return {
    /** Returns the histogram of the bytes of a picture or a table. Their first bytes show which of them it is. */
    count(bytes, wanted, signal) {
      return pictureFormat(bytes) === null
        ? countColumn(engine, bytes, { ...wanted, maxRows }, signal)
        : countPicture(engine, bytes, { ...wanted, maxPixels }, signal);
    },
    close: () => engine.close(),
  };
}

async function countPicture(engine, bytes, { bins, maxPixels }, signal) {
  // Without the signal: a decoder that has begun cannot be stopped, and the next upload must wait for its memory.
  const picture = await decode(bytes, { maxPixels, name: "the upload" });
  signal.throwIfAborted();
  const histograms = await engine.histograms(picture, { signal, ...(bins && { bins }) });
  const { type, width, height, names } = picture;
  const channels = histograms.map((histogram, i) => ({ name: names[i], ...plain(histogram) }));
  return { kind: "picture", type, width, height, channels };
}

async function countColumn(engine, bytes, { column, format, bins = 64, maxRows }, signal) {
  // One request gets one thread: the server has as many requests at once as it wants to serve.
  await using table = await openTable(bytes, { threads: 0, signal, ...(format && { format }) });
  checkRows(table.rows ?? 0, maxRows);
  const { name, type } = chosen(table, column);
  const { values, rows, nulls } = await read(table, name, maxRows, signal);
  const histogram = await engine.histogram(values, { bins, range: "data", signal });
  return { kind: "column", name, type: type.type, rows, nulls, ...plain(histogram) };
}

/** The column of this name, or the first one of numbers. */
function chosen({ columns }, column) {
  const numbers = columns.filter(({ type }) => type.kind === "number");
  const found = column === undefined ? numbers[0] : numbers.find(({ name }) => name === column);
  if (found !== undefined) return found;
  const wanted = column === undefined ? "a column of numbers" : `a column of numbers named ${column}`;
  const names = numbers.map(({ name }) => name).join(", ") || "none";
  throw new UploadError("ERR_INPUT", `expected ${wanted} but the columns of numbers are: ${names}`);
}

/** Reads a column's values without its nulls. */
async function read(table, name, maxRows, signal) {
  const parts = [];
  let [rows, nulls] = [0, 0];
  for await (const batch of table.read({ columns: [name], signal })) {
    rows += batch.rows;
    checkRows(rows, maxRows);
    const [chunk] = batch.columns;
    nulls += chunk.nulls;
    parts.push(present(chunk));
  }
  return { values: joined(parts), rows, nulls };
}

function present({ values, validity }) {
  if (validity === null) return values;
  return values.filter((_, row) => (validity.bits[row >> 3] >> (row & 7)) & 1);
}

function joined(parts) {
  if (parts.length === 0) return new Float64Array(0);
  const all = new parts[0].constructor(parts.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const part of parts) {
    all.set(part, at);
    at += part.length;
  }
  return all;
}

function checkRows(rows, maxRows) {
  if (rows <= maxRows) return;
  throw new UploadError("ERR_LIMIT", `expected at most ${maxRows} rows but the upload has more`);
}

function plain({ counts, edges, underflow, overflow, nan }) {
  return { edges: Array.from(edges), counts: Array.from(counts), underflow, overflow, nan };
}
