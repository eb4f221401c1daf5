import { spawnSync } from "node:child_process";
import {
  chmodSync,
  chownSync,
  closeSync,
  existsSync,
  linkSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, type TestContext, test } from "vitest";
import { MAIN, noise, polybin, refused, scratch } from "./command.ts";

/** Of a file system in memory: it gives out whole ones. */
const PAGE_BYTES = 4096;
const CPU = ["--backend", "cpu", "--algorithm", "sequential"];

/** A file of bytes in a folder that goes when the test ends. */
function input(): { readonly folder: string; readonly path: string } {
  const folder = scratch();
  const path = join(folder, "in.png");
  // Named like a plot of it; counted as bytes.
  writeFileSync(path, "bytes");
  return { folder, path };
}

const refusedPlot = (args: readonly string[], says: RegExp): Promise<void> =>
  refused(["hist", ...args, "--raw", ...CPU], "ERR_INPUT", says);

/** Runs the command with files as its standard input and output. */
function redirected(args: readonly string[], stdin: string | null, stdout: string | null) {
  const input = stdin === null ? "ignore" : openSync(stdin, "r");
  const output = stdout === null ? "pipe" : openSync(stdout, "a");
  try {
    return spawnSync(process.execPath, [MAIN, "hist", ...args, "--raw", ...CPU], {
      stdio: [input, output, "pipe"],
      encoding: "utf8",
    });
  } finally {
    for (const fd of [input, output]) if (typeof fd === "number") closeSync(fd);
  }
}

test("a plot does not overwrite the file that standard input comes from", () => {
  const { folder, path } = input();
  symlinkSync("in.png", join(folder, "link.png"));
  for (const target of [path, join(folder, "link.png")]) {
    for (const name of ["--svg", "--png"]) {
      const { status, stderr } = redirected(["-", name, target], path, null);
      expect({ status, stderr }).toEqual({
        status: 2,
        stderr: expect.stringMatching(
          /^error\[ERR_INPUT\]: expected another file for --.* the input itself\n$/,
        ),
      });
    }
  }
  expect(readFileSync(path, "utf8")).toBe("bytes");
  // Another file is written, whatever standard input is.
  expect(redirected(["-", "--svg", join(folder, "other.svg")], path, null).status).toBe(0);
  expect(readFileSync(join(folder, "other.svg"), "utf8")).toMatch(/^<svg/);
});

test("a plot does not overwrite the file that the output goes to", () => {
  const { folder, path } = input();
  const out = join(folder, "out");
  const { status, stderr } = redirected([path, "--json", "--svg", out], null, out);
  expect({ status, stderr }).toEqual({
    status: 2,
    stderr: expect.stringMatching(/--svg: .* is where the output goes\n$/),
  });
});

test("the input and the other plot are seen through links, also where there is no file yet", async () => {
  const { folder, path } = input();
  const at = (name: string) => join(folder, name);
  mkdirSync(at("sub"));
  symlinkSync("in.png", at("soft.svg"));
  linkSync(path, at("hard.svg"));
  symlinkSync("sub/../missing", at("one.svg"));
  symlinkSync(at("one.svg"), at("two.png"));
  symlinkSync(".", at("here"));
  symlinkSync("circle", at("circle"));
  writeFileSync(at("there"), "");
  linkSync(at("there"), at("there too"));
  await refusedPlot([path, "--svg", at("soft.svg")], /--svg: .* the input itself/);
  await refusedPlot([path, "--png", at("hard.svg")], /--png: .* the input itself/);
  for (const [svg, png] of [
    ["one.svg", "two.png"],
    ["missing", "two.png"],
    ["two.png", "here/missing"],
    ["missing", "sub/../missing"],
    ["there", "there too"],
  ] as const) {
    await refusedPlot(
      [path, "--svg", at(svg), "--png", at(png)],
      /another file for --png: .* the file for --svg, too/,
    );
  }
  await refusedPlot([path, "--svg", at("circle")], /circle/);
  await refusedPlot([path, "--svg", at("sub")], /is a folder/);
  await refusedPlot([path, "--svg", at("none/x.svg")], /no such file or folder/);
  expect(existsSync(at("missing"))).toBe(false);
  expect(readFileSync(path, "utf8")).toBe("bytes");
});

test("a plot goes to where its link leads; links, permissions and other files stay as they are", async () => {
  const { folder, path } = input();
  const at = (name: string) => join(folder, name);
  symlinkSync("new.svg", at("link.svg"));
  writeFileSync(at("old.png"), "old");
  chmodSync(at("old.png"), 0o640);
  const outcome = await polybin([
    "hist",
    path,
    "--raw",
    "--svg",
    at("link.svg"),
    "--png",
    at("old.png"),
    ...CPU,
  ]);
  expect(outcome).toMatchObject({ code: 0, stderr: "" });
  expect(readlinkSync(at("link.svg"))).toBe("new.svg");
  expect(readFileSync(at("new.svg"), "utf8")).toMatch(/^<svg .*<\/svg>\n$/s);
  expect(readFileSync(at("old.png")).subarray(1, 4).toString()).toBe("PNG");
  expect(statSync(at("old.png")).mode & 0o777).toBe(0o640);
  expect(readdirSync(folder).sort()).toEqual(["in.png", "link.svg", "new.svg", "old.png"]);
});

