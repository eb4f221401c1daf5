import type { Command } from "commander";
import { describe, expect, test, vi } from "vitest";
import { manualOf } from "../src/options/command.ts";
import { program } from "../src/program.ts";

const root = program(new AbortController().signal);
const all = [root, ...root.commands.flatMap((command) => [command, ...command.commands])];

/** The help of a command on a terminal of so many columns. */
function helpOf(command: Command, columns: number): string {
  vi.stubEnv("COLUMNS", String(columns));
  let text = "";
  command.configureOutput({ ...command.configureOutput(), writeOut: (part) => (text += part) });
  command.outputHelp();
  vi.unstubAllEnvs();
  return text;
}

describe.each(
  all.map((command) => [[command.parent?.name(), command.name()].join(" ").trim(), command] as const),
)("help of %s", (_, command) => {
  test.each([40, 80, 200])("fits %i columns", (columns) => {
    for (const line of helpOf(command, columns).split("\n")) {
      expect([...line].length, line).toBeLessThanOrEqual(Math.min(columns, 100));
    }
  });

  test("has an example, which the command takes", () => {
    const { examples } = manualOf(command);
    expect(examples.length).toBeGreaterThan(0);
    for (const [line] of examples) {
      expect(helpOf(command, 200)).toContain(`\n  ${line}\n`);
      const [, name, ...words] = /polybin ?(\S*) ?(.*)/.exec(line)!.flatMap((part) => part.split(" "));
      const outer =
        root.commands.find((other) => line.includes(`polybin ${other.name()}`)) ??
        // Without a command, the first word is a file, or standard input is counted.
        (command === root ? root.commands.find((other) => other.name() === "hist") : undefined);
      const called =
        outer?.commands.find((other) => line.includes(`${outer.name()} ${other.name()}`)) ?? outer;
      expect(called, `${line}: ${name}`).toBeDefined();
      for (const word of words.filter((text) => text.startsWith("--"))) {
        // The benchmarks know their options themselves.
        if (called!.createHelp().visibleOptions(called!).length === 0) continue;
        expect(called!.options.map(({ long }) => long)).toContain(word);
      }
    }
  });
});

test("a narrow terminal has each description below its term, and examples on several lines", () => {
  const hist = root.commands.find((command) => command.name() === "hist")!;
  expect(helpOf(hist, 40)).toContain(
    [
      "  --svg <FILE>",
      "      also draw a plot as SVG",
      "  --png <FILE>",
      "      also draw a plot as PNG",
      "",
    ].join("\n"),
  );
  expect(helpOf(hist, 40)).toContain(
    ["  polybin hist column.f32 --type f32 \\", "      --bins 100 --range -3,3", ""].join("\n"),
  );
  expect(helpOf(hist, 80)).toContain(
    [
      "  --csv                          print bin,lo,hi,count lines in place of a chart",
      "  --scale <SCALE>                scale of the counts in charts and plots: linear",
      "                                 or log (default: log if linear would flatten",
      "                                 most bins)",
      "",
    ].join("\n"),
  );
});
