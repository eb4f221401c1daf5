import { openCounter } from "./histogram.js";
import { createServer, LIMITS } from "./server.js";

const counter = await openCounter(LIMITS);
const app = createServer(counter.count, LIMITS);
app.addHook("onClose", () => counter.close());

// A first signal lets the uploads that have arrived get their answers. `close` accepts no more of them.
for (const signal of ["SIGINT", "SIGTERM"]) process.once(signal, () => app.close());

const { HOST = "127.0.0.1", PORT = "8080" } = process.env;
console.log(await app.listen({ host: HOST, port: Number(PORT) }));
