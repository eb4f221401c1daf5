import { crc32 as platforms } from "node:zlib";
import { describe, expect, it } from "vitest";
import { crc32 } from "../src/formats/npz/crc32.ts";
import { openTable } from "../src/index.ts";
import { cells, failure } from "./tables.ts";
import { type Member, npyFile, zip } from "./zip.ts";

const numbers = (from: number) => Float64Array.from({ length: 50_000 }, (_, i) => from + i);
const npy = (values: Float64Array) => npyFile("'<f8'", values.length, new Uint8Array(values.buffer));
const a: Member = { name: "a.npy", bytes: npy(numbers(0)) };
const b: Member = { name: "b.npy", bytes: npy(numbers(7)) };
const expected = { a: [...numbers(0)], b: [...numbers(7)] };

describe("archives are read", () => {
  const deflated = { ...b, deflated: true };
  it.each<[string, Buffer]>([
    ["stored and deflated", zip([a, deflated])],
    ["with checksums behind the data", zip([a, { ...deflated, later: true }])],
    [
      "with sizes of 64 bits",
      zip([
        { ...a, wide: true },
        { ...deflated, wide: true },
      ]),
    ],
    ["with an end of 64 bits", zip([a, deflated], { wide: true })],
    ["with a comment that looks like an end", zip([a, deflated], { comment: `PK\x05\x06${"x".repeat(60)}` })],
    [
      "with folders and other files",
      zip([{ name: "x/", bytes: new Uint8Array(0) }, a, { name: "read.me", bytes: a.bytes }, deflated]),
    ],
    ["behind other bytes", zip([a, deflated], { before: 33 })],
    ["behind other bytes, with an end of 64 bits", zip([a, deflated], { before: 33, wide: true })],
  ])("%s", async (_, bytes) => {
    await using table = await openTable(bytes, { format: "npz" });
    expect(await cells(table)).toEqual(expected);
    expect(await cells(table)).toEqual(expected);
  });
});

describe("archives are refused", () => {
  const whole = zip([a, { ...b, deflated: true }]);
  /** Changes one byte behind the n-th place of a signature. */
  const changed = (signature: number, at: number, byte: number, from = whole): Buffer => {
    const bytes = Buffer.from(from);
    const place = bytes.indexOf(Buffer.from([0x50, 0x4b, signature & 255, signature >> 8]));
    bytes[place + at] = byte;
    return bytes;
  };
  const [LOCAL, ENTRY, END] = [0x0403, 0x0201, 0x0605];
  const wide = zip([a], { wide: true });

  it.each<[string, Buffer, RegExp]>([
    ["encrypted", zip([{ ...a, flags: 1 }]), /^ERR_UNSUPPORTED .*is encrypted$/],
    ["in another compression", zip([{ ...a, method: 12 }]), /^ERR_UNSUPPORTED .*compression 12$/],
    ["of several parts", changed(END, 4, 1), /^ERR_INPUT .*one of several parts$/],
    ["with more files than they state", changed(END, 10, 1), /^ERR_INPUT .*1 files .* but found more$/],
    ["with fewer files than they state", changed(END, 10, 3), /^ERR_INPUT .*3 files .* but found 2$/],
    ["with a directory that is too long", changed(END, 14, 0xff), /^ERR_INPUT .*states more bytes$/],
    ["cut", whole.subarray(0, -1), /^ERR_INPUT .*may have been cut$/],
    ["with bytes behind them", Buffer.concat([whole, Buffer.from("x")]), /^ERR_INPUT .*may have been cut$/],
    ["empty", Buffer.alloc(0), /^ERR_INPUT/],
    ["without the end of 64 bits", changed(0x0606, 0, 0, wide), /^ERR_INPUT .*64 bits but found none$/],
    ["with another header", changed(LOCAL, 2, 9), /^ERR_INPUT .*header of the array a.npy at byte 0/],
    ["with another name in the header", changed(LOCAL, 30, 0x62), /^ERR_INPUT .*header of the array a.npy/],
    ["with another size in the header", changed(LOCAL, 22, 1), /^ERR_INPUT .*header of the array a.npy/],
    ["with another offset", changed(ENTRY, 45, 0x7f), /^ERR_INPUT .*header of the array a.npy at byte 2/],
    ["with an array twice", zip([a, a]), /^ERR_INPUT .*two have the same one$/],
  ])("%s", async (_, bytes, message) => {
    expect(await failure(bytes, { format: "npz" })).toMatch(message);
  });

  it("with another checksum, as soon as all bytes are read", async () => {
    const bytes = zip([{ ...b, deflated: true }]);
    for (const signature of [LOCAL, ENTRY]) {
      const place = bytes.indexOf(Buffer.from([0x50, 0x4b, signature & 255, signature >> 8]));
      bytes[place + (signature === LOCAL ? 14 : 16)]! ^= 1;
    }
    expect(await failure(bytes, { format: "npz" })).toMatch(
      /^ERR_INPUT .*the checksum \d+ of b.npy but its bytes have \d+$/,
    );
  });

  it("with data of another length than they state", async () => {
    for (const [by, message] of [
      [-1, /^ERR_INPUT .*bytes for the shape/],
      [8, /^ERR_INPUT .*bytes for the shape/],
    ] as const) {
      const bytes = zip([{ ...b, deflated: true }]);
      for (const [signature, at] of [
        [LOCAL, 22],
        [ENTRY, 24],
      ] as const) {
        const place = bytes.indexOf(Buffer.from([0x50, 0x4b, signature & 255, signature >> 8])) + at;
        bytes.writeUInt32LE(bytes.readUInt32LE(place) + by, place);
      }
      expect(await failure(bytes, { format: "npz" })).toMatch(message);
    }
  });
});

it("checksums are the platform's", () => {
  const bytes = Uint8Array.from({ length: 1000 }, (_, i) => (i * i) & 255);
  for (const cut of [0, 1, 999, 1000]) {
    expect(crc32(bytes.subarray(cut), crc32(bytes.subarray(0, cut)))).toBe(platforms(bytes));
  }
});
