import { readCeiling, webgpu } from "@polybin/webgpu";
import { expect, it } from "vitest";
import { absence, DAWN } from "./shared.ts";

const reason = await absence();
const needsDevice = reason === null ? it : (name: string, _: unknown) => it(name, ({ skip }) => skip(reason));

needsDevice("every way to only read gives its times", async () => {
  // The size is not a multiple of a vector, and larger than the loads in flight of one variant.
  const rows = await readCeiling({ bytes: 2 ** 20 + 13, rounds: 2, dawn: DAWN });
  expect(new Set(rows.map(({ variant }) => variant)).size).toBe(4);
  for (const { ms, blocks } of rows) {
    expect(ms).toHaveLength(2);
    expect(Math.min(...ms)).toBeGreaterThanOrEqual(0);
    expect(blocks).toBeGreaterThan(0);
  }
});

it.each([{ bytes: 8 }, { bytes: 1.5 }, { bytes: 4096, rounds: 0 }])(
  "wrong options, %o, are ERR_INPUT",
  async (options) => {
    await expect(readCeiling(options)).rejects.toMatchObject({ code: "ERR_INPUT" });
  },
);

it("the error for a misspelt option suggests the nearest name", async () => {
  for (const [wrong, right] of [
    ["byts", "bytes"],
    ["powerPreferense", "powerPreference"],
  ] as const) {
    await expect(readCeiling({ [wrong]: 4096 } as never)).rejects.toMatchObject({
      code: "ERR_INPUT",
      message: expect.stringContaining(`did you mean ${right}? received ${wrong}`),
    });
  }
});

it("without a device it reports the same reason as openEngine", async () => {
  // No adapter has this name.
  const dawn = ["adapter=none of this name"];
  const probe = await webgpu({ dawn }).probe();
  expect(probe).toMatchObject({ available: false, reason: expect.stringMatching(/^WebGPU has no adapter/) });
  await expect(readCeiling({ bytes: 4096, dawn })).rejects.toMatchObject({
    code: "ERR_UNAVAILABLE",
    message: (probe as { reason: string }).reason,
  });
});
