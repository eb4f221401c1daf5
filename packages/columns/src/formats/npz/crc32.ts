/** The reversed polynomial of CRC-32. */
const POLYNOMIAL = 0xedb8_8320;

/** The remainder of each byte. */
const REMAINDERS = Uint32Array.from({ length: 256 }, (_, byte) => {
  let remainder = byte;
  for (let bit = 0; bit < 8; bit++)
    remainder = (remainder & 1) === 1 ? POLYNOMIAL ^ (remainder >>> 1) : remainder >>> 1;
  return remainder;
});

/** Returns the CRC-32 of bytes that follow those of an earlier checksum. Pages have none, nor does Node before 22.2. */
export function crc32(bytes: Uint8Array, before = 0): number {
  let remainder = ~before;
  for (let i = 0; i < bytes.length; i++)
    remainder = REMAINDERS[(remainder ^ bytes[i]!) & 0xff]! ^ (remainder >>> 8);
  return ~remainder >>> 0;
}
