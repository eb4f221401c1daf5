import { truncateSync } from "node:fs";
import { native } from "@polybin/native";
import { expect, test } from "vitest";
import { emptyWarning, file, noise, type Printed, polybin, tally } from "./command.ts";

const BYTES = 2 ** 26;
const WIDER = 2 ** 22;

/** `polybin hist … --json` as it is typed, without a backend. */
async function auto(
  args: readonly string[],
  stdin?: Uint8Array,
  warning = "",
): Promise<Printed & { readonly device: string }> {
  const { code, stdout, stderr } = await polybin(["hist", ...args, "--json"], stdin);
  expect({ code, stderr }).toEqual({ code: 0, stderr: warning });
  return JSON.parse(stdout);
}

/** A file of zeros that takes no room. */
function zeros(bytes: number): string {
  const path = file("zeros", "");
  truncateSync(path, bytes);
  return path;
}

/** Compiled kernels, or core's loops where there is no addon. */
const ALONE = (await native().probe()).available
  ? { backend: "native", algorithm: "per-lane" }
  : { backend: "cpu", device: "1 JavaScript thread", algorithm: "sequential" };
const others = expect.stringMatching(/^(cuda|webgpu|native|piscina)$/);

test("what is little is counted at once: a file, a pipe, nothing", async () => {
  const bytes = noise(5000);
  const wanted = { ...ALONE, channels: [{ counts: tally(bytes, 256) }] };
  expect(await auto([file("b", bytes)])).toMatchObject(wanted);
  expect(await auto(["-"], bytes)).toMatchObject(wanted);
  expect(await auto(["-"], undefined, emptyWarning("standard input"))).toMatchObject({
    ...ALONE,
    input: { samples: 0 },
  });
  expect(await auto(["-", "--type", "f32"], new Uint8Array(Float32Array.of(1, 2).buffer))).toMatchObject(
    ALONE,
  );
});

test.for([
  ["u8", 1, BYTES],
  ["i8", 1, BYTES],
  ["u16", 2, WIDER],
  ["f64", 8, WIDER],
] as const)("%s: so many values, and one more", async ([type, size, most]) => {
  const args = ["--type", type, "--range", "0,1", "--bins", "2"];
  const few = await auto([zeros(most * size), ...args]);
  expect(few).toMatchObject({ ...ALONE, channels: [{ counts: [most, 0] }] });
  const many = await auto([zeros((most + 1) * size), ...args]);
  expect(many).toMatchObject({ backend: others, channels: [{ counts: [most + 1, 0] }] });
});

test("a pipe is read ahead to tell", async () => {
  const args = ["-", "--type", "u16", "--range", "0,1", "--bins", "2"];
  const few = await auto(args, new Uint8Array(WIDER * 2));
  expect(few).toMatchObject({ ...ALONE, channels: [{ counts: [WIDER, 0] }] });
  const many = await auto(args, new Uint8Array(WIDER * 2 + 2));
  expect(many).toMatchObject({ backend: others, channels: [{ counts: [WIDER + 1, 0] }] });
});

test("of a picture the samples of all channels count", async () => {
  const { default: sharp } = await import("sharp");
  const png = async (width: number, height: number) =>
    file(
      "x.png",
      await sharp({ create: { width, height, channels: 3, background: "black" } })
        .png({ compressionLevel: 1 })
        .toBuffer(),
    );
  const few = await auto([await png(640, 480)]);
  expect(few).toMatchObject({ ...ALONE, input: { samples: 640 * 480 } });
  const [width, height] = [8192, 2731];
  expect(width * height).toBeLessThan(BYTES);
  expect(3 * width * height).toBeGreaterThan(BYTES);
  expect(await auto([await png(width, height)])).toMatchObject({ backend: others, input: { width, height } });
});

test("threads, an algorithm or a backend that was asked for are what is taken", async () => {
  const path = file("b", noise(100));
  expect(await auto([path, "--threads", "1"])).toMatchObject({ backend: others });
  expect(await auto([path, "--algorithm", "trish"])).toMatchObject({ backend: others, algorithm: "trish" });
  expect(await auto([path, "--backend", "piscina"])).toMatchObject({ backend: "piscina" });
});
