// What the documentation says of the command: what it prints in the README, and that its options are there.
import { expect, test } from "vitest";
import { MAIN, polybin } from "../command.ts";
import { type Block, blocksOf, PAGES, ROOT } from "./blocks.ts";
import { run } from "./run.ts";

const blocks = PAGES.flatMap(blocksOf).filter(({ language }) => ["sh", "text"].includes(language));
/** How a page calls the command: in a checkout, or installed. */
const CALLS = /(?:npm start --silent -- |\b(?:npx )?polybin )/;

/** Blocks that show a command behind a `$` and what it prints. */
const shown = blocks.filter(({ text, mark }) => text.startsWith("$ ") && mark?.word !== "not run");

test.for(shown.map((block) => [block.at, block] as const))("%s prints what it shows", async ([, block]) => {
  const [first, ...lines] = block.text.split("\n");
  const command = first!.slice(2);
  expect(command).toMatch(CALLS);
  const { stdout, stderr } = await run(
    "sh",
    ["-c", command.replace(CALLS, `"${process.execPath}" "${MAIN}" `)],
    { cwd: ROOT, env: { ...process.env, COLUMNS: "80", NO_COLOR: "1" } },
  ).catch((error) => error);
  const [found, wanted] = [`${stdout}${stderr}`.trimEnd().split("\n"), lines].map((all) => all.map(steady));
  expect(found).toEqual(wanted);
});

/** A line without what is another machine's: times, throughputs, and the backend that `auto` takes. */
const steady = (line: string): string =>
  line
    .replaceAll(/[\d.,]+ m?s\b/g, "… ms")
    .replaceAll(/[\d.,]+ [GMk]?B\/s\b/g, "… GB/s")
    .replace(/^\w+ \(\d+ (?:workers?|threads?)\)(?=.*; chosen by auto$)/, "…");

test("the README and the first steps show the command at work", () => {
  const pages = shown.map(({ at }) => at.split(":")[0]);
  expect(pages.filter((page) => page === "README.md").length).toBeGreaterThanOrEqual(2);
  expect(pages.filter((page) => page === "docs/start/README.md").length).toBeGreaterThanOrEqual(2);
});

/** The calls of the command in a block: their words, without comments. */
function callsIn({ text }: Block): string[][] {
  return text.split("\n").flatMap((line) => {
    const call = /(?:^|[|&] ?)(?:\$ )?(?:npm start (?:--silent )?-- |polybin )(.*)$/.exec(line);
    return call === null
      ? []
      : [
          call[1]!
            .replace(/ {2,}#.*| # .*/, "")
            .split(/[\s[\]|]+/)
            .filter(Boolean),
        ];
  });
}

test("every command and option that the documentation names is there", async () => {
  const calls = blocks.flatMap((block) => callsIn(block).map((words) => [block.at, words] as const));
  expect(calls.length).toBeGreaterThan(20);
  const helps = new Map<string, Promise<string>>();
  const helpOf = (name: string): Promise<string> => {
    const help = helps.get(name) ?? polybin([...name.split(" "), "--help"]).then(({ stdout }) => stdout);
    helps.set(name, help);
    return help;
  };
  const { stdout: all } = await polybin(["--help"]);
  const absent: string[] = [];
  for (const [at, [name, ...words]] of calls) {
    if (name === undefined || name.startsWith("-")) continue;
    if (!new RegExp(`^ +${name}\\b`, "m").test(all)) absent.push(`${at}: ${name}`);
    let help = await helpOf(name);
    // A command below it, which its help lists.
    const below =
      words[0] !== undefined && new RegExp(`^ +${words[0].replaceAll(/\W/g, "")}  `, "m").test(help);
    if (below && help.includes("\nCommands:\n")) help = await helpOf(`${name} ${words[0]}`);
    for (const word of words) {
      const option = /^--[a-z][\w-]*/.exec(word)?.[0];
      if (option !== undefined && !help.includes(option)) absent.push(`${at}: ${name} ${option}`);
    }
  }
  expect(absent).toEqual([]);
});
