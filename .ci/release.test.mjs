// The order in which archives are published.
import assert from "node:assert/strict";
import { test } from "node:test";
import { inOrder } from "./release.mjs";
import { publishable } from "./workspace.mjs";

test("a package is published behind those that it depends on, optional ones included", () => {
  const order = inOrder([
    { name: "command", dependencies: { backend: "1", other: "1" } },
    { name: "backend", dependencies: { core: "1" }, optionalDependencies: { addon: "1" } },
    { name: "addon" },
    { name: "core" },
  ]);
  assert.deepEqual(
    order.map(({ name }) => name),
    ["core", "addon", "backend", "command"],
  );
});

test("every package of this checkout that is not private is published, core before all that need it", () => {
  const names = inOrder(publishable()).map(({ name }) => name);
  assert.equal(names.length, publishable().length);
  for (const { name, dependencies = {} } of publishable()) {
    for (const needed of Object.keys(dependencies).filter((other) => names.includes(other))) {
      assert.ok(names.indexOf(needed) < names.indexOf(name), `${needed} before ${name}`);
    }
  }
});
