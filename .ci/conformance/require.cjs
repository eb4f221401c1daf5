// Requires every door of the installed packages, as a CommonJS program does.
const assert = require("node:assert");
const { existsSync, readdirSync, readFileSync } = require("node:fs");

const scope = "node_modules/@polybin";
let doors = 0;
for (const name of readdirSync(scope)) {
  const manifest = `${scope}/${name}/package.json`;
  if (!existsSync(manifest)) continue;
  for (const door of Object.keys(JSON.parse(readFileSync(manifest, "utf8")).exports ?? {})) {
    const found = Object.keys(require(`@polybin/${name}${door.slice(1)}`));
    assert(found.length > 0, `${name}${door.slice(1)} exports nothing`);
    doors += 1;
  }
}
console.log(JSON.stringify({ doors }));
