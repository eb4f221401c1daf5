import { describe, expect, it } from "vitest";
import { type OpenTableOptions, openTable } from "../src/index.ts";
import { cells, failure, read } from "./tables.ts";

const csv = { format: "csv" } as const;

/** Reads a text and returns its columns with what was guessed. */
async function guessed(text: string, options: OpenTableOptions = {}) {
  await using table = await openTable(Buffer.from(text), { ...csv, ...options });
  return { guessed: table.guessed, columns: await cells(table) };
}

/** Reads a text in one part and in many, by one thread and by two. */
async function everywhere(text: string, options: OpenTableOptions): Promise<Record<string, unknown>> {
  const whole = await read(text, { ...csv, ...options, threads: 0 });
  for (const threads of [0, 2])
    expect(await read(text, { ...csv, ...options, threads, partBytes: 64 })).toEqual(whole);
  return whole;
}

describe("options", () => {
  it("skip leaves out lines, also quoted and empty ones", async () => {
    const text = 'one "line\n\nthree\na,b\n1,2\n';
    expect(await everywhere(text, { skip: 3 })).toEqual({ a: [1], b: [2] });
    expect(await everywhere("x\r\na\r\n1\r\n", { skip: 1 })).toEqual({ a: [1] });
    expect(await everywhere("\ufeffé\na\n1\n", { skip: 1 })).toEqual({ a: [1] });
    expect(await everywhere("a\n1\n", { skip: 5, header: ["x"] })).toEqual({});
    expect(await failure("a\n1,2\nx\n", { ...csv, skip: 0 })).toMatch(
      /line 2: expected 1 fields but found 2/,
    );
    expect(await failure('x\na,b\n1,2\n1,"2"3\n', { ...csv, skip: 1, quote: '"' })).toMatch(
      /line 4: expected a separator behind/,
    );
  });

  it("comment leaves out lines at any place, with quotation marks in them", async () => {
    const lines = ["% it's 5\" long\n", "a,b\n", '1,"%x\n%y"\n', '%"\n', ...Array(20).fill("2,3%4\n"), "%"];
    const found = await everywhere(lines.join(""), { comment: "%", quotedNewlines: true });
    expect(found).toEqual({ a: [1, ...Array(20).fill(2)], b: ["%x\n%y", ...Array(20).fill("3%4")] });
    expect(await failure("#\na,b\n#\n1\n", { ...csv, comment: "#" })).toMatch(/line 4: expected 2 fields/);
  });

  it("escape takes the meaning of any character", async () => {
    const text = 'a,b\nx\\,y,"\\"q\\" \\\\"\nz\\\nw,"1""2"\n\\N,\\N\n\\\\N,"\\N"\n';
    const found = await everywhere(text, { escape: "\\", nulls: ["\\N"] });
    expect(found).toEqual({ a: ["x,y", "z\nw", null, null], b: ['"q" \\', '1"2', null, "N"] });
    expect(await failure('a\n"x\\"\n', { ...csv, escape: "\\" })).toMatch(/not closed/);
    expect(await read('a\n"x""y"\n', { ...csv, escape: '"' })).toEqual({ a: ['x"y'] });
  });

  it("decimal reads commas, and no points", async () => {
    const text = "a;b\n1,5;1\n-2,25e1;2\n;3\n";
    expect(await everywhere(text, { decimal: "," })).toEqual({ a: [1.5, -22.5, null], b: [1, 2, 3] });
    expect(await read("a;b\n1.5;1\n", { ...csv, decimal: "," })).toEqual({ a: ["1.5"], b: [1] });
    expect(await failure("a;b\n1,5;1\n1.000,5;1\n", { ...csv, decimal: ",", types: { a: "f64" } })).toMatch(
      /line 3: expected f64 in column "a" but found "1.000,5"/,
    );
  });

  it.each([
    ["%d.%m.%Y", "31.01.2024", 19753],
    ["%m/%d/%y", "1/31/24", 19753],
    ["%m/%d/%y", "1/31/69", -335],
    ["%d-%b-%Y", "31-JAN-2024", 19753],
    ["%B %d, %Y", "January 31, 2024", 19753],
    ["%Y%m%d", "20240131", 19753],
  ])("dateFormat %s reads %s", async (dateFormat, text, days) => {
    const options = { header: ["d"], dateFormat, separator: ";" };
    await using table = await openTable(Buffer.from(`${text}\n`), { ...csv, ...options });
    expect(table.columns[0]!.type).toEqual({ kind: "date", unit: "day" });
    expect(await everywhere(`${text}\n`, options)).toEqual({ d: [days] });
  });

  it("dateFormat reads times, and refuses days that do not exist", async () => {
    const options = { header: ["t"], dateFormat: "%d.%m.%Y %I:%M:%S.%f %p" };
    const text = "31.01.2024 12:00:01.25 am\n31.01.2024 01:02:03 pm\n";
    expect(await failure(text, { ...csv, ...options, types: { t: "timestamp[us]" } })).toMatch(
      /line 2: expected timestamp\[us\] in column "t" but found "31.01.2024 01:02:03 pm"/,
    );
    expect(await everywhere(text.split("\n")[0]!, options)).toEqual({ t: [1706659201250n] });
    const dates = { ...csv, header: ["d"], dateFormat: "%d.%m.%Y", types: { d: "date" } } as const;
    expect(await failure("30.02.2024\n", dates)).toMatch(/line 1: expected date/);
    expect(await failure("2024-01-31\n", dates)).toMatch(/line 1: expected date/);
  });

  it("booleans are yes and no, if both occur or the type says so", async () => {
    expect(await everywhere("a,b\nyes,no\nNo,no\n", {})).toEqual({ a: [1, 0], b: ["no", "no"] });
    expect(await everywhere("a\nno\n", { types: { a: "boolean" } })).toEqual({ a: [0] });
    expect(await read("a\nyes\ntrue\n", csv)).toEqual({ a: ["yes", "true"] });
  });

  it.each<[OpenTableOptions, RegExp]>([
    [{ skip: -1 }, /a whole number of lines for skip/],
    [{ skip: 1.5 }, /a whole number of lines/],
    [{ comment: "##" }, /one ASCII character .* for comment/],
    [{ comment: ",", separator: "," }, /not the separator/],
    [{ escape: "\n" }, /one ASCII character/],
    [{ escape: ",", separator: "," }, /not the separator .* for escape/],
    [{ badRows: "drop" as never }, /one of error, skip for badRows/],
    [{ decimal: ";" }, /a point or a comma/],
    [{ dateFormat: "%d.%m" }, /a year, a month and a day/],
    [{ dateFormat: "%d.%m.%Y %Q" }, /a year, a month and a day/],
    [{ dateFormat: "%d %d %m %Y" }, /a year, a month and a day/],
  ])("%o is refused", async (options, message) => {
    const found = await failure("a\n1\n", { ...csv, ...options });
    expect(found).toMatch(/^ERR_INPUT expected /);
    expect(found).toMatch(message);
  });
});

