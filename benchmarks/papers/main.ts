import { parseArgs } from "node:util";
import { readFolder } from "./measured.ts";
import { writeReport } from "./report.ts";

const { values } = parseArgs({
  options: {
    out: { type: "string", default: "papers-report" },
    from: { type: "string", multiple: true, default: [] },
    backend: { type: "string" },
  },
});
await writeReport(values.out, values.from.flatMap(readFolder), values.backend);
