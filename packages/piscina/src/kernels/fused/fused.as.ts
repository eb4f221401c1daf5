// fused: finds the cells of a block of samples, column by column, and counts them.
//
//   block    the cell of each sample: its address (columns.as.ts), or 16 bits (narrow.as.ts)
//   table    [cells] 32 bits    row-major, the last column fastest; a second table may follow `apart` bytes further on
//
//   begin    cell = 0    ->    columns    cell += row * stride    ->    mask    ->    count    ++table[cell]
//
// A block fits the first-level cache together with its samples, so passing cells through memory costs one vector store
// and one load for four samples. Every kind of column has a loop of its own, and a call combines any of them.
//
// Samples after the last one of a block, up to a multiple of 16, are read, and their cells are not counted.
//
// Bound: the columns' loops, and one increment per sample in the cache that holds the table.
// Source: polybin.
export * from "./columns.as";
export { narrow_begin, narrow_bytes } from "./narrow.as";
export { narrow_mask, spread_bits, wide_mask } from "./mask.as";

/** Begins a block of n samples: all cells are `first`. */
export function wide_begin(block: u32, n: u32, first: u32): void {
  const all = i32x4.splat(first);
  for (const end = block + n * 4; block < end; block += 16) v128.store(block, all);
}

/** Counts n cells by address. Every second one goes to the table `apart` bytes further on. */
export function count_wide(block: u32, n: u32, apart: u32): void {
  const end = block + n * 4;
  for (const whole = block + (n & ~3) * 4; block < whole; block += 16) {
    bump(load<u32>(block));
    bump(load<u32>(block, 4) + apart);
    bump(load<u32>(block, 8));
    bump(load<u32>(block, 12) + apart);
  }
  for (; block < end; block += 4) bump(load<u32>(block));
}

/** Counts n cells of a table in which other threads also count. */
export function count_wide_shared(block: u32, n: u32): void {
  for (const end = block + n * 4; block < end; block += 4) atomic.add<u32>(load<u32>(block), 1);
}

/** Counts n cells of 16 bits. */
export function count_narrow(block: u32, n: u32, table: u32, apart: u32): void {
  const end = block + n * 2;
  const other = table + apart;
  for (const whole = block + (n & ~7) * 2; block < whole; block += 16) {
    bump((<u32>load<u16>(block) << 2) + table);
    bump((<u32>load<u16>(block, 2) << 2) + other);
    bump((<u32>load<u16>(block, 4) << 2) + table);
    bump((<u32>load<u16>(block, 6) << 2) + other);
    bump((<u32>load<u16>(block, 8) << 2) + table);
    bump((<u32>load<u16>(block, 10) << 2) + other);
    bump((<u32>load<u16>(block, 12) << 2) + table);
    bump((<u32>load<u16>(block, 14) << 2) + other);
  }
  for (; block < end; block += 2) bump((<u32>load<u16>(block) << 2) + table);
}

@inline function bump(at: u32): void {
  store<u32>(at, load<u32>(at) + 1);
}

/** Copies every stride-th sample of a width in bytes to consecutive places. */
export function gather_column(ptr: u32, out: u32, n: u32, stride: u32, width: u32): void {
  if (width == 1) gather<u8>(ptr, out, n, stride);
  else if (width == 2) gather<u16>(ptr, out, n, stride);
  else if (width == 4) gather<u32>(ptr, out, n, stride);
  else gather<u64>(ptr, out, n, stride);
}

@inline function gather<T>(ptr: u32, out: u32, n: u32, stride: u32): void {
  const step = stride * sizeof<T>();
  for (const end = out + n * sizeof<T>(); out < end; out += sizeof<T>(), ptr += step) store<T>(out, load<T>(ptr));
}