test("a plot does not replace a file that is write-protected", (context) => {
  const { folder, path } = input();
  const old = join(folder, "old.svg");
  writeFileSync(old, "old");
  chmodSync(old, 0o444);
  // Nothing is protected from root: the command runs as nobody, who may do all else in the folder.
  const root = process.getuid?.() === 0;
  const nobody = root ? { uid: 65_534, gid: 65_534 } : {};
  if (root) {
    for (const own of [folder, path, old]) chownSync(own, 65_534, 65_534);
    const reads = spawnSync(process.execPath, [MAIN, "--version"], { ...nobody, encoding: "utf8" });
    if (reads.status !== 0)
      context.skip(`nobody cannot run the command here: ${reads.error ?? reads.stderr}`);
  }
  const run = () =>
    spawnSync(process.execPath, [MAIN, "hist", path, "--raw", "--svg", old, ...CPU], {
      ...nobody,
      encoding: "utf8",
    });
  const { status, stdout, stderr } = run();
  expect({ status, stdout }).toEqual({ status: 2, stdout: "" });
  expect(stderr).toBe(`error[ERR_INPUT]: cannot write ${old}: it is write-protected\n`);
  expect(readFileSync(old, "utf8")).toBe("old");
  chmodSync(old, 0o644);
  expect(run().status).toBe(0);
  expect(readFileSync(old, "utf8")).toMatch(/^<svg/);
});

test("a plot may go to a device, and to standard output", async (context) => {
  if (process.platform !== "linux") context.skip("/dev/stdout is Linux's");
  const { path } = input();
  expect(await polybin(["hist", path, "--svg", "/dev/null", "--raw", ...CPU])).toMatchObject({
    code: 0,
    stderr: "",
  });
  const args = [MAIN, "hist", path, "--svg", "/dev/stdout", "--csv", "--raw", ...CPU];
  // What Node gives its children is no pipe but a socket, which nothing opens by name.
  const { stdout } = spawnSync("sh", ["-c", '"$0" "$@" | cat', process.execPath, ...args], {
    encoding: "utf8",
  });
  expect(stdout).toMatch(/^<svg .*<\/svg>\nbin,lo,hi/s);
});

/** Mounts a file system of a few bytes, where that is allowed. */
function mounted(context: TestContext, folder: string, options: string): void {
  mkdirSync(folder, { recursive: true });
  const { status, stderr, error } = spawnSync("mount", ["-t", "tmpfs", "-o", options, "tmpfs", folder]);
  if (status !== 0) context.skip(`a file system cannot be mounted here: ${error?.message ?? stderr}`);
  onTestFinished(() => {
    spawnSync("umount", [folder]);
  });
}

test("a full disk is said in a line, and leaves plots as they were", async (context) => {
  const { folder, path } = input();
  writeFileSync(path, noise(100_000));
  const draw = (into: string) => {
    const targets = ["--svg", join(into, "p.svg"), "--png", join(into, "p.png")];
    return polybin(["hist", path, "--raw", ...CPU, ...targets]);
  };
  expect(await draw(folder)).toMatchObject({ code: 0, stderr: "" });
  const pages = (name: string) => Math.ceil(statSync(join(folder, name)).size / PAGE_BYTES);
  expect(pages("p.png")).toBeGreaterThan(1);
  // A page for the old plot; then there is no room for the first new one, or for the second.
  for (const [full, size] of [
    ["svg", 1 + pages("p.svg") - 1],
    ["png", 1 + pages("p.svg") + pages("p.png") - 1],
  ] as const) {
    const disk = join(folder, `no room for ${full}`);
    mounted(context, disk, `size=${size * PAGE_BYTES}`);
    writeFileSync(join(disk, "p.svg"), "old");
    const { code, stdout, stderr } = await draw(disk);
    expect({ code, stdout }).toEqual({ code: 1, stdout: "" });
    expect(stderr).toBe(
      `error[ERR_OUTPUT]: cannot write ${join(disk, `p.${full}`)}: the disk is full (ENOSPC)\n`,
    );
    expect(readdirSync(disk)).toEqual(["p.svg"]);
    expect(readFileSync(join(disk, "p.svg"), "utf8")).toBe("old");
  }
});

test("a disk that is read-only", async (context) => {
  const { folder, path } = input();
  const disk = join(folder, "disk");
  mounted(context, disk, "ro");
  await refusedPlot(
    [path, "--svg", join(disk, "p.svg")],
    /cannot open .*p\.svg: the file system is read-only/,
  );
});

test("a device that is full", async (context) => {
  if (!existsSync("/dev/full")) context.skip("there is no /dev/full");
  const { path } = input();
  const { code, stdout, stderr } = await polybin(["hist", path, "--raw", "--svg", "/dev/full", ...CPU]);
  expect({ code, stdout }).toEqual({ code: 1, stdout: "" });
  expect(stderr).toBe("error[ERR_OUTPUT]: cannot write /dev/full: the disk is full (ENOSPC)\n");
});
