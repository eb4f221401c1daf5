import { expected } from "../../base/index.ts";
import { stridesOf } from "../grid.ts";

/**
 * Cells that UHI's schema has no place for, such as those of NaN: "cell value cell value …" without zeros, since the
 * schema allows only scalars in notes. Cells are indices of the result's cells.
 */
export function writeOutside(cells: Float64Array, extents: readonly number[], placed: Placed): string {
  const isPlaced = placedTest(extents, placed);
  const found: number[] = [];
  for (let cell = 0; cell < cells.length; cell++) {
    if (cells[cell] !== 0 && !isPlaced(cell)) found.push(cell, cells[cell]!);
  }
  return found.join(" ");
}

/** For each axis, the codes that the schema's arrays have. */
type Placed = readonly (readonly number[])[];

/**
 * Adds the cells that `writeOutside` wrote.
 * @throws ERR_INPUT unless the note has cells that the schema has no place for, each with a number.
 */
export function readOutside(
  note: unknown,
  name: string,
  cells: Float64Array,
  { extents, placed }: { readonly extents: readonly number[]; readonly placed: Placed },
  isNumber: (value: number) => boolean,
): void {
  if (note === undefined || note === "") return;
  const isPlaced = placedTest(extents, placed);
  const numbers = typeof note === "string" ? note.split(" ").map(Number) : [Number.NaN];
  const seen = new Set<number>();
  for (let i = 0; i < numbers.length; i += 2) {
    const [cell, value] = [numbers[i]!, numbers[i + 1]!];
    const isCell = Number.isInteger(cell) && cell >= 0 && cell < cells.length && !isPlaced(cell);
    if (!isCell || seen.has(cell) || !isNumber(value)) {
      const what =
        'cells without a place in the schema, each once with its number, as "cell number cell number",';
      throw expected("ERR_INPUT", name, what, note);
    }
    seen.add(cell);
    cells[cell] = value;
  }
}

function placedTest(extents: readonly number[], placed: Placed): (cell: number) => boolean {
  const strides = stridesOf(extents);
  const along = placed.map((codes, k) => {
    const found = new Uint8Array(extents[k]!);
    for (const code of codes) found[code] = 1;
    return found;
  });
  return (cell) => along.every((found, k) => found[Math.floor(cell / strides[k]!) % extents[k]!] === 1);
}
