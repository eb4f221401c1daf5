import { PolybinError } from "@polybin/core";
import { type Command, Option } from "commander";
import {
  backendOption,
  collected,
  EXIT_CODES,
  HELP_OPTION,
  newCommand,
  readingOptions,
  threadsOption,
  withManual,
} from "../options/index.ts";
import { profileOptions, profileOutput } from "../profile/index.ts";
import type {
  ClusterHistOptions,
  ClusterJointOptions,
  ClusterProfileOptions,
  DistributedOptions,
  GcOptions,
  StatusOptions,
} from "./request.ts";
import type { WorkOptions } from "./work.ts";

/** `polybin cluster`: its commands, their options and their help. */
export function clusterCommand(signal: AbortSignal): Command {
  const command = newCommand("cluster")
    .description("Count tables on many machines: workers take shards from a queue in Redis.")
    .helpCommand(false)
    .usage("<command> [options]")
    // Otherwise a mistyped command would be called an excess argument.
    .allowExcessArguments()
    .action((_options: unknown, { args, commands }: Command) => {
      const names = commands.map((one) => one.name()).join(", ");
      const received = args.length === 0 ? "none" : JSON.stringify(args[0]);
      throw new PolybinError(
        "ERR_INPUT",
        `expected one of the commands ${names} of polybin cluster but received ${received}`,
      );
    });
  const parts = [
    workCommand(signal),
    histCommand(signal),
    jointCommand(signal),
    profileCommand(signal),
    statusCommand(),
    cancelCommand(),
    gcCommand(),
  ];
  for (const part of parts) command.addCommand(part);
  return withManual(command, {
    examples: [
      [
        "polybin cluster hist trips/*.parquet --column fare --local 4",
        "four worker processes on this machine",
      ],
      ["polybin cluster work --allow /data", "a worker of the Redis that POLYBIN_REDIS_URL names"],
    ],
    notes: [
      "Redis: --redis URL or POLYBIN_REDIS_URL names it: redis://HOST:PORT, rediss://HOST:PORT for TLS, or unix:/PATH. " +
        "Put the password into POLYBIN_REDIS_PASSWORD, since everybody on a machine can read its command lines.",
    ],
  });
}

function redisOption(): Option {
  return new Option("--redis <URL>", "address of Redis (default: POLYBIN_REDIS_URL)");
}

function workCommand(signal: AbortSignal): Command {
  const command = newCommand("work")
    .allowExcessArguments(false)
    .description("Count shards from the queue until the process is stopped.")
    .optionsGroup("Queue:")
    .addOption(redisOption())
    .addOption(
      new Option(
        "--allow <PLACE>",
        "what shards may open: a folder, a scheme (https:) or the beginning of URLs (s3://bucket/data); can be given " +
          "several times; nothing else is opened",
      ).argParser(collected),
    )
    .option("--concurrency <N>", "shards that are counted at the same time, 1 to 256 (default: 2)")
    .option("--max-partial <MIB>", "size of one partial result in Redis at most (default: 16)")
    .option(
      "--spill <DIR>",
      "folder that all workers share, in one of --allow, for partial results above --max-partial (default: none, and they " +
        "are refused)",
    )
    .option(
      "--lock <SECONDS>",
      "time after which another worker takes over from one that hangs (default: 30)",
    )
    .option("--verbose", "print a line for each shard")
    .optionsGroup("Backend:")
    .addOption(backendOption("the first of cuda, webgpu, native and piscina that works here"))
    .addOption(threadsOption())
    .optionsGroup("Help:")
    .helpOption(...HELP_OPTION)
    .action(async (options: WorkOptions) => {
      const { work } = await import("./work.ts");
      await work(options, signal);
    });
  return withManual(command, {
    examples: [
      ["polybin cluster work --redis redis://queue:6379 --allow /data", "count files below /data"],
      [
        "polybin cluster work --allow s3://bucket/trips --concurrency 8",
        "count objects of a bucket, eight at a time",
      ],
    ],
    notes: [
      "Safety: the worker checks everything that comes from the queue. It refuses what it does not understand, prints the " +
        "reason, and goes on. It runs nothing from the queue.",
      "Stopping: SIGTERM and Ctrl+C give shards back to the queue. If the process is killed, another worker counts its " +
        "shards anew after --lock.",
      EXIT_CODES,
    ],
  });
}

