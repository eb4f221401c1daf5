import { numbers } from "@polybin/pictures/formats";

const CONTINUED = 0xffff_ffff;
/** Of the marks before a message's flatbuffer. */
const PREFIX_BYTES = 8;
const SCHEMA = 1;
/** A table of fields: its own length, the length of what it describes, and a place for each of at most four fields. */
const FIELDS_BYTES = { least: 8, most: 12 } as const;
/** Where in it the place of a message's kind lies. */
const AT_KIND = 6;

/**
 * Do the first bytes look like those of an Arrow IPC stream? It begins with a message that says its schema; 255s and a
 * length alone could be values, so that the message's flatbuffer is looked into.
 */
export function isArrowStream(head: Uint8Array): boolean {
  const view = numbers(head);
  try {
    const length = view.getInt32(4, true);
    if (view.getUint32(0, true) !== CONTINUED || length <= 0 || length % 8 !== 0) return false;
    const message = PREFIX_BYTES + view.getUint32(PREFIX_BYTES, true);
    const fields = message - view.getInt32(message, true);
    const bytes = view.getUint16(fields, true);
    if (bytes < FIELDS_BYTES.least || bytes > FIELDS_BYTES.most) return false;
    return view.getUint8(message + view.getUint16(fields + AT_KIND, true)) === SCHEMA;
  } catch (error) {
    // The places lie outside.
    if (error instanceof RangeError) return false;
    throw error;
  }
}
