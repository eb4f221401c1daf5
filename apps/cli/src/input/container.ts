import { PolybinError } from "@polybin/core";
import { HEAD_BYTES, says, starts, type Test } from "./head.ts";
import { promisedPicture } from "./picture/index.ts";
import type { Source } from "./source.ts";

/** What a file holds beside its values, so that its bytes are not the values: a header, a directory, compression. */
interface Container {
  readonly name: string;
  /** The ends of its files' names, in lower case. */
  readonly extensions: readonly string[];
  readonly test: Test;
  /** A command that gives what is in the file FILE; null where none is at hand everywhere. */
  readonly remedy: string | null;
}

const AT_TAR = 257;
const AT_DICOM = 128;

const container = (
  name: string,
  extensions: readonly string[],
  test: Test,
  remedy: string | null = null,
): Container => ({ name, extensions, test, remedy });

const CONTAINERS: readonly Container[] = [
  container("gzip", ["gz", "tgz"], starts(0x1f, 0x8b, 0x08), "gunzip -c FILE | polybin hist -"),
  container("Zstandard", ["zst"], starts(0x28, 0xb5, 0x2f, 0xfd), "zstd -dc FILE | polybin hist -"),
  container(
    "bzip2",
    ["bz2"],
    (head) => says("BZh")(head) && isBzip(head),
    "bunzip2 -c FILE | polybin hist -",
  ),
  container("xz", ["xz"], starts(0xfd, 0x37, 0x7a, 0x58, 0x5a, 0x00), "xz -dc FILE | polybin hist -"),
  container("LZ4", ["lz4"], starts(0x04, 0x22, 0x4d, 0x18), "lz4 -dc FILE | polybin hist -"),
  container(
    "zip (also NPZ, XLSX and torch.save)",
    ["zip", "npz"],
    (head) => starts(0x50, 0x4b, 3, 4)(head) || starts(0x50, 0x4b, 5, 6)(head),
    "unzip -p FILE ENTRY | polybin hist -",
  ),
  container("7z", ["7z"], starts(0x37, 0x7a, 0xbc, 0xaf, 0x27, 0x1c), "7z x -so FILE | polybin hist -"),
  container(
    "RAR",
    ["rar"],
    starts(0x52, 0x61, 0x72, 0x21, 0x1a, 0x07),
    "unrar p -inul FILE | polybin hist -",
  ),
  container("tar", ["tar"], says("ustar", AT_TAR), "tar -xOf FILE ENTRY | polybin hist -"),
  container(
    "NPY",
    ["npy"],
    starts(0x93, 0x4e, 0x55, 0x4d, 0x50, 0x59),
    'numpy.load("FILE").tofile("values.bin")',
  ),
  container("Parquet", ["parquet"], says("PAR1")),
  container("Arrow IPC", ["arrow", "feather"], (head) => says("ARROW1\0\0")(head) || says("FEA1")(head)),
  container("Avro", ["avro"], says("Obj\x01")),
  container(
    "HDF5",
    ["h5", "hdf5"],
    starts(0x89, 0x48, 0x44, 0x46, 0x0d, 0x0a, 0x1a, 0x0a),
    "h5dump -d /DATASET -b LE -o values.bin FILE",
  ),
  container("netCDF", ["nc"], (head) => says("CDF")(head) && [1, 2, 5].includes(head[3]!)),
  container("SQLite", ["sqlite", "sqlite3"], says("SQLite format 3\0")),
  container("MATLAB", [], says("MATLAB 5.0 MAT-file")),
  container("FITS", ["fits"], says("SIMPLE  =")),
  container("NRRD", ["nrrd"], says("NRRD000")),
  container("DICOM", ["dcm"], says("DICM", AT_DICOM)),
  container(
    "WAV",
    ["wav"],
    (head) => says("RIFF")(head) && says("WAVE", 8)(head),
    "sox FILE -t raw - | polybin hist - --type i16",
  ),
  container("PDF", ["pdf"], says("%PDF-")),
];

/** A block of compressed data, or the end of an empty file, follows the digit of the block's size. */
function isBzip(head: Uint8Array): boolean {
  const [BLOCK, END] = [
    [0x31, 0x41, 0x59, 0x26, 0x53, 0x59],
    [0x17, 0x72, 0x45, 0x38, 0x50, 0x90],
  ];
  return [BLOCK!, END!].some((mark) => starts(...mark)(head.subarray(4, HEAD_BYTES)));
}

/**
 * Sees to it that the bytes of a file may pass for its values.
 * @throws ERR_INPUT for a file whose first bytes are those of a container or whose name promises one or a picture.
 */
export function expectPlain({ name, head }: Pick<Source, "name" | "head">): void {
  const found = CONTAINERS.find(({ test }) => test(head));
  if (found !== undefined) {
    const shown = name === "-" ? "standard input" : name;
    const remedy = found.remedy === null ? "" : `: ${found.remedy.replaceAll("FILE", name)}`;
    throw new PolybinError(
      "ERR_INPUT",
      `expected a picture or plain values but ${shown} is ${found.name}, whose bytes are not its values; ` +
        `take these out first${remedy}; --raw counts the file's bytes`,
    );
  }
  const promised = promise(name);
  if (promised === null) return;
  throw new PolybinError(
    "ERR_INPUT",
    `expected ${promised}, as its name says, but ${name} does not begin as one: it is damaged or something else; ` +
      "--raw counts the file's bytes",
  );
}

/** What the end of a file's name promises, with its article; null for what promises nothing. */
function promise(name: string): string | null {
  const extension = /.\.([^.]+)$/.exec(name)?.[1]?.toLowerCase();
  if (extension === undefined) return null;
  const picture = promisedPicture(extension);
  if (picture !== null) return `a ${picture} picture`;
  const container = CONTAINERS.find(({ extensions }) => extensions.includes(extension));
  return container === undefined ? null : `a ${container.name} file`;
}
