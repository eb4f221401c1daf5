// Decodes every column of a table once.
import { openTable } from "@polybin/columns";

await using table = await openTable(process.argv[2]);
for await (const _ of table.read());
