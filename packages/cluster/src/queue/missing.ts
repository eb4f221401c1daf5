import { type ErrorCode, PolybinError } from "@polybin/core";

/** Ranges of shards that a message lists at most. */
const LISTED = 20;

/** Writes the shards whose bits are 0, as ranges: "17, 813-999". */
function missingText(bits: Uint8Array, shards: number): string {
  const ranges: string[] = [];
  let first = -1;
  for (let i = 0; i <= shards; i++) {
    const counted = i === shards || ((bits[i >> 3] ?? 0) & (0x80 >> (i & 7))) !== 0;
    if (!counted && first < 0) first = i;
    if (counted && first >= 0) {
      ranges.push(first === i - 1 ? `${first}` : `${first}-${i - 1}`);
      first = -1;
    }
  }
  const more = ranges.length - LISTED;
  return ranges.slice(0, LISTED).join(", ") + (more > 0 ? ` and ${more} more ranges` : "");
}

const CODE = /^(ERR_[A-Z_]+): /;

/** All that is known of a failed job. */
export interface Failure {
  readonly name: string;
  readonly shards: number;
  /** One bit per shard, 1 if it was counted. */
  readonly bits: Uint8Array;
  /** Messages by node, "LEVEL.INDEX". */
  readonly failures: Readonly<Record<string, string>>;
  /** Describes what a shard reads. */
  readonly describe: (shard: number) => string;
}

/** The error of a failed job: what failed and why, what was done and what is missing. */
export function failureOf({ name, shards, bits, failures, describe }: Failure): PolybinError {
  const nodes = Object.keys(failures).sort((a, b) => a.localeCompare(b, "en", { numeric: true }));
  const listed = nodes.slice(0, LISTED).map((node) => {
    const [level, index] = node.split(".").map(Number) as [number, number];
    const what = level === 0 ? `shard ${index} (${describe(index)})` : `merge ${node}`;
    return `${what} failed: ${failures[node]}`;
  });
  // Redis can lose the messages and keep the state.
  const reason =
    listed.length > 0 ? listed.join("; ") : "it failed for a reason that is not in Redis any more";
  const done = bits.reduce((sum, byte) => sum + bitsIn(byte), 0);
  const missing = done === shards ? "none" : missingText(bits, shards);
  const code = (CODE.exec(failures[nodes[0] ?? ""] ?? "")?.[1] ?? "ERR_WORKER") as ErrorCode;
  return new PolybinError(
    code,
    `job ${name}: ${reason}; done: ${done} of ${shards} shards; missing: ${missing}; ` +
      "remove the cause and ask again, which counts only the missing shards",
  );
}

function bitsIn(byte: number): number {
  let bits = 0;
  for (let rest = byte; rest > 0; rest >>= 1) bits += rest & 1;
  return bits;
}
