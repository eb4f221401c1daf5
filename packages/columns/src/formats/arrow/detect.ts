const CONTINUED = 0xffff_ffff;
/** Bytes of the marks before a message's metadata. */
const PREFIX_BYTES = 8;
const SCHEMA = 1;
/** Bytes of a table of fields: its own length, the length of the described data, and one place for each of up to five fields. */
const FIELDS_BYTES = { least: 8, most: 14 } as const;
/** The position in it of the place of a message's kind. */
const AT_KIND = 6;

/**
 * Whether the first bytes are those of an Arrow stream, which begins with a message that contains its schema. The bytes 255
 * and a length alone could be values, so the message's metadata are checked, too.
 */
export function isStream(head: Uint8Array): boolean {
  const view = new DataView(head.buffer, head.byteOffset, head.byteLength);
  try {
    const length = view.getInt32(4, true);
    if (view.getUint32(0, true) !== CONTINUED || length <= 0 || length % 8 !== 0) return false;
    const message = PREFIX_BYTES + view.getUint32(PREFIX_BYTES, true);
    const fields = message - view.getInt32(message, true);
    const bytes = view.getUint16(fields, true);
    if (bytes < FIELDS_BYTES.least || bytes > FIELDS_BYTES.most) return false;
    return view.getUint8(message + view.getUint16(fields + AT_KIND, true)) === SCHEMA;
  } catch (error) {
    // A place lies outside the head.
    if (error instanceof RangeError) return false;
    throw error;
  }
}
