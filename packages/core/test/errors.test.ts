import { runInNewContext } from "node:vm";
import { describe, expect, it } from "vitest";
import { expected, isPolybinError, PolybinError } from "../src/base/errors.ts";

describe("a coded error", () => {
  it("carries its code, backend, algorithm and cause", () => {
    const cause = new Error("beneath");
    const error = new PolybinError("ERR_WORKER", "it died", { backend: "b", algorithm: "a", cause });
    expect(error).toBeInstanceOf(Error);
    expect(error).toMatchObject({ name: "PolybinError", code: "ERR_WORKER", message: "it died" });
    expect(error).toMatchObject({ backend: "b", algorithm: "a", cause });
  });

  it("has no cause if none is given", () => {
    const error = new PolybinError("ERR_INPUT", "no");
    expect("cause" in error).toBe(false);
    expect(error.backend).toBeUndefined();
  });

  it("is recognized by its name, so that a second copy of the package works", () => {
    expect(isPolybinError(new PolybinError("ERR_AXIS", ""))).toBe(true);
    const foreign = Object.assign(new Error("x"), { name: "PolybinError", code: "ERR_AXIS" });
    expect(isPolybinError(foreign)).toBe(true);
    for (const value of [
      new Error("x"),
      { name: "PolybinError", code: "x" },
      null,
      "ERR_AXIS",
      runInNewContext("1"),
    ]) {
      expect(isPolybinError(value)).toBe(false);
    }
  });

  it.each([
    [undefined, "undefined"],
    [null, "null"],
    ["a\nb", '"a\\nb" of type string'],
    [-0, "0 of type number"],
    [true, "true of type boolean"],
    [10n, "10 of type bigint"],
    [[], "a list of 0"],
    [Object.create(null), "an object of type object"],
    [Symbol("s"), "a value of type symbol"],
    [() => 1, "a value of type function"],
  ])("describes the received value: %#", (received, shown) => {
    const error = expected("ERR_INPUT", "thing", "a wonder", received, { backend: "b" });
    expect(error.message).toBe(`expected a wonder for thing but received ${shown}`);
    expect(error).toMatchObject({ code: "ERR_INPUT", backend: "b" });
  });
});