/** The options of every command that distributes work. */
function distributed(command: Command): Command {
  return command
    .optionsGroup("Cluster:")
    .addOption(redisOption())
    .option(
      "--local <N>",
      "start N worker processes and a Redis of their own on this machine, which needs redis-server",
    )
    .option("--name <NAME>", "name of the job (default: made from the request)")
    .option("--shards <N>", "number of shards (default: shards of 64 MiB)")
    .option("--shard-size <MIB>", "size of a shard")
    .option("--width <N>", "partial results that one merge reads, 2 to 1024 (default: 32)")
    .option("--spill <DIR>", "the workers' folder for partial results too large for Redis");
}

const JOB_NOTES = [
  "Names: ask again with the same request, or the same --name, and the job goes on where it was. A finished job answers at " +
    "once. `polybin cluster gc` removes it.",
  "Files: workers open the same places, so paths must lead to the same files on every machine.",
  EXIT_CODES,
];

function histCommand(signal: AbortSignal): Command {
  const command = newCommand("hist");
  command
    .allowExcessArguments(false)
    .description("Count columns of tables on the workers of a queue.")
    .argument("<FILE...>", "tables: paths or URLs")
    .optionsGroup("Input:")
    .addOption(
      new Option("-c, --column <NAME>", "a column to count; can be given several times").argParser(collected),
    )
    .option("--by <NAME>", "one histogram per value of this column");
  readingOptions(command)
    .optionsGroup("Bins:")
    .option("-b, --bins <N>", "number of bins (default: 256)")
    .option(
      "-r, --range <LO,HI|data|type>",
      "range of the bins (default: type for 8 and 16 bits, data for all others)",
    )
    .option("--edges <A,B,C>", "ascending edges of the bins, in place of --bins and --range");
  distributed(command)
    .optionsGroup("Output:")
    .option("--json", "print one JSON object in place of a chart")
    .option("--csv", "print lines of CSV in place of a chart")
    .optionsGroup("Backend of --local:")
    .addOption(backendOption("cpu: one thread per worker"))
    .optionsGroup("Help:")
    .helpOption(...HELP_OPTION)
    .action(async (files: readonly string[], options: ClusterHistOptions) => {
      const { clusterHist } = await import("./hist.ts");
      await clusterHist(files, options, signal);
    });
  return withManual(command, {
    examples: [
      [
        "polybin cluster hist trips/*.parquet --column fare --column tip --local 4",
        "two columns, on this machine",
      ],
      ["polybin cluster hist s3://b/trips.csv --column fare --range 0,100 --name fares", "a named job"],
    ],
    notes: JOB_NOTES,
  });
}

