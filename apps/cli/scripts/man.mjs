// Writes dist/polybin.1, the page of `man polybin`, from the tables that `--help` is printed from.
import { readFileSync, writeFileSync } from "node:fs";
import { manualOf } from "../src/options/command.ts";
import { program } from "../src/program.ts";

const { version, description } = JSON.parse(
  readFileSync(new URL("../package.json", import.meta.url), "utf8"),
);
const root = program(new AbortController().signal);

/** Text as roff prints it: without commands of its own, and with dashes that can be copied. */
const roff = (text) =>
  text
    .replaceAll("…", "...")
    .replaceAll("\\", "\\e")
    .replaceAll("-", "\\-")
    .replaceAll(/^([.'])/gm, "\\&$1");
const bold = (text) => `\\fB${roff(text)}\\fR`;
const item = (term, text) => [".TP", bold(term), roff(text)];

/** The words that start a command. */
function nameOf(command) {
  return command.parent === null ? "polybin" : `${nameOf(command.parent)} ${command.name()}`;
}

function section(command) {
  const help = command.createHelp();
  const isRoot = command === root;
  const name = nameOf(command);
  const { examples, notes = [] } = manualOf(command);
  return [
    ...(isRoot ? [] : [`.SS ${bold(name)} ${roff(help.commandUsage(command).slice(name.length + 1))}`]),
    roff(command.description()),
    ...help
      .visibleArguments(command)
      .flatMap((of) => item(help.argumentTerm(of), help.argumentDescription(of))),
    ...help.visibleOptions(command).flatMap((of) => item(help.optionTerm(of), help.optionDescription(of))),
    ...notes.flatMap((note) => [".PP", roff(note)]),
    ...examples.flatMap(([line, does]) => [
      ".PP",
      `${roff(does)}:`,
      ".PP",
      ".nf",
      `.RS 4`,
      roff(line),
      ".RE",
      ".fi",
    ]),
  ];
}

const lines = [
  `.TH POLYBIN 1 "" "polybin ${version}" "User Commands"`,
  ".SH NAME",
  `polybin \\- ${roff(description)}`,
  ".SH SYNOPSIS",
  `${bold("polybin")} [\\fIcommand\\fR] [\\fIoptions\\fR]`,
  ".SH DESCRIPTION",
  ...section(root),
  ".SH COMMANDS",
  ...root.commands.flatMap((command) => [command, ...command.commands]).flatMap(section),
  ".SH ENVIRONMENT",
  ...item("NO_COLOR, FORCE_COLOR", "Whether charts have colours. By default they have on a terminal."),
  ...item("COLUMNS", "The width of charts, tables and help if the output is not a terminal (default: 80)."),
  ...item("POLYBIN_REDIS_URL, POLYBIN_REDIS_PASSWORD", "The Redis of a cluster, and its password."),
  ...item("POLYBIN_DEBUG", "If set, the stack of an error is printed."),
];
writeFileSync(new URL("../dist/polybin.1", import.meta.url), `${lines.join("\n")}\n`);