describe("rows that do not fit", () => {
  const good = Array.from({ length: 30 }, (_, i) => `${i},x${i}\n`);
  const lines = [
    "a,b\n",
    ...good.slice(0, 10),
    "1\n",
    "1,2,3\n",
    ...good.slice(10, 20),
    "q,x\n",
    ...good.slice(20),
  ];
  const options = { ...csv, types: { a: "i32" }, badRows: "skip" } as const;
  const expected = { a: good.map((_, i) => i), b: good.map((_, i) => `x${i}`) };

  it("are left out and counted once, in parts and in a second read", async () => {
    for (const [threads, partBytes] of [
      [0, 64],
      [2, 64],
      [0, 1 << 20],
    ] as const) {
      await using table = await openTable(Buffer.from(lines.join("")), { ...options, threads, partBytes });
      expect(table.badRows).toBeNull();
      for (let pass = 0; pass < 2; pass++) {
        expect(await cells(table)).toEqual(expected);
        expect(table.badRows).toEqual({ rows: 3, first: "line 12: expected 2 fields but found 1" });
      }
      // Only values that are read can be wrong.
      expect((await cells(table, { columns: ["b"] })).b).toHaveLength(31);
    }
    expect(await failure(lines.join(""), { ...options, badRows: "error" })).toMatch(/line 12: expected 2/);
  });

  it("may have a quotation mark that is never closed", async () => {
    const text = `a,b\n1,"x"\n2,y\n3,"open\n${"4,z\n".repeat(50)}`;
    await using table = await openTable(Buffer.from(text), { ...options, partBytes: 64 });
    expect(await cells(table)).toEqual({ a: [1, 2], b: ["x", "y"] });
    expect(table.badRows).toEqual({
      rows: 1,
      first:
        "line 4: expected a closing quotation mark but the field is not closed; pass quote: null if quotation marks have no meaning",
    });
  });
});

