/** A grey TIFF of 16 x 16 pixels in these strips. These short or long values replace the usual tags. */
export function tiffOf(
  strips: readonly Uint8Array[],
  tags: Readonly<Record<number, readonly number[] | null>>,
): Buffer {
  const offsets = strips.map((_, i) => 8 + Buffer.concat(strips.slice(0, i)).length);
  const usual = { 256: [16], 257: [16], 258: [8], 259: [1], 262: [1], 273: offsets, 277: [1], 278: [4] };
  const all = Object.entries({ ...usual, 279: strips.map(({ length }) => length), ...tags });
  const entries = all.flatMap(([tag, values]) => (values === null ? [] : [[tag, values] as const]));
  const at = 8 + Buffer.concat(strips).length;
  const head = Buffer.from("49492a0000000000", "hex");
  head.writeUInt32LE(at, 4);
  const directory = Buffer.alloc(2 + 12 * entries.length + 4);
  directory.writeUInt16LE(entries.length);
  const lists: Buffer[] = [];
  for (const [i, [tag, values]] of entries.entries()) {
    const list = Buffer.from(Uint32Array.from(values).buffer);
    directory.writeUInt16LE(Number(tag), 2 + 12 * i);
    directory.writeUInt16LE(4, 4 + 12 * i);
    directory.writeUInt32LE(values.length, 6 + 12 * i);
    const place = at + directory.length + Buffer.concat(lists).length;
    directory.writeUInt32LE(values.length === 1 ? values[0]! : place, 10 + 12 * i);
    if (values.length > 1) lists.push(list);
  }
  return Buffer.concat([head, ...strips, directory, ...lists]);
}
