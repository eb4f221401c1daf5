export type Random = () => number;

/** Numbers from 0 to 1 that a seed determines (mulberry32). */
export function randomOf(seed: number): Random {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
}

/** Bytes that are not UTF-8, or end a text in C. */
const OTHERS = [0xff, 0xc3, 0];

/** Replaces, adds or removes bytes in some of the samples. @param characters those that are added */
export function damaged(bytes: Uint8Array, characters: string, random: Random): Uint8Array {
  const all = [...Buffer.from(characters), ...OTHERS];
  let found = bytes;
  while (random() < 0.3) {
    const at = Math.floor(random() * (found.length + 1));
    const cut = random() < 0.5 ? 1 : 0;
    const added = random() < 0.7 ? [all[Math.floor(random() * all.length)]!] : [];
    found = Buffer.concat([found.subarray(0, at), Uint8Array.from(added), found.subarray(at + cut)]);
  }
  return found;
}
