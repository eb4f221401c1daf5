import * as core from "@polybin/core";
import { expect, it } from "vitest";

it("classes of the built package have the names under which it exports them", () => {
  const classes = Object.entries(core).filter(
    ([, value]) => typeof value === "function" && /^class\b/.test(Function.prototype.toString.call(value)),
  );
  expect(classes.map(([name]) => name)).toContain("JointHistogram");
  expect(classes.map(([, value]) => (value as { readonly name: string }).name)).toEqual(
    classes.map(([name]) => name),
  );
});
