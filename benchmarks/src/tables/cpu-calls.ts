import type { Row } from "../runner/row.ts";

/** The whole calls of a CPU's result file: without WebGPU and its peers, which share the file. */
export const cpuCalls = (rows: readonly Row[]): Row[] => rows.filter(isOfCpu).map(asCall);

function isOfCpu({ backend, peer, device }: Row): boolean {
  return (
    backend !== "webgpu" && peer !== "chromium" && peer !== "luma.gl" && !/GPU|NVIDIA/.test(device ?? "")
  );
}

/** On a CPU each row is a whole call, whether or not it says so. */
function asCall(row: Row): Row {
  const isCall = row.variant === undefined && (row.peer !== null || row.algorithm === "per-lane");
  return row.call === undefined && isCall && ["piscina", null].includes(row.backend)
    ? { ...row, call: "count" }
    : row;
}