function jointCommand(signal: AbortSignal): Command {
  const command = newCommand("joint");
  command
    .allowExcessArguments(false)
    .description("Count two columns of tables together on the workers of a queue.")
    .argument("<FILE...>", "tables: paths or URLs")
    .optionsGroup("Input:")
    .option("-c, --columns <X,Y>", "names of the two columns");
  readingOptions(command)
    .optionsGroup("Bins:")
    .option("-b, --bins <N[,M]>", "number of bins of both columns, or of each (default: 256)")
    .option(
      "-r, --range <LO,HI[,LO,HI]|data|type>",
      "range of the bins: two numbers for both columns, or two for each (default: type for 8 and 16 bits, data for all " +
        "others)",
    );
  distributed(command)
    .optionsGroup("Output:")
    .option("--json", "print one JSON object in place of a heat map")
    .optionsGroup("Backend of --local:")
    .addOption(backendOption("cpu: one thread per worker"))
    .optionsGroup("Help:")
    .helpOption(...HELP_OPTION)
    .action(async (files: readonly string[], options: ClusterJointOptions) => {
      const { clusterJoint } = await import("./joint.ts");
      await clusterJoint(files, options, signal);
    });
  return withManual(command, {
    examples: [
      ["polybin cluster joint trips/*.parquet --columns distance,fare --bins 64 --local 4", "a heat map"],
    ],
    notes: [
      "Size: a table of 4096 x 4096 bins can be larger than what workers put into Redis (--max-partial). Start them and the " +
        "command with --spill, a folder that all of them share.",
      ...JOB_NOTES,
    ],
  });
}

/** The default of `Cluster.profile`, whose partial results travel. */
const DISTINCT_LIMIT = 10_000;

function profileCommand(signal: AbortSignal): Command {
  const command = newCommand("profile");
  command
    .allowExcessArguments(false)
    .description("Profile every column of tables on the workers of a queue.")
    .argument("<FILE...>", "tables: paths or URLs");
  profileOptions(command, DISTINCT_LIMIT);
  profileOutput(distributed(command))
    .optionsGroup("Backend of --local:")
    .addOption(backendOption("cpu: one thread per worker"))
    .optionsGroup("Help:")
    .helpOption(...HELP_OPTION)
    .action(async (files: readonly string[], options: ClusterProfileOptions) => {
      const { clusterProfile } = await import("./profile.ts");
      await clusterProfile(files, options, signal);
    });
  return withManual(command, {
    examples: [
      ["polybin cluster profile trips/*.parquet --local 4 --html report.html", "a report, on this machine"],
    ],
    notes: [
      "Size: a partial result holds the different values of all columns, up to --distinct-limit each. If it is larger than " +
        "the workers' --max-partial, and they have no --spill, the job fails with ERR_LIMIT.",
      ...JOB_NOTES,
    ],
  });
}

function statusCommand(): Command {
  const command = newCommand("status")
    .allowExcessArguments(false)
    .description("List the jobs of a Redis, or those of one name.")
    .argument("[NAME]", "name of a job")
    .addOption(redisOption())
    .option("--json", "print JSON")
    .action(async (name: string | undefined, options: StatusOptions) => {
      const { status } = await import("./jobs.ts");
      await status(name ?? null, options);
    });
  return withManual(command, { examples: [["polybin cluster status", "names, states and counted shards"]] });
}

function cancelCommand(): Command {
  const command = newCommand("cancel")
    .allowExcessArguments(false)
    .description(
      "End a running job. Counted shards stay, and the same request goes on with the missing ones.",
    )
    .argument("<NAME>", "name of the job")
    .addOption(redisOption())
    .action(async (name: string, options: DistributedOptions) => {
      const { cancel } = await import("./jobs.ts");
      await cancel(name, options);
    });
  return withManual(command, { examples: [["polybin cluster cancel fares", "workers stop within seconds"]] });
}

function gcCommand(): Command {
  const command = newCommand("gc")
    .allowExcessArguments(false)
    .description("Remove ended jobs and their results from Redis.")
    .argument("[NAME]", "name of a job (default: all that have ended)")
    .addOption(redisOption())
    .option("--spill <DIR>", "the workers' folder, whose files of these jobs are removed, too")
    .option("--older-than <HOURS>", "only jobs that ended at least this number of hours ago (default: 0)")
    .action(async (name: string | undefined, options: GcOptions) => {
      const { gc } = await import("./jobs.ts");
      await gc(name ?? null, options);
    });
  return withManual(command, {
    examples: [["polybin cluster gc --older-than 24", "remove jobs that ended more than a day ago"]],
    notes: ["Redis itself drops a job two weeks after its last change."],
  });
}
