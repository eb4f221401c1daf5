// Prints one object as JSON: the numbers of tests that passed and were skipped, and the failures.
export default async function* report(events) {
  const found = { processor: process.arch, passed: 0, skipped: 0, failed: [] };
  for await (const { type, data } of events) {
    if (!/^test:(pass|fail)$/.test(type) || data.details.type === "suite") continue;
    if (data.skip !== undefined) found.skipped++;
    else if (type === "test:pass") found.passed++;
    else
      found.failed.push(`${data.name}: ${data.details.error.cause?.message ?? data.details.error.message}`);
  }
  yield `${JSON.stringify(found)}\n`;
}
