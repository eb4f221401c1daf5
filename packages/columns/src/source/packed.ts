import { PolybinError } from "@polybin/core";

/** Programs that pack a file, the first bytes of their files, and the line that unpacks one. */
const PACKERS = [
  { name: "gzip", magic: [0x1f, 0x8b], unpack: "gunzip -c FILE" },
  { name: "Zstandard", magic: [0x28, 0xb5, 0x2f, 0xfd], unpack: "zstd -dc FILE" },
  { name: "XZ", magic: [0xfd, 0x37, 0x7a, 0x58, 0x5a, 0x00], unpack: "xz -dc FILE" },
  // The fourth byte is the size of its blocks. A text may begin with the first three.
  {
    name: "bzip2",
    magic: [0x42, 0x5a, 0x68, null, 0x31, 0x41, 0x59, 0x26, 0x53, 0x59],
    unpack: "bzip2 -dc FILE",
  },
];

/**
 * Checks that a file was not packed as a whole.
 * @throws ERR_UNSUPPORTED with the line that unpacks it
 */
export function checkUnpacked(name: string, head: Uint8Array): void {
  const packer = PACKERS.find(({ magic }) => magic.every((byte, i) => byte === null || head[i] === byte));
  if (packer === undefined) return;
  throw new PolybinError(
    "ERR_UNSUPPORTED",
    `${name}: expected a table but it is compressed with ${packer.name}; pass its content as a stream: ${packer.unpack}`,
  );
}
