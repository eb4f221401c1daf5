import fc from "fast-check";
import { expect, it } from "vitest";
import { Chunks } from "../src/task/chunks.ts";

it("covers every pixel once, in pieces that fit", () => {
  fc.assert(
    fc.property(
      fc.nat({ max: 40 }),
      fc.nat({ max: 40 }),
      fc.integer({ min: 1, max: 50 }),
      (width, height, most) => {
        const chunks = new Chunks({ width, height, rowPitch: width, pixelBytes: 1 }, most);
        const seen = new Uint8Array(width * height);
        for (let index = 0; index < chunks.count; index++) {
          const { row, rows, column, columns } = chunks.at(index);
          expect(rows * columns).toBeGreaterThan(0);
          expect(rows * columns).toBeLessThanOrEqual(most);
          for (let y = row; y < row + rows; y++) {
            for (let x = column; x < column + columns; x++) seen[y * width + x]! += 1;
          }
        }
        expect(seen.every((times) => times === 1)).toBe(true);
      },
    ),
    { seed: 1 },
  );
});

it("takes several short rows at a time and cuts long rows", () => {
  expect(new Chunks({ width: 10, height: 100, rowPitch: 10, pixelBytes: 1 }, 100).count).toBe(10);
  expect(new Chunks({ width: 1000, height: 2, rowPitch: 1000, pixelBytes: 1 }, 100).count).toBe(20);
});
