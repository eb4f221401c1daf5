// Damages tables in many ways and reads them: node test/mutated/main.ts [CASES [FIRST [PROCESSES]]]   default: 100000 cases
// Exits with 1 if one of them is neither read nor refused with a code, if compiled code and JavaScript read different values,
// or if a case ends its process, takes too long or too much memory. Each case has a number, which determines it.
import { fork } from "node:child_process";
import { availableParallelism } from "node:os";
import { argv } from "node:process";
import type { Trial } from "./trial.ts";

/** Milliseconds that a case may take. A busy machine may take longer, so a case that does is tried once more. */
const MOST_MS = 5000;
const MOST_BYTES = 600e6;
const CHILD = new URL("child.ts", import.meta.url);

type Message = (Trial & { readonly bytes: number }) | null;

const [count = 100_000, first = 1, processes = availableParallelism()] = argv.slice(2).map(Number);
/** The number of files of each format with each verdict. */
const verdicts: Record<string, Record<string, number>> = {};
let most = 0;

function note({ number, what, format, verdict }: Trial): void {
  const isKnown = verdict === "read" || /^ERR_\w+$/.test(verdict);
  if (!isKnown) {
    console.error(`${number}, ${what}: ${verdict}`);
    process.exitCode = 1;
  }
  const key = isKnown ? verdict : "neither";
  verdicts[format] ??= {};
  verdicts[format][key] = (verdicts[format][key] ?? 0) + 1;
}

/** Runs every case from a number on, a step apart, in one process. Returns the case that ended it, and why, or null. */
function run(from: number, step: number): Promise<{ readonly number: number; readonly why: string } | null> {
  const child = fork(CHILD, [from, first + count, step].map(String), {
    execArgv: ["--max-old-space-size=512"],
  });
  let next = from;
  let why = "";
  const end = (of: string): void => {
    why = of;
    child.kill("SIGKILL");
  };
  let timer: NodeJS.Timeout | undefined;
  return new Promise((resolve) => {
    child.on("message", (message: Message) => {
      clearTimeout(timer);
      timer = setTimeout(end, MOST_MS, `it took more than ${MOST_MS} ms`);
      if (message === null) return;
      most = Math.max(most, message.bytes);
      if (message.bytes > MOST_BYTES) return end(`the process has ${Math.round(message.bytes / 1e6)} MB`);
      note(message);
      next = message.number + step;
    });
    child.on("exit", (code, signal) => {
      clearTimeout(timer);
      resolve(
        next >= first + count
          ? null
          : { number: next, why: why || `the process ended with ${signal ?? code}` },
      );
    });
  });
}

async function lane(index: number): Promise<void> {
  let failed = -1;
  for (let from = first + index; from < first + count; ) {
    const ended = await run(from, processes);
    if (ended === null) return;
    from = ended.number;
    if (failed === ended.number) {
      note({ number: ended.number, what: "a case", format: "any", verdict: ended.why });
      from += processes;
    }
    failed = ended.number;
  }
}

await Promise.all(Array.from({ length: processes }, (_, index) => lane(index)));
console.log(
  `${count} damaged tables from case ${first} on, at most ${Math.round(most / 1e6)} MB of memory in a process`,
);
console.table(verdicts);
