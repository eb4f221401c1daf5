import { type KeysLowering, type Lowering, limits, SAMPLE_TRAITS } from "@polybin/core/backend";
import type { Codes } from "../kernels/index.ts";
import type { Wasm } from "../platform/index.ts";
import type { ChannelsWork } from "./task.ts";

/** Stage 1 for one channel: it converts the samples of a chunk to codes. */
export class Lowerer {
  /** Bytes per code. */
  readonly codeBytes: 1 | 2;
  readonly #wasm: Wasm;
  readonly #work: ChannelsWork;
  readonly #address: number;
  readonly #pixelBytes: number;
  readonly #asTheyAre: boolean;

  constructor(wasm: Wasm, work: ChannelsWork, channel: number) {
    const { plan, lowering, interleaved } = work;
    const { bytes } = SAMPLE_TRAITS[plan.type];
    this.codeBytes = plan.cells <= limits.BYTE_VALUES ? 1 : 2;
    this.#wasm = wasm;
    this.#work = work;
    this.#address = wasm.chunk + channel * bytes;
    this.#pixelBytes = interleaved * bytes;
    this.#asTheyAre = interleaved === 1 && (plan.raw || isIdentity(lowering!));
    if (!plan.raw) setUp(wasm, lowering!);
  }

  /** Returns the codes of a chunk's pixels from `first` on. Samples outside the bins are tallied and omitted. */
  codes(pixels: number, first = 0): Codes {
    const at = this.#address + first * this.#pixelBytes;
    if (this.#asTheyAre) return { address: at, count: pixels, bytes: this.codeBytes };
    return { address: this.#wasm.codes, count: this.#lower(pixels, at), bytes: this.codeBytes };
  }

  /** Returns underflow, overflow and NaN since the memory was reset. */
  flow(): Float64Array {
    if (this.#work.plan.raw) return new Float64Array(limits.FLOW_ROWS);
    const { memory, flow } = this.#wasm;
    return Float64Array.from(new Uint32Array(memory.buffer, flow, limits.FLOW_ROWS));
  }

  #lower(pixels: number, at: number): number {
    const wasm = this.#wasm;
    const { plan, lowering, interleaved: stride } = this.#work;
    const wide = this.codeBytes === 2;
    if (plan.raw) return wasm.lower_gather_u8(at, pixels, stride);
    if (lowering?.kind === "table") return wasm.lower_table_u16(at, pixels, stride, wide);
    if (lowering?.kind === "keys") return wasm[`lower_keys_${lowering.type}`](at, pixels, stride, wide);
    if (lowering?.kind === "direct") {
      const type = lowering.type as "u16" | "i16" | "u32" | "i32";
      return wasm[`lower_direct_${type}`](at, pixels, stride, lowering.start, wide);
    }
    throw new Error("samples of one constant code are not sent to workers");
  }
}

/** Whether 16-bit samples are codes already, because each value has its own bin. */
function isIdentity(lowering: Lowering): boolean {
  return lowering.kind === "direct" && lowering.type === "u16" && lowering.bins === limits.HALF_VALUES;
}

function setUp(wasm: Wasm, lowering: Lowering): void {
  wasm.loaded = 0;
  wasm.lower_bins(lowering.bins);
  if (lowering.kind === "table") {
    new Uint32Array(wasm.memory.buffer, wasm.lowering, lowering.table.length).set(lowering.table);
  } else if (lowering.kind === "keys") setUpKeys(wasm, lowering);
}

function setUpKeys(wasm: Wasm, lowering: KeysLowering): void {
  const { thresholds, thresholdsHigh, words, last, nanBelow, nanAbove, guess } = lowering;
  const keys = new Uint32Array(wasm.memory.buffer, wasm.lowering, thresholds.length * words);
  thresholds.forEach((low, i) => {
    keys[i * words] = low;
    if (thresholdsHigh !== null) keys[i * words + 1] = thresholdsHigh[i]!;
  });
  wasm.lower_keys(thresholds.length, joined(last), joined(nanBelow), joined(nanAbove), words === 2);
  if (guess.kind === "linear") wasm.lower_linear(guess.lo, guess.scale);
  else {
    new Uint32Array(wasm.memory.buffer, wasm.starts, guess.starts.length).set(guess.starts);
    wasm.lower_cells(guess.base, guess.shift, guess.starts.length - 1);
  }
}

function joined({ low, high }: { readonly low: number; readonly high: number }): bigint {
  return (BigInt(high) << 32n) | BigInt(low);
}
