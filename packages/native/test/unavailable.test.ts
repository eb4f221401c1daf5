import { isPolybinError, openEngine } from "@polybin/core";
import { addonRemedy } from "@polybin/core/backend";
import { native } from "@polybin/native";
import { expect, it } from "vitest";
import { addon } from "../src/platform/index.ts";

const probe = await native().probe();

it("reports why there is no addon, and opens nothing", async (test) => {
  if (probe.available) return test.skip(`there is one: ${probe.device}`);
  expect(probe.reason).toMatch(
    /^the addon could not be loaded \(.+\); (`npm run setup` builds it|there is no addon for)/,
  );
  await expect(openEngine({ backend: native() })).rejects.toMatchObject({
    code: "ERR_UNAVAILABLE",
    backend: "native",
    message: probe.reason,
  });
  const engine = await openEngine({ backends: [native()] });
  expect(engine.backend).toBe("cpu");
  expect(engine.skipped).toEqual([{ backend: "native", reason: probe.reason }]);
  await engine.close();
});

it.each([
  ["linux-x64", true, /^`npm run setup` builds it with g\+\+$/],
  [
    "linux-x64",
    false,
    /^install @polybin\/native-linux-x64 in the version of @polybin\/native: .* `npm run pack` builds in a checkout/,
  ],
  ["linux-x64-musl", false, /^install @polybin\/native-linux-x64-musl in the version/],
  [
    "linux-s390x",
    true,
    /^there is no addon for linux-s390x, only for darwin-arm64, .*, win32-x64: use another/,
  ],
])("gives advice that can be followed on %s, in a checkout: %s", (platform, isCheckout, words) => {
  expect(addonRemedy(addon, platform, isCheckout)).toMatch(words);
});

it("refuses options that it does not know, and threads that are no number of them", () => {
  const codes = [{ workers: 2 }, { threads: 0 }, { threads: 1.5 }, { threads: 257 }].map((options) => {
    try {
      native(options as object);
    } catch (error) {
      return isPolybinError(error) ? error.code : error;
    }
    return "accepted";
  });
  expect(codes).toEqual(["ERR_INPUT", "ERR_INPUT", "ERR_INPUT", "ERR_LIMIT"]);
});
