import { crc32, deflateRawSync } from "node:zlib";

/** A file of an archive. */
export interface Member {
  readonly name: string;
  readonly bytes: Uint8Array;
  /** Default: stored. */
  readonly deflated?: boolean;
  /** Whether sizes and offsets have 64 bits, in extra fields. */
  readonly wide?: boolean;
  /** Whether the checksum and the sizes follow the data. */
  readonly later?: boolean;
  readonly method?: number;
  readonly flags?: number;
}

const MAX_16 = 0xffff;
const MAX_32 = 0xffff_ffff;

/** Writes a zip archive as APPNOTE.TXT describes it. @param how its comment, bytes before it, and whether its end has 64 bits */
export function zip(
  members: readonly Member[],
  { comment = "", before = 0, wide = false }: { comment?: string; before?: number; wide?: boolean } = {},
): Buffer<ArrayBuffer> {
  const files: Buffer[] = [Buffer.alloc(before, "#")];
  const directory: Buffer[] = [];
  let offset = 0;
  for (const member of members) {
    const name = Buffer.from(member.name);
    const data = member.deflated === true ? deflateRawSync(member.bytes) : Buffer.from(member.bytes);
    const method = member.method ?? (member.deflated === true ? 8 : 0);
    const flags = (member.flags ?? 0) | (member.later === true ? 8 : 0);
    const sizes = [data.length, member.bytes.length] as const;
    const sum = crc32(member.bytes);
    const extra = (values: readonly number[]) => {
      const field = Buffer.alloc(4 + 8 * values.length);
      field.writeUInt16LE(1, 0);
      field.writeUInt16LE(8 * values.length, 2);
      for (const [i, value] of values.entries()) field.writeBigUInt64LE(BigInt(value), 4 + 8 * i);
      return field;
    };
    const none = Buffer.alloc(0);
    const localExtra = member.wide === true ? extra([sizes[1], sizes[0]]) : none;
    const local = Buffer.alloc(30);
    local.writeUInt32LE(0x04034b50, 0);
    local.writeUInt16LE(flags, 6);
    local.writeUInt16LE(method, 8);
    const numbers =
      member.later === true ? [0, 0, 0] : [sum, ...(member.wide === true ? [MAX_32, MAX_32] : sizes)];
    for (const [i, number] of numbers.entries()) local.writeUInt32LE(number, 14 + 4 * i);
    local.writeUInt16LE(name.length, 26);
    local.writeUInt16LE(localExtra.length, 28);
    const descriptor = Buffer.alloc(member.later === true ? 16 : 0);
    if (member.later === true)
      for (const [i, number] of [0x08074b50, sum, ...sizes].entries())
        descriptor.writeUInt32LE(number, 4 * i);
    const own = Buffer.concat([local, name, localExtra, data, descriptor]);
    const entryExtra = member.wide === true ? extra([sizes[1], sizes[0], offset]) : none;
    const entry = Buffer.alloc(46);
    entry.writeUInt32LE(0x02014b50, 0);
    entry.writeUInt16LE(flags, 8);
    entry.writeUInt16LE(method, 10);
    const stated = [sum, ...(member.wide === true ? [MAX_32, MAX_32] : sizes)];
    for (const [i, number] of stated.entries()) entry.writeUInt32LE(number, 16 + 4 * i);
    entry.writeUInt16LE(name.length, 28);
    entry.writeUInt16LE(entryExtra.length, 30);
    entry.writeUInt32LE(member.wide === true ? MAX_32 : offset, 42);
    files.push(own);
    directory.push(Buffer.concat([entry, name, entryExtra]));
    offset += own.length;
  }
  const entries = Buffer.concat(directory);
  const end = Buffer.alloc(22);
  end.writeUInt32LE(0x06054b50, 0);
  end.writeUInt16LE(wide ? MAX_16 : members.length, 8);
  end.writeUInt16LE(wide ? MAX_16 : members.length, 10);
  end.writeUInt32LE(wide ? MAX_32 : entries.length, 12);
  end.writeUInt32LE(wide ? MAX_32 : offset, 16);
  end.writeUInt16LE(Buffer.byteLength(comment), 20);
  const end64 = Buffer.alloc(wide ? 76 : 0);
  if (wide) {
    end64.writeUInt32LE(0x06064b50, 0);
    end64.writeBigUInt64LE(44n, 4);
    const stated = [members.length, members.length, entries.length, offset];
    for (const [i, number] of stated.entries()) end64.writeBigUInt64LE(BigInt(number), 24 + 8 * i);
    end64.writeUInt32LE(0x07064b50, 56);
    end64.writeBigUInt64LE(BigInt(offset + entries.length), 64);
    end64.writeUInt32LE(1, 72);
  }
  return Buffer.concat([...files, entries, end64, end, Buffer.from(comment)]);
}

/** An NPY file of one or more columns. @param dtype as Python writes it, such as `'<f8'` */
export function npyFile(dtype: string, rows: number, data: Uint8Array): Buffer<ArrayBuffer> {
  const text = `{'descr': ${dtype}, 'fortran_order': False, 'shape': (${rows},), }`;
  const length = Math.ceil((10 + text.length + 1) / 64) * 64 - 10;
  const head = Buffer.alloc(10);
  head.write("\x93NUMPY\x01\x00", "latin1");
  head.writeUInt16LE(length, 8);
  return Buffer.concat([head, Buffer.from(`${text.padEnd(length - 1)}\n`, "latin1"), data]);
}
