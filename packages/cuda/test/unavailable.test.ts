import { existsSync, readdirSync } from "node:fs";
import { KERNEL_HELPERS, parityProblems } from "@polybin/conformance";
import { isPolybinError, openEngine } from "@polybin/core";
import { addonRemedy } from "@polybin/core/backend";
import { cuda, pinned } from "@polybin/cuda";
import { expect, it } from "vitest";
import { addon } from "../src/platform/index.ts";

const probe = await cuda().probe();
const built = existsSync(new URL("../dist/polybin_cuda.node", import.meta.url));

it("reports why there is no device, and opens nothing", async (test) => {
  if (probe.available) return test.skip(`there is one: ${probe.device}`);
  expect(probe.reason).toMatch(
    built
      ? /^no CUDA device: cudaError\w+: /
      : /^the addon could not be loaded \(.+\); (`npm run setup` builds it|there is no addon for)/,
  );
  await expect(openEngine({ backend: cuda() })).rejects.toMatchObject({
    code: "ERR_UNAVAILABLE",
    backend: "cuda",
    message: probe.reason,
  });
  const engine = await openEngine({ backends: [cuda()] });
  expect(engine.backend).toBe("cpu");
  expect(engine.skipped).toEqual([{ backend: "cuda", reason: probe.reason }]);
  await engine.close();
  expect(errorOf(() => pinned(16)).code).toBe("ERR_UNAVAILABLE");
});

it("reports that a device of this number does not exist", async (test) => {
  if (!probe.available) return test.skip(probe.reason);
  expect(await cuda({ device: 999 }).probe()).toMatchObject({
    available: false,
    reason: expect.stringContaining("999"),
  });
});

it.each([
  ["linux-x64", true, /^`npm run setup` builds it with nvcc and g\+\+$/],
  [
    "linux-x64",
    false,
    /^install @polybin\/cuda-linux-x64 in the version of @polybin\/cuda: .* `npm run pack` builds in a checkout/,
  ],
  ["darwin-arm64", true, /^there is no addon for darwin-arm64, only for linux-x64: use another backend$/],
  ["darwin-arm64", false, /^there is no addon for darwin-arm64, only for linux-x64: use another backend$/],
])("gives advice that can be followed on %s, in a checkout: %s", (platform, isCheckout, words) => {
  expect(addonRemedy(addon, platform, isCheckout)).toMatch(words);
});

it("claims only the algorithms with a kernel", () => {
  const kernels = readdirSync(new URL("../src/kernels/", import.meta.url));
  const helpers = [...KERNEL_HELPERS, "descriptor", "generated"];
  const claims = [...cuda().algorithms, ...cuda().weighted!];
  expect(parityProblems(claims, kernels, helpers)).toEqual([]);
});

it("refuses values that are not device numbers", () => {
  for (const device of [-1, 0.5, Number.NaN]) expect(errorOf(() => cuda({ device })).code).toBe("ERR_INPUT");
});

it("inherited properties are no options", () => {
  const inherited = { device: -1, devices: [], exactTimings: 1 };
  expect(cuda(Object.create(inherited) as object).id).toBe("cuda");
});

function errorOf(call: () => unknown) {
  try {
    call();
  } catch (error) {
    if (isPolybinError(error)) return error;
    throw error;
  }
  throw new Error("expected an error");
}
