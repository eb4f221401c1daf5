import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { Peer } from "./process.ts";

/** A peer and one of its methods. */
export interface JointPeer {
  readonly name: string;
  readonly peer: Peer;
  readonly method: string;
  /** Whether it counts the same cells, flow included. */
  readonly isExact: boolean;
}

const folder = fileURLToPath(new URL("../../peers", import.meta.url));

/** Starts the peers of joint histograms over two files of floats. It prints why one is missing. */
export function jointPeers(
  [x, y]: readonly [string, string],
  pairs: number,
  scratch: string,
  python: string,
): JointPeer[] {
  const args = [x, y, String(pairs)];
  const program = join(scratch, "joint");
  const hasC = succeeds("C", "gcc", ["-O3", join(folder, "joint.c"), "-o", program, "-lm", "-lpthread"]);
  const methods = hasC ? ["natural", "branchless", "threads"] : [];
  const libraries = { numpy: "numpy", fast: "fast_histogram" };
  return [
    ...methods.map((method): JointPeer => {
      return { name: `C, ${method}`, peer: new Peer("c", program, args), method, isExact: true };
    }),
    ...Object.entries(libraries)
      .filter(([, module]) => succeeds(module, python, ["-c", `import ${module}`]))
      .map(([library, module]): JointPeer => {
        const peer = new Peer(library, python, [join(folder, "joint.py"), library, ...args]);
        return { name: module.replace("_", "-"), peer, method: "", isExact: false };
      }),
  ];
}

function succeeds(name: string, command: string, args: readonly string[]): boolean {
  try {
    execFileSync(command, args, { stdio: ["ignore", "ignore", "pipe"] });
    return true;
  } catch (error) {
    console.error(`${name} is missing: ${(error as Error).message.split("\n")[0]}`);
    return false;
  }
}
