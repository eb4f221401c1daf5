// A reporter of node:test: what a run came to, as a line of JSON.
export default async function* report(events) {
  const summary = { node: process.version, passed: 0, failed: [], skipped: [] };
  for await (const { type, data } of events) {
    if ((type !== "test:pass" && type !== "test:fail") || data.details?.type === "suite") continue;
    if (type === "test:fail") {
      const { error } = data.details;
      summary.failed.push({ name: data.name, reason: String(error?.cause?.message ?? error?.message) });
    } else if (data.skip !== undefined) {
      const reason = typeof data.skip === "string" ? data.skip : "";
      summary.skipped.push({ name: data.name, reason });
    } else summary.passed += 1;
  }
  yield `${JSON.stringify(summary)}\n`;
}
