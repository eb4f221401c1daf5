import { isArrowStream } from "@polybin/columns/detect";
import { ascii, HEAD_BYTES, numbers, says, starts, type Test } from "@polybin/pictures/formats";
import { python, type Remedy, sh } from "./remedy.ts";

/** A format with more than values in a file, such as a header, a directory or compression. */
export interface Container {
  readonly name: string;
  /** The extensions of its files, in lower case. */
  readonly extensions: readonly string[];
  readonly test: Test;
  /** A command that extracts the values. Null if no common one exists. */
  readonly remedy: Remedy | null;
}

const AT_TAR = 257;
const AT_DICOM = 128;
/** The start of HDF5 after the smallest user block, which is the length of MATLAB's. */
const AT_HDF5 = 512;
/** The most bytes of a header that safetensors' own reader accepts. */
const SAFETENSORS_BYTES = 100_000_000;

/** Tables are counted by their columns. */
const COLUMN = sh("polybin hist FILE --column NAME");

const container = (
  name: string,
  extensions: readonly string[],
  test: Test,
  remedy: Remedy | null = null,
): Container => ({ name, extensions, test, remedy });

const hdf5 = starts(0x89, 0x48, 0x44, 0x46, 0x0d, 0x0a, 0x1a, 0x0a);

/** The third byte has the most bits of a code, and whether the table of codes is reset. */
const compressed: Test = (head) => {
  const bits = (head[2] ?? 0) & 0x7f;
  return starts(0x1f, 0x9d)(head) && bits >= 9 && bits <= 16;
};

/** Text may begin with these letters, too, but text does not follow them in a file. */
const orc: Test = (head) => says("ORC")(head) && /[^\t\n\r -~]/.test(ascii(head, 3, 64));

/** Begins with the length of a JSON object and the object. */
const safetensors: Test = (head) =>
  head.length > 9 &&
  numbers(head).getBigUint64(0, true) <= SAFETENSORS_BYTES &&
  (says('{"', 8)(head) || says("{}", 8)(head));

const CONTAINERS: readonly Container[] = [
  container("gzip", ["gz", "tgz"], starts(0x1f, 0x8b, 0x08), sh("gunzip -c FILE | polybin hist -")),
  container("compress", ["z"], compressed, sh("gunzip -c FILE | polybin hist -")),
  container("Zstandard", ["zst"], starts(0x28, 0xb5, 0x2f, 0xfd), sh("zstd -dc FILE | polybin hist -")),
  container(
    "bzip2",
    ["bz2"],
    (head) => says("BZh")(head) && isBzip(head),
    sh("bunzip2 -c FILE | polybin hist -"),
  ),
  container("xz", ["xz"], starts(0xfd, 0x37, 0x7a, 0x58, 0x5a, 0x00), sh("xz -dc FILE | polybin hist -")),
  container("LZ4", ["lz4"], starts(0x04, 0x22, 0x4d, 0x18), sh("lz4 -dc FILE | polybin hist -")),
  container(
    "zip (also NPZ, XLSX and torch.save)",
    ["zip", "npz", "xlsx", "docx"],
    (head) => starts(0x50, 0x4b, 3, 4)(head) || starts(0x50, 0x4b, 5, 6)(head),
    sh("unzip -p FILE ENTRY | polybin hist -"),
  ),
  container("7z", ["7z"], starts(0x37, 0x7a, 0xbc, 0xaf, 0x27, 0x1c), sh("7z x -so FILE | polybin hist -")),
  container(
    "RAR",
    ["rar"],
    starts(0x52, 0x61, 0x72, 0x21, 0x1a, 0x07),
    sh("unrar p -inul FILE | polybin hist -"),
  ),
  container("tar", ["tar"], says("ustar", AT_TAR), sh("tar -xOf FILE ENTRY | polybin hist -")),
  container(
    "NPY",
    ["npy"],
    starts(0x93, 0x4e, 0x55, 0x4d, 0x50, 0x59),
    python('numpy.load(FILE).tofile("values.bin")'),
  ),
  container("Parquet", ["parquet"], says("PAR1"), COLUMN),
  container(
    "Arrow IPC",
    ["arrow", "feather"],
    (head) => says("ARROW1\0\0")(head) || says("FEA1")(head) || isArrowStream(head),
    COLUMN,
  ),
  container("ORC", ["orc"], orc),
  container("safetensors", ["safetensors"], safetensors),
  container("Avro", ["avro"], says("Obj\x01")),
  container(
    "MATLAB",
    ["mat"],
    (head) => says("MATLAB 5.0 MAT-file")(head) || says("MATLAB 7.3 MAT-file")(head),
  ),
  container(
    "HDF5",
    ["h5", "hdf5"],
    (head) => hdf5(head) || hdf5(head.subarray(AT_HDF5)),
    sh("h5dump -d /DATASET -b LE -o values.bin FILE"),
  ),
  container("netCDF", ["nc"], (head) => says("CDF")(head) && [1, 2, 5].includes(head[3]!)),
  container("SQLite", ["sqlite", "sqlite3"], says("SQLite format 3\0")),
  container("FITS", ["fits"], says("SIMPLE  =")),
  container("NRRD", ["nrrd"], says("NRRD000")),
  container("DICOM", ["dcm"], says("DICM", AT_DICOM)),
  container(
    "WAV",
    ["wav"],
    (head) => says("RIFF")(head) && says("WAVE", 8)(head),
    sh("sox FILE -t raw - | polybin hist - --type i16"),
  ),
  container("PDF", ["pdf"], says("%PDF-")),
];

/** The container that a file's first bytes announce. Null for any other file. */
export function containerOf(head: Uint8Array): Container | null {
  return CONTAINERS.find(({ test }) => test(head)) ?? null;
}

/** The container, with its article, that an extension promises. Null for none. @param extension in lower case, without a dot */
export function promisedContainer(extension: string): string | null {
  const found = CONTAINERS.find(({ extensions }) => extensions.includes(extension));
  return found === undefined ? null : `a ${found.name} file`;
}

/** Whether a block of compressed data, or the end of an empty file, follows the digit of the block's size. */
function isBzip(head: Uint8Array): boolean {
  const [BLOCK, END] = [
    [0x31, 0x41, 0x59, 0x26, 0x53, 0x59],
    [0x17, 0x72, 0x45, 0x38, 0x50, 0x90],
  ];
  return [BLOCK!, END!].some((mark) => starts(...mark)(head.subarray(4, HEAD_BYTES)));
}
