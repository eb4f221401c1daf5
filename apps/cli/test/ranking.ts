import { noise } from "./command.ts";

/**
 * LIBSVM text of documents as a search engine ranks them: labels from 0 to 4 that the first features tell something
 * of, and sparse features: of most, most values are 0. `seed` fixes all.
 */
export function rankingText(documents: number, features: number, seed: number): string {
  const random = noise(documents * (features + 1), seed);
  const lines = Array.from({ length: documents }, (_, d) => {
    const bytes = random.subarray(d * (features + 1), (d + 1) * (features + 1));
    const label = Math.min(4, Math.floor((bytes[0]! + bytes[1]! + bytes[2]!) / 100));
    const pairs = Array.from(bytes.subarray(0, features), (byte, f) =>
      byte > (f % 8) * 20 ? `${f + 1}:${f % 3 === 0 ? byte : byte / 250}` : "",
    );
    return `${label} ${pairs.filter((pair) => pair !== "").join(" ")}`;
  });
  return `${lines.join("\n")}\n`;
}
