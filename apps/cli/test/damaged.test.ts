import sharp, { type Sharp } from "sharp";
import { expect, test } from "vitest";
import { file, hist, noise, polybin } from "./command.ts";

// What is damage is for @polybin/pictures to say; here is what the command makes of it.
const EOI = Uint8Array.of(0xff, 0xd9);
const drawn = (): Sharp => sharp(noise(92 * 70 * 3), { raw: { width: 92, height: 70, channels: 3 } });

test("a TIFF that claims more pixels than fit is refused in one line", async () => {
  const bytes = await drawn().tiff({ compression: "none" }).toBuffer();
  const directory = bytes.readUInt32LE(4);
  for (let at = directory + 2; ; at += 12) {
    if (bytes.readUInt16LE(at) !== 257) continue;
    bytes.writeUInt16LE(4, at + 2);
    bytes.writeUInt32LE(2 ** 30, at + 8);
    break;
  }
  const { code, stderr } = await polybin(["hist", file("x.tif", bytes)]);
  expect(code).toBe(2);
  expect(stderr).toMatch(/^error\[ERR_LIMIT\]: [^\n]+\n$/);
});

test("the command refuses in one line that says how to count; --lenient counts with a warning", async () => {
  const bytes = await drawn().jpeg().toBuffer();
  const path = file("cut.jpg", Buffer.concat([bytes.subarray(0, 1500), EOI]));
  const strict = await polybin(["hist", path]);
  expect(strict).toMatchObject({ code: 2, stdout: "" });
  expect(strict.stderr).toMatch(
    /^error\[ERR_INPUT\]: expected a whole JPEG picture but cut\.jpg is damaged: [^\n]+; --lenient counts what can be decoded\n$/,
  );
  const lenient = await polybin(["hist", path, "--lenient", "--json", "--backend", "cpu"]);
  expect(lenient.code).toBe(0);
  expect(lenient.stderr).toMatch(/^warning: cut\.jpg is damaged; [^\n]+\n$/);
  const found = JSON.parse(lenient.stdout) as Awaited<ReturnType<typeof hist>>;
  expect(found.input).toMatchObject({ kind: "image", width: 92, height: 70 });
  for (const { counts } of found.channels) expect(counts.reduce((sum, n) => sum + n, 0)).toBe(92 * 70);
  // A whole picture gives the same counts with and without, and no warning.
  const whole = file("whole.jpg", bytes);
  expect((await hist([whole, "--lenient"])).channels).toEqual((await hist([whole])).channels);
});

test("--lenient refuses what cannot be decoded at all, and does not go with --raw", async () => {
  const path = file("x.png", (await drawn().png().toBuffer()).subarray(0, 40));
  const { code, stderr } = await polybin(["hist", path, "--lenient"]);
  expect(code).toBe(2);
  expect(stderr).toMatch(/^error\[ERR_INPUT\]: [^\n]+ no part of it can be decoded; --raw [^\n]+\n$/);
  expect((await polybin(["hist", path, "--lenient", "--raw"])).stderr).toMatch(/either --raw.*or --lenient/);
});
