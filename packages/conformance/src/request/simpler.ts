import type { Column, Request } from "./request.ts";
import type { Data } from "./samples.ts";

/** Returns simpler forms of a request, the simplest first. Each of them leaves out or shortens one part. */
export function* simplerRequests(request: Request): Generator<Request> {
  const { columns, as, select, rows, weights, way } = request;
  for (const name of ["how", "weights", "rows"] as const) {
    if (request[name] !== null) yield { ...request, [name]: null };
  }
  for (const name of ["mask", "where"] as const) {
    if (select[name] !== null) yield { ...request, select: { ...select, [name]: null } };
  }
  if (way !== "call") yield { ...request, way: "call" };
  if (select.mask !== null && select.mask.form !== "array") {
    yield { ...request, select: { ...select, mask: { ...select.mask, form: "array" } } };
  }
  if (weights !== null && weights.form !== "array")
    yield { ...request, weights: { ...weights, form: "array" } };
  if (weights?.more !== undefined) {
    const { more, ...one } = weights;
    yield { ...request, weights: more === 0 ? one : { ...one, more: more - 1 } };
  }
  if (rows !== null && "by" in rows && rows.by.form !== "array") {
    yield { ...request, rows: { by: { ...rows.by, form: "array" } } };
  }
  if (columns.length > 1)
    for (const k of columns.keys()) yield { ...request, columns: columns.toSpliced(k, 1) };
  const sizes = [0, 1, 8, 64].filter((n) => n < columns[0]!.data.pixels);
  for (const pixels of sizes)
    yield { ...request, columns: withData(columns, (data) => ({ ...data, pixels })) };
  if (columns.some(({ data }) => data.picture !== null)) {
    yield { ...request, columns: withData(columns, (data) => ({ ...data, picture: null })) };
  }
  // Channels of one input share their data.
  if (as !== "list") return;
  for (const k of columns.keys()) {
    for (const simpler of simplerColumns(columns[k]!))
      yield { ...request, columns: columns.with(k, simpler) };
  }
}

/** Changes the data of columns. Those that share their data still do. */
function withData(columns: readonly Column[], change: (data: Data) => Data): readonly Column[] {
  const made = new Map<Data, Data>();
  for (const { data } of columns) if (!made.has(data)) made.set(data, change(data));
  return columns.map((column) => ({ ...column, data: made.get(column.data)! }));
}

function* simplerColumns({ data, channel, over }: Column): Generator<Column> {
  if (data.form !== "array") yield { data: { ...data, form: "array" }, channel, over };
  if (data.channels > 1) yield { data: { ...data, channels: 1 }, channel: 0, over };
  if ("axis" in over && over.anew) yield { data, channel, over: { ...over, anew: false } };
}
