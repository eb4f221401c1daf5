import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { basename } from "node:path";
import { gzipSync } from "node:zlib";
import { expect, test } from "vitest";
import { expectPlain } from "../src/input/container.ts";
import { file, hist, noise, polybin, refused } from "./command.ts";

const text = (latin1: string): Buffer => Buffer.concat([Buffer.from(latin1, "latin1"), noise(600)]);
const at = (place: number, latin1: string): Buffer => {
  const bytes = Buffer.alloc(600);
  bytes.write(latin1, place, "latin1");
  return bytes;
};

test.for<[string, Uint8Array, RegExp]>([
  ["gzip", gzipSync(noise(100)), /gunzip -c x \| polybin hist -/],
  ["Zstandard", text("\x28\xb5\x2f\xfd"), /zstd -dc/],
  ["bzip2", text("BZh91AY&SY"), /bunzip2/],
  ["xz", text("\xfd7zXZ\0"), /xz -dc/],
  ["LZ4", text("\x04\x22\x4d\x18"), /lz4/],
  ["zip", text("PK\x03\x04"), /unzip -p x ENTRY/],
  ["7z", text("7z\xbc\xaf\x27\x1c"), /7z x/],
  ["RAR", text("Rar!\x1a\x07"), /unrar/],
  ["tar", at(257, "ustar"), /tar -xOf/],
  ["NPY", text("\x93NUMPY\x01\x00"), /tofile/],
  ["Parquet", text("PAR1"), /polybin hist x --column NAME/],
  ["Arrow IPC", text("ARROW1\0\0"), /polybin hist x --column NAME/],
  ["Avro", text("Obj\x01"), /--raw/],
  ["HDF5", text("\x89HDF\r\n\x1a\n"), /h5dump/],
  ["netCDF", text("CDF\x01"), /--raw/],
  ["SQLite", text("SQLite format 3\0"), /--raw/],
  ["MATLAB", text("MATLAB 5.0 MAT-file"), /--raw/],
  ["FITS", text("SIMPLE  =    T"), /--raw/],
  ["NRRD", text("NRRD0004"), /--raw/],
  ["DICOM", at(128, "DICM"), /--raw/],
  ["WAV", text("RIFF\0\0\0\0WAVE"), /sox/],
  ["PDF", text("%PDF-1.7"), /--raw/],
  ["compress", text("\x1f\x9d\x90"), /gunzip -c x/],
  ["MATLAB", text("MATLAB 7.3 MAT-file, Platform: GLNXA64"), /--raw/],
  ["HDF5", at(512, "\x89HDF\r\n\x1a\n"), /h5dump/],
  ["ORC", text("ORC\x0a\x80"), /--raw/],
  ["safetensors", text('\0\0\0\x04\0\0\0\0{"a":{"dtype":"F32"'), /--raw/],
  [
    "Arrow IPC",
    // A schema's message as Arrow's C++ library writes it.
    Buffer.from("ffffffff78000000100000000000" + "0a000c00060005000800" + "0a0000000001040010000000", "hex"),
    /polybin hist x --column NAME/,
  ],
])("%s is refused by its first bytes, with what helps", ([name, head, says]) => {
  for (const source of ["x", "-"]) {
    const refused = () => expectPlain({ name: source, path: source, head });
    expect(refused).toThrow(expect.objectContaining({ code: "ERR_INPUT" }));
    expect(refused).toThrow(` is ${name}`);
    if (source === "x") expect(refused).toThrow(says);
  }
  // One byte of the mark less, and it is plain bytes.
  const mark = head.findIndex((value) => value !== 0);
  const other = Uint8Array.from(head);
  other[mark]! ^= 0x80;
  expect(() => expectPlain({ name: "x", path: "x", head: other })).not.toThrow();
});

test.for([
  ["a$&b.gz", "'a$&b.gz'"],
  ["a;touch HACKED.gz", "'a;touch HACKED.gz'"],
  ["it's.gz", "'it'\\''s.gz'"],
  ["-rf.gz", "./-rf.gz"],
  ["../data/x.gz", "../data/x.gz"],
  ["line\nbreak.gz", "FILE"],
  ["-", "FILE"],
] as const)("what helps against %j is one word of a shell's: %s", ([path, word]) => {
  const head = gzipSync(noise(100));
  const refused = () => expectPlain({ name: basename(path), path, head });
  expect(refused).toThrow(`: gunzip -c ${word} | polybin hist -; --raw`);
  if (word === "FILE" || word.startsWith(".")) return;
  // The shell agrees.
  expect(spawnSync("sh", ["-c", `printf %s ${word}`], { encoding: "utf8" }).stdout).toBe(path);
});

test.for(["a$&b.npy", 'quo"te\\.npy', "dir/x.npy"])("what helps against %j is Python", (path) => {
  const head = text("\x93NUMPY\x01\x00");
  const refused = () => expectPlain({ name: basename(path), path, head });
  expect(refused).toThrow(`: numpy.load(${JSON.stringify(path)}).tofile("values.bin"); --raw`);
});

