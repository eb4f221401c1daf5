// Counts a column of a table 10 times in one process.
import { histogram } from "@polybin/columns";
import { openEngine } from "@polybin/core";
import { native } from "@polybin/native";

const TIMES = 10;
await using engine = await openEngine({ backends: [native()] });
for (let i = 0; i < TIMES; i++) await histogram(engine, process.argv[2], { column: "fare", bins: 256 });
