import { openEngine } from "@polybin/core";
import { DAWN_FLAGS, openDawn, USAGE } from "../ceilings/dawn.ts";
import { difference, Tile } from "../data/tile.ts";
import type { Bench } from "../runner/bench.ts";
import { movedRow } from "../runner/ceiling.ts";
import type { Row } from "../runner/row.ts";
import { median, throughput } from "../runner/statistics.ts";

const CELL = { algorithm: "per-lane" } as const;
const ROUNDS = 5;
/** Bytes that the engine copies per piece. */
const PIECE_BYTES = 8_388_608;

/**
 * Measures uploads from ordinary host memory on the host's clock: the engine's upload and count, and Dawn's
 * `queue.writeBuffer` of the same bytes. The first one of a device is cold, the others are warm.
 */
export async function upload(bench: Bench): Promise<void> {
  const { bytes } = bench.options;
  const tile = Tile.of({ type: "u8", top: 256, channels: 1 }, "uniform");
  const data = tile.lay(bench.host(bytes), bytes) as Uint8Array<ArrayBuffer>;
  const truth = await tile.counts(bench.oracle, bytes, {});
  bench.report.add(plainCopy(data));
  const written: Times = { cold: [], warm: [] };
  const counted: Times = { cold: [], warm: [] };
  for (let round = 0; round < ROUNDS; round++) {
    await writeBuffers(data, written);
    await using engine = await openEngine({ backend: bench.target.timed() });
    for (const times of [counted.cold, counted.warm]) {
      const start = performance.now();
      const found = await engine.histograms(data, CELL);
      times.push(performance.now() - start);
      const wrong = difference(truth, found);
      if (wrong !== null) throw new Error(`NOT EXACT: ${wrong}`);
    }
  }
  for (const state of ["cold", "warm"] as const) {
    const written_ = row(bytes, state, written[state], null);
    bench.report.add(written_);
    bench.report.add(row(bytes, state, counted[state], written_.gbps));
  }
  bench.report.note("upload and count over queue.writeBuffer", {
    cold: median(written.cold) / median(counted.cold),
    warm: median(written.warm) / median(counted.warm),
  });
}

/** Measures the ceiling of the one thread that may write to mapped memory: a copy to memory that stays in the cache. */
function plainCopy(data: Uint8Array): Row {
  const piece = new Uint8Array(PIECE_BYTES);
  const ms: number[] = [];
  for (let round = 0; round <= ROUNDS; round++) {
    const start = performance.now();
    for (let at = 0; at < data.length; at += piece.length) piece.set(data.subarray(at, at + piece.length));
    if (round > 0) ms.push(performance.now() - start);
  }
  return movedRow({
    ...{ peer: "TypedArray.set", memory: "pageable", bytes: data.length, distribution: "uniform" },
    ...{ residence: "upload", ms, ceilingPercent: null },
  });
}

interface Times {
  readonly cold: number[];
  readonly warm: number[];
}

/** Uploads with one call, and waits. */
async function writeBuffers(data: Uint8Array<ArrayBuffer>, times: Times): Promise<void> {
  const { gpu, device } = await openDawn(DAWN_FLAGS);
  const buffer = device.createBuffer({ size: data.byteLength, usage: USAGE.COPY_DST | USAGE.STORAGE });
  for (const ms of [times.cold, times.warm]) {
    const start = performance.now();
    device.queue.writeBuffer(buffer, 0, data);
    await device.queue.onSubmittedWorkDone();
    ms.push(performance.now() - start);
  }
  device.destroy();
  void gpu;
}

function row(bytes: number, variant: string, ms: readonly number[], ceiling: number | null): Row {
  const gbps = throughput(bytes, ms);
  const ours = ceiling !== null;
  return {
    backend: ours ? "webgpu" : null,
    algorithm: ours ? CELL.algorithm : null,
    peer: ours ? null : "queue.writeBuffer",
    variant,
    type: "u8",
    bins: ours ? 256 : 0,
    n: bytes,
    distribution: "uniform",
    residence: "upload",
    memory: "pageable",
    ms,
    gbps,
    ceilingPercent: null,
    exact: true,
  };
}
