import { expect, test } from "vitest";
import { type Brush, Brushing } from "../src/brushing.ts";
import { type Columns, generated } from "../src/columns.ts";
import { Latest } from "../src/latest.ts";

/** Columns with rows outside both axes, and NaN. */
function columns(): Columns {
  const made = generated(20_000);
  made.brushed.values.set([Number.NaN, -1, 25, 24, 0, 12, 12, 12]);
  made.shown.values.set([0, 0, 0, 0, 0, Number.NaN, -500, 500]);
  return made;
}

/** Counts row by row, with edges in double precision. */
function expected({ brushed, shown }: Columns, { lo, hi }: Brush) {
  const counts = new Float64Array(shown.bins);
  const width = (shown.hi - shown.lo) / shown.bins;
  let rows = 0;
  brushed.values.forEach((x, row) => {
    if (!(x >= lo && (x < hi || (x === hi && hi === brushed.hi)))) return;
    rows++;
    const y = shown.values[row]!;
    if (y < shown.lo || y > shown.hi || Number.isNaN(y)) return;
    counts[Math.min(shown.bins - 1, Math.floor((y - shown.lo) / width))]!++;
  });
  return { counts, rows };
}

test("both ways of counting a brush are those of a loop over the rows", async () => {
  const made = columns();
  const brushing = new Brushing();
  const overview = await brushing.open(made, false);
  const whole = { lo: 0, hi: 24 };
  expect(overview.rows).toBe(20_000);
  expect(overview.shown.reduce((sum, count) => sum + count) + overview.outside).toBe(20_000);
  expect(overview.brushed.reduce((sum, count) => sum + count)).toBe(expected(made, whole).rows);
  const step = (index: number) => overview.steps[index]!;
  const brushes = [
    [0, 960],
    [0, 1],
    [123, 456],
    [400, 960],
    [959, 960],
  ] as const;
  for (const [first, end] of brushes) {
    const brush = { lo: step(first), hi: step(end) };
    const joint = await brushing.select(brush, "joint");
    const rows = await brushing.select(brush, "rows");
    const { lo, hi } = brush;
    expect(joint, `${lo} to ${hi}`).toMatchObject({ lo, hi, ...expected(made, brush) });
    expect(rows, `${lo} to ${hi}`).toMatchObject({ lo, hi, ...expected(made, brush) });
    expect(rows.rows).toBeGreaterThan(0);
  }
  await brushing.close();
});

test("the table snaps a brush to its steps, and counting rows does not", async () => {
  const made = columns();
  const brushing = new Brushing();
  const { steps } = await brushing.open(made, false);
  const brush = { lo: 6.006, hi: 7.01 };
  const joint = await brushing.select(brush, "joint");
  expect([joint.lo, joint.hi]).toEqual([steps[240], steps[280]]);
  const rows = await brushing.select(brush, "rows");
  expect(rows).toMatchObject({ ...brush, ...expected(made, brush) });
  expect(rows.rows).not.toBe(joint.rows);
  for (const method of ["joint", "rows"] as const) {
    expect(await brushing.select({ lo: 7, hi: 7 }, method), method).toMatchObject({ lo: 7, hi: 7, rows: 0 });
  }
  await brushing.close();
});

test("one question is under way, and only the newest waits", async () => {
  const asked: number[] = [];
  const answers: number[] = [];
  const open: (() => void)[] = [];
  const ask = (question: number) => {
    asked.push(question);
    return new Promise<number>((resolve) => open.push(() => resolve(10 * question)));
  };
  const latest = new Latest(ask, (answer) => answers.push(answer));
  const done = latest.put(1);
  latest.put(2);
  latest.put(3);
  expect(asked).toEqual([1]);
  open[0]!();
  await expect.poll(() => asked).toEqual([1, 3]);
  open[1]!();
  await done;
  expect(answers).toEqual([10, 30]);
  const last = latest.put(4);
  open[2]!();
  await last;
  expect(answers).toEqual([10, 30, 40]);
});
