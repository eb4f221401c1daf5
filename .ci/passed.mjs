// Remembers which checks passed on exactly these files, so that `npm test` does not repeat them while nothing changes. Turbo does
// this for the packages' builds and tests. Files are compared as by setup.mjs.
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { total } from "./checks.mjs";
import { fingerprint } from "./setup.mjs";
import { root, run } from "./workspace.mjs";

const file = join(root, "node_modules/.polybin/passed.json");

/** Hashes the metadata of every file of the checkout that git does not ignore, or returns null outside of git. */
async function stateOfFiles() {
  const { code, output } = await run("git", ["ls-files", "-z", "--cached", "--others", "--exclude-standard"]);
  return code === 0 ? `${process.version} ${fingerprint(output.split("\0").sort())}` : null;
}

function read() {
  try {
    return JSON.parse(readFileSync(file, "utf8"));
  } catch {
    return {};
  }
}

export class Passed {
  #state;
  #names = new Set();

  /** @param fresh whether to forget what passed */
  static async open({ fresh = false } = {}) {
    const passed = new Passed();
    passed.#state = await stateOfFiles();
    const known = read();
    if (!fresh && passed.#state !== null && known.state === passed.#state)
      passed.#names = new Set(known.names);
    return passed;
  }

  has(name) {
    return this.#names.has(name);
  }

  add(name) {
    this.#names.add(name);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, JSON.stringify({ state: this.#state, names: [...this.#names] }));
  }

  /** Makes a check that does nothing if it has passed. */
  once([name, work]) {
    const again = async () => {
      if (this.has(name)) {
        total.cached += 1;
        return null;
      }
      const problem = await work();
      if (!problem) this.add(name);
      return problem;
    };
    return [name, again];
  }
}