test("what helps has the path as it was typed, and what it says gives the values", async () => {
  const values = noise(100);
  const path = file("a;b $&'c.gz", gzipSync(values));
  const { stderr } = await polybin(["hist", path]);
  const line = /first: (.*) \| polybin hist -; --raw/.exec(stderr)![1]!;
  expect(spawnSync("sh", ["-c", line]).stdout).toEqual(Buffer.from(values));
});

test("the command refuses a container from a file and from a pipe unless --raw is given", async () => {
  const bytes = gzipSync(noise(100));
  const path = file("x", bytes);
  for (const [args, stdin] of [[[path]], [["-"], bytes]] as const) {
    const { code, stdout, stderr } = await polybin(["hist", ...args], stdin);
    expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
    expect(stderr).toMatch(/^error\[ERR_INPUT\]: [^\n]+ is gzip[^\n]+--raw[^\n]+\n$/);
  }
  expect((await hist([path, "--raw"])).input).toMatchObject({ kind: "raw", samples: bytes.length });
});

test("an NPY file's header is not counted among its floats", async () => {
  const header = `{'descr': '<f4', 'fortran_order': False, 'shape': (100,), }`.padEnd(118);
  const npy = Buffer.concat([
    Buffer.from("\x93NUMPY\x01\x00\x76\x00", "latin1"),
    Buffer.from(header),
    Buffer.alloc(400),
  ]);
  const path = file("x.bin", npy);
  const { code, stderr } = await polybin(["hist", path, "--type", "f32"]);
  expect(code).toBe(2);
  expect(stderr).toMatch(/NPY.*--raw/);
  expect((await hist([path, "--type", "f32", "--raw", "--range", "0,1"])).input.samples).toBe(132);
});

test.for([
  "x.png",
  "x.JPG",
  "x.tif",
  "x.webp",
  "x.gif",
  "x.avif",
  "x.bmp",
  "x.npy",
  "x.csv.gz",
  "x.parquet",
  ".png",
  ".npy",
  "x.mat",
  "x.xlsx",
  "x.docx",
  "x.orc",
  "x.safetensors",
  "x.Z",
  "x.heic",
  "x.jp2",
  "x.svg",
  "x.ico",
  "x.tga",
  "x.dng",
  "x.cr2",
])("%s that does not begin as its name says is refused", (name) => {
  for (const head of [Buffer.from("some text, no picture\n"), noise(500)]) {
    expect(() => expectPlain({ name, path: name, head })).toThrow(/as its name says, .*--raw/);
  }
  const empty = { name, path: name, head: Buffer.alloc(0) };
  expect(() => expectPlain(empty)).toThrow(/as its name says, (but .* is empty$|.*--raw)/);
});

test("a picture whose first bytes are damaged is not counted as plain bytes", async () => {
  const { default: sharp } = await import("sharp");
  const png = await sharp(noise(300), { raw: { width: 10, height: 10, channels: 3 } })
    .png()
    .toBuffer();
  png[1] = 0;
  const path = file("photo.png", png);
  const { code, stdout, stderr } = await polybin(["hist", path]);
  expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
  expect(stderr).toMatch(/^error\[ERR_INPUT\]: [^\n]+ as its name says, [^\n]+--raw[^\n]+\n$/);
  expect((await hist([path, "--raw"])).input).toMatchObject({ kind: "raw", samples: png.length });
});

test("a Netpbm picture is not counted with its header", async () => {
  const ppm = Buffer.concat([Buffer.from("P6\n10 10\n255\n"), noise(300)]);
  expect((await polybin(["hist", file("x", ppm)])).stderr).toMatch(
    /^error\[ERR_UNSUPPORTED\]: .*Netpbm.*--raw/,
  );
});

test("plain bytes, values and executables are counted, and text is not", async () => {
  const values = Buffer.from(Float32Array.from({ length: 50 }, (_, i) => i / 50).buffer);
  expect((await hist([file("data.bin", values), "--type", "f32"])).input.samples).toBe(50);
  for (const [name, bytes] of [
    ["no-extension", noise(1000)],
    ["digest.sha", createHash("sha256").update("x").digest()],
    ["program", text("\x7fELF\x02\x01\x01\0")],
    ["png", noise(10)],
    // Values that begin as a container's mark does, and go on otherwise.
    ["minus-one.i32", Buffer.from(Int32Array.from([-1, 16, 16, -1, 5, 7, 9, 11]).buffer)],
    ["long.i64", Buffer.from(BigInt64Array.from([50n, 31n, 7n]).buffer)],
    ["u8", Buffer.of(0x1f, 0x9d, 0xff, 0, 0)],
  ] as const) {
    expect((await hist([file(name, bytes)])).input).toMatchObject({ kind: "raw", samples: bytes.length });
  }
  for (const [name, text] of [
    ["notes.txt", "PK, BZh and PAR2 are words, too.\n"],
    ["orc.txt", "ORC is a word, too.\n"],
  ] as const) {
    const path = file(name, text);
    await refused(["hist", path], "ERR_INPUT", /is text and no table .*--raw counts its bytes/);
    expect((await hist([path, "--raw"])).input).toMatchObject({ kind: "raw", samples: text.length });
  }
});
