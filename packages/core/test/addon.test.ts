import { expect, it } from "vitest";
import { type Addon, loadAddon } from "../src/backend/addon.ts";

const PLATFORMS = ["linux-arm64", "linux-x64", "linux-x64-musl", "win32-x64"];
const report = (glibcVersionRuntime?: string) => ({
  excludeNetwork: false,
  getReport: () => ({ header: { glibcVersionRuntime } }),
});
const GLIBC: Addon["host"] = { platform: "linux", arch: "x64", report: report("2.36") };
const WINDOWS: Addon["host"] = { platform: "win32", arch: "x64" };
const FREEBSD: Addon["host"] = { platform: "freebsd", arch: "x64" };
const MUSL: Addon["host"] = { platform: "linux", arch: "x64", report: report() };

/** An addon of which only some modules are installed. */
function addonOn(host: Addon["host"], installed: string[], isCheckout = false): Addon & { asked: string[] } {
  const asked: string[] = [];
  const load = (module: string) => {
    asked.push(module);
    if (installed.includes(module)) return `loaded ${module}`;
    throw new Error(`Cannot find module '${module}'\nRequire stack:`);
  };
  const isHere = () => isCheckout;
  return { backend: "native", platforms: PLATFORMS, tools: "g++", host, load, isCheckout: isHere, asked };
}

it.each([
  ["a checkout's build before a package", GLIBC, ["../polybin_native.node", "@polybin/native-linux-x64"], 0],
  ["the package of the platform", GLIBC, ["@polybin/native-linux-x64"], 0],
  ["musl's package, the one that is installed there", MUSL, ["@polybin/native-linux-x64-musl"], 0],
  ["the package of a platform with one C library", WINDOWS, ["@polybin/native-win32-x64"], 0],
])("loads %s", (_, host, installed, first) => {
  expect(loadAddon(addonOn(host, installed))).toBe(`loaded ${installed[first]}`);
});

it("asks for no package of another platform", () => {
  const addon = addonOn({ platform: "linux", arch: "arm64", report: report("2.36") }, []);
  expect(() => loadAddon(addon)).toThrow(/^the addon could not be loaded/);
  expect(addon.asked).toEqual(["../polybin_native.node", "@polybin/native-linux-arm64"]);
});

it.each([
  [GLIBC, false, /; install @polybin\/native-linux-x64 in the version of @polybin\/native: /],
  [MUSL, false, /; install @polybin\/native-linux-x64-musl in the version of @polybin\/native: /],
  [GLIBC, true, /; `npm run setup` builds it with g\+\+$/],
  [
    FREEBSD,
    false,
    /; there is no addon for freebsd-x64, only for linux-arm64, linux-x64, linux-x64-musl, win32-x64: use another backend$/,
  ],
])("names each place that it tried, and the remedy, on %o", (host, isCheckout, remedy) => {
  const addon = addonOn(host, [], isCheckout);
  let error: unknown;
  try {
    loadAddon(addon);
  } catch (thrown) {
    error = thrown;
  }
  expect(error).toMatchObject({ code: "ERR_UNAVAILABLE", backend: "native" });
  const { message } = error as Error;
  for (const module of addon.asked) expect(message).toContain(`${module}: Cannot find module '${module}'`);
  expect(message).toMatch(remedy);
  expect(message).not.toContain("Require stack");
  // The report of the process stays as the program has set it.
  expect(host.report?.excludeNetwork ?? false).toBe(false);
});