describe("what fits is guessed", () => {
  it.each<[string, object, object]>([
    ["a;b\n1;2\n", { separator: ";" }, { a: [1], b: [2] }],
    ["some notes\nmore\n\na,b\n1,2\n3,4\n", { skip: 3 }, { a: [1, 3], b: [2, 4] }],
    ["# x\n# y, z\na,b\n#\n1,2\n", { comment: "#" }, { a: [1], b: [2] }],
    ["text\n# x, y\na;b\n1;2\n", { separator: ";", skip: 2 }, { a: [1], b: [2] }],
    ['a,b\n1,"x\\"y, z"\n', { escape: "\\" }, { a: [1], b: ['x"y, z'] }],
    ['a\tb\n1\t"x\n2\ty\n', { separator: "\t", quote: null }, { a: [1, 2], b: ['"x', "y"] }],
    ["a,b\n1,'x, y'\n", { quote: "'" }, { a: [1], b: ["x, y"] }],
    // A mark within a field has no meaning.
    ['a,b\n1,5" pipe\n2,x\n', {}, { a: [1, 2], b: ['5" pipe', "x"] }],
    // A column may have anything.
    ["text\n# x\ny, z\n", { guessed: "nothing" }, {}],
    ['"Dec 8, 2022"\n"Dec 9, 2022"\n', {}, { "Dec 8, 2022": ["Dec 9, 2022"] }],
  ])("%j", async (text, guess, columns) => {
    if ("guessed" in guess) expect(await failure(text, csv)).toMatch(/line 3: expected 1 fields but found 2/);
    else expect(await guessed(text)).toEqual({ guessed: guess, columns });
  });

  it("and never against an option", async () => {
    expect(await failure("x\na,b\n1,2\n3,4\n", { ...csv, skip: 0 })).toMatch(/line 2: expected 1 fields/);
    expect(await failure("#x\na,b\n1,2\n", { ...csv, skip: 0, comment: null })).toMatch(/line 2/);
    expect(await failure("a,b\n1,'x, y'\n", { ...csv, quote: '"' })).toMatch(/line 2: expected 2 fields/);
  });
});

it("a mark within a field cuts no record, wherever the file is cut", async () => {
  let seed = 1;
  const random = (below: number) => {
    seed = (seed * 48271) % 2147483647;
    return seed % below;
  };
  const fields = ['5" x', '"a\n,b"', "", "1", '"""q"""', 'x"y"z', '"" ', '"c" ', "\\"];
  for (let round = 0; round < 40; round++) {
    const rows = Array.from({ length: 60 }, () => [fields[random(9)]!, fields[random(9)]!, "0"].join(","));
    const text = `a,b,c\n${rows.join("\n")}\n`;
    const options = { ...csv, quote: '"', escape: null, types: { a: "string", b: "string" } } as const;
    const whole = await failure(text, { ...options, partBytes: 1 << 20 });
    // '"" ' is an empty field, which papaparse closes at the blank.
    expect(whole).toBe("no error");
    const expected = await read(text, options);
    for (const partBytes of [64, 100, 333])
      expect(await read(text, { ...options, partBytes })).toEqual(expected);
  }
});
