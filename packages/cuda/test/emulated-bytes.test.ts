import { execFile } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { afterAll, expect, it } from "vitest";

// The real kernels that read bytes in vectors, compiled for the host. The test compares their counts with a loop's,
// for so few blocks that each of their threads takes several batches of vectors.

const run = promisify(execFile);
const folder = mkdtempSync(join(tmpdir(), "bytes-"));
afterAll(() => rmSync(folder, { recursive: true }));

const pathOf = (name: string) => fileURLToPath(new URL(`../${name}`, import.meta.url));

/**
 * Cells, cells per pass, threads, blocks, bytes of shared memory, words per thread, bits that cells leave out, and 1 if
 * the kernel reads bytes only.
 */
type PlanNumbers = readonly number[];

const KERNELS: readonly {
  readonly slug: string;
  /** The function, as a macro of codes, plan, own and stream. */
  readonly kernel: string;
  /** Their own parameters, one or several of them. */
  readonly own: string;
  readonly plans: readonly PlanNumbers[];
}[] = [
  {
    slug: "per-warp",
    kernel: "KERNEL=perWarp",
    own: "PerWarp{false}",
    plans: [
      [256, 256, 192, 3, 6144, 0],
      [100, 100, 96, 3, 1200, 0],
      [256, 100, 64, 2, 800, 0],
    ],
  },
  {
    slug: "per-warp",
    kernel: "KERNEL=perWarp",
    own: "PerWarp{true}",
    // The second flushes before every batch.
    plans: [
      [256, 256, 192, 3, 6144, 17],
      [256, 256, 192, 1, 6144, 5],
      [100, 100, 96, 3, 1200, 17],
    ],
  },
  {
    slug: "per-thread",
    kernel: "KERNEL(codes,plan,own,stream)=perThread(codes,plan,stream)",
    own: "0",
    plans: [
      [256, 256, 32, 3, 16_384, 17],
      [256, 256, 32, 2, 16_384, 16_383],
      [256, 101, 32, 2, 6528, 3],
    ],
  },
  {
    slug: "per-thread-64",
    kernel: "KERNEL(codes,plan,own,stream)=perThread64(codes,plan,stream)",
    own: "0",
    plans: [
      [64, 64, 128, 3, 8192, 63, 2, 1],
      [64, 64, 128, 7, 8192, 63, 2, 1],
      [37, 37, 128, 3, 4736, 63, 0, 1],
    ],
  },
  {
    slug: "per-block",
    kernel: "KERNEL(codes,plan,own,stream)=perBlock(codes,plan,stream)",
    own: "0",
    plans: [
      [256, 256, 256, 3, 1024],
      [256, 256, 96, 1, 1024],
      [256, 101, 64, 2, 404],
      [37, 37, 64, 3, 148],
    ],
  },
  {
    slug: "global",
    kernel: "KERNEL(codes,plan,own,stream)=global(codes,plan,stream)",
    own: "0",
    plans: [
      [256, 256, 256, 3],
      [256, 256, 96, 1],
      [37, 37, 64, 3],
    ],
  },
  ...["row", "column", "interleaved"].map((layout) => ({
    slug: "privatized",
    kernel: "KERNEL=privatized",
    own: ["periodic", "checkShared", "checkGlobal"]
      .map((merge) => `Privatized{Merge::${merge},Layout::${layout}}`)
      .join(),
    // Bytes that are all cells in one block and in several, and fewer cells.
    plans: [
      [256, 256, 64, 1, 17_408, 63],
      [256, 256, 64, 3, 17_408, 21],
      [201, 256, 64, 3, 17_408, 63],
    ],
  })),
];

async function hasCompiler(): Promise<boolean> {
  return run("g++", ["--version"]).then(
    () => true,
    () => false,
  );
}

it.concurrent.for(KERNELS)(
  "$slug, $own",
  { timeout: 120_000 },
  async ({ slug, kernel, own, plans }, { skip }) => {
    if (!(await hasCompiler())) return skip("the kernel is not emulated here: that needs g++");
    const program = join(folder, `${slug}, ${own}`);
    await run("g++", [
      // A checked longjmp would refuse to switch to another stack.
      ...["-std=c++17", "-O1", "-U_FORTIFY_SOURCE", "-w"],
      ...["-I", pathOf("test/emulated"), "-I", pathOf("native")],
      ...[`-DHEADER="generated/kernels/${slug}.cuh"`, `-D${kernel}`, `-DOWN=${own}`, "-x", "c++"],
      ...[
        pathOf(`src/kernels/${slug}/kernel.cu`),
        pathOf("native/kernels/merge.cu"),
        pathOf("test/emulated/codes.cc"),
      ],
      ...["-o", program],
    ]);
    for (const plan of plans) {
      // The program prints the first difference and then fails.
      expect((await run(program, plan.map(String))).stdout).toBe("");
    }
  },
);
