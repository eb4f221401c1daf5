import { openEngine } from "@polybin/core";
import { DAWN_FLAGS, openDawn, USAGE } from "../ceilings/dawn.ts";
import { BYTES, difference, Tile } from "../data/tile.ts";
import type { Bench } from "../runner/bench.ts";
import { movedRow } from "../runner/moved.ts";
import { median } from "../runner/statistics.ts";
import { PER_LANE } from "./sweeps.ts";

const ROUNDS = 5;
/** Bytes that the engine copies per piece. */
const PIECE_BYTES = 8_388_608;

/**
 * Measures uploads from ordinary host memory on the host's clock: the engine's upload and count, and Dawn's
 * `queue.writeBuffer` of the same bytes. The first one of a device is cold, the others are warm.
 */
export async function upload(bench: Bench): Promise<void> {
  const { report, options, target } = bench;
  const { bytes } = options;
  const tile = Tile.of(BYTES, "uniform");
  const data = tile.lay(bench.host(bytes), bytes) as Uint8Array<ArrayBuffer>;
  const truth = await tile.counts(bench.oracle, bytes, {});
  report.add(plainCopy(data));
  const written: Times = { cold: [], warm: [] };
  const counted: Times = { cold: [], warm: [] };
  for (let round = 0; round < ROUNDS; round++) {
    await writeBuffers(data, written);
    await using engine = await openEngine({ backend: target.timed() });
    for (const times of [counted.cold, counted.warm]) {
      const start = performance.now();
      const found = await engine.histograms(data, PER_LANE);
      times.push(performance.now() - start);
      const wrong = difference(truth, found);
      if (wrong !== null) throw new Error(`NOT EXACT: ${wrong}`);
    }
  }
  for (const variant of ["cold", "warm"] as const) {
    const ours = { backend: "webgpu", algorithm: "per-lane", peer: null, bins: 256 } as const;
    report.add(movedRow("queue.writeBuffer", bytes, written[variant], { ...PLACE, variant }));
    report.add(movedRow("", bytes, counted[variant], { ...PLACE, variant, ...ours }));
  }
  report.note("upload and count over queue.writeBuffer", {
    cold: median(written.cold) / median(counted.cold),
    warm: median(written.warm) / median(counted.warm),
  });
}

const PLACE = {
  distribution: "uniform",
  residence: "upload",
  memory: "pageable",
  ceilingPercent: null,
} as const;

/** Measures the ceiling of the one thread that may write to mapped memory: a copy to memory that stays in the cache. */
function plainCopy(data: Uint8Array) {
  const piece = new Uint8Array(PIECE_BYTES);
  const ms: number[] = [];
  for (let round = 0; round <= ROUNDS; round++) {
    const start = performance.now();
    for (let at = 0; at < data.length; at += piece.length) piece.set(data.subarray(at, at + piece.length));
    if (round > 0) ms.push(performance.now() - start);
  }
  return movedRow("TypedArray.set", data.length, ms, PLACE);
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
