import { type HuffmanTable, huffmanTable } from "./jpeg-entropy.ts";

/**
 * The tables of ITU-T T.81, K.3: the numbers of codes with 1, 2 … 16 bits, and the symbols, in hexadecimal. The frames
 * of webcams (Motion JPEG) have no tables, and decoders use these.
 */
const STANDARD: ReadonlyMap<number, readonly [string, string]> = new Map([
  // DC of luminance.
  [0, ["00010501010101010100000000000000", "000102030405060708090a0b"]],
  // DC of chrominance.
  [1, ["00030101010101010101010000000000", "000102030405060708090a0b"]],
  // AC of luminance.
  [
    16,
    [
      "0002010303020403050504040000017d",
      "01020300041105122131410613516107227114328191a1082342b1c11552d1f02433627282090a161718191a25" +
        "262728292a3435363738393a434445464748494a535455565758595a636465666768696a737475767778797a83" +
        "8485868788898a92939495969798999aa2a3a4a5a6a7a8a9aab2b3b4b5b6b7b8b9bac2c3c4c5c6c7c8c9cad2d3" +
        "d4d5d6d7d8d9dae1e2e3e4e5e6e7e8e9eaf1f2f3f4f5f6f7f8f9fa",
    ],
  ],
  // AC of chrominance.
  [
    17,
    [
      "00020102040403040705040400010277",
      "000102031104052131061241510761711322328108144291a1b1c109233352f0156272d10a162434e125f11718" +
        "191a262728292a35363738393a434445464748494a535455565758595a636465666768696a737475767778797a" +
        "82838485868788898a92939495969798999aa2a3a4a5a6a7a8a9aab2b3b4b5b6b7b8b9bac2c3c4c5c6c7c8c9ca" +
        "d2d3d4d5d6d7d8d9dae2e3e4e5e6e7e8e9eaf2f3f4f5f6f7f8f9fa",
    ],
  ],
]);

const built = new Map<number, HuffmanTable>();

/**
 * Returns the table that decoders use if a JPEG defines none.
 * @param number 0 to 3 DC, 16 to 19 AC
 * @returns undefined if there is none: 2, 3, 18, 19
 */
export function standardTable(number: number): HuffmanTable | undefined {
  const standard = STANDARD.get(number);
  if (standard === undefined || built.has(number)) return built.get(number);
  const [lengths, symbols] = standard.map((hex) => Buffer.from(hex, "hex"));
  const table = huffmanTable(lengths!, symbols!)!;
  built.set(number, table);
  return table;
}
