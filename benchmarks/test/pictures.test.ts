import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { decodeAll } from "../papers/here/pictures.ts";
import { parsePgm, pgmOf } from "../src/suites/pictures.ts";

const plane = { name: "ramp", width: 4, height: 2, bytes: Uint8Array.from([0, 1, 2, 3, 10, 13, 32, 255]) };

it("writes planes as PGM and reads them again, also if pixels look like spaces", () => {
  const { bytes, ...size } = parsePgm("ramp", pgmOf(plane));
  expect(size).toEqual({ name: "ramp", width: 4, height: 2 });
  expect([...bytes]).toEqual([...plane.bytes]);
  expect(() => parsePgm("short", pgmOf(plane).subarray(0, -1))).toThrow("expected a binary PGM of 8 bits");
  expect(() => parsePgm("text", Buffer.from("P2\n1 1\n255\n0"))).toThrow("but received text");
});

it("decodes all pictures of a folder, and ignores other files", async () => {
  const folder = mkdtempSync(join(tmpdir(), "polybin-pictures-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const { default: sharp } = await import("sharp");
  const raw = { width: 2, height: 1, channels: 3 } as const;
  await sharp(Buffer.from([1, 2, 3, 4, 5, 6]), { raw })
    .png()
    .toFile(join(folder, "colour.png"));
  await sharp(Buffer.from(plane.bytes), { raw: { width: 4, height: 2, channels: 1 } })
    .png()
    .toFile(join(folder, "grey.png"));
  writeFileSync(join(folder, "notes.txt"), "no picture");
  const found = await decodeAll(folder);
  expect(found.map(({ name, bytes }) => [name, [...bytes]])).toEqual([
    ["colour", [2, 5]],
    ["grey", [...plane.bytes]],
  ]);
  await expect(decodeAll(join(folder, "notes.txt"))).rejects.toThrow("expected a picture but received");
  rmSync(join(folder, "colour.png"));
  rmSync(join(folder, "grey.png"));
  await expect(decodeAll(folder)).rejects.toThrow("which has none");
});
