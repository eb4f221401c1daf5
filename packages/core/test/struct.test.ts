import { describe, expect, it } from "vitest";
import { pack, struct } from "../src/base/struct.ts";

describe("a struct", () => {
  const of = struct("Job", {
    bins: "u32",
    start: "i64",
    scale: "f32",
    flow: "bool",
    inverse: "f64",
    shift: "i32",
  });

  it("aligns every field to its size, and has a size that is a multiple of its widest field", () => {
    expect(of.offsets).toEqual({ bins: 0, start: 8, scale: 16, flow: 20, inverse: 24, shift: 32 });
    expect(of.bytes).toBe(40);
    expect(struct("Words", { a: "u32", b: "u32", c: "u32" }).bytes).toBe(12);
  });

  it("writes its fields at their offsets, and nothing else", () => {
    const bytes = new Uint8Array(56).fill(0xee);
    const values = { bins: 2 ** 32 - 1, start: -5, scale: 0.5, flow: true, inverse: 0.1, shift: -7 };
    pack(of, values, new DataView(bytes.buffer), 8);
    const view = new DataView(bytes.buffer, 8);
    expect(view.getUint32(0, true)).toBe(2 ** 32 - 1);
    expect(view.getBigInt64(8, true)).toBe(-5n);
    expect(view.getFloat32(16, true)).toBe(0.5);
    expect(view.getUint32(20, true)).toBe(1);
    expect(view.getFloat64(24, true)).toBe(0.1);
    expect(view.getInt32(32, true)).toBe(-7);
    expect([...bytes.subarray(0, 8), ...bytes.subarray(48)]).toEqual(Array(16).fill(0xee));
  });

  it.each([
    ["bins", -1],
    ["bins", 2 ** 32],
    ["bins", 0.5],
    ["shift", 2 ** 31],
    ["start", 2 ** 60],
    ["flow", 1],
    ["scale", undefined],
  ])("refuses %s of %s", (field, value) => {
    const values = { bins: 1, start: 1, scale: 1, flow: true, inverse: 1, shift: 1, [field]: value };
    expect(() => pack(of, values as never, new DataView(new ArrayBuffer(40)))).toThrow(
      expect.objectContaining({ code: "ERR_INTERNAL" }),
    );
  });
});
