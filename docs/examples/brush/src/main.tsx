// ?rows=50000000 sets the number of rows. ?fallback uses a GPU that the CPU imitates.
import { wrap } from "comlink";
import { StrictMode, Suspense, use } from "react";
import { createRoot } from "react-dom/client";
import { BrushedHistograms } from "./brushed-histograms.tsx";
import type { Data } from "./data-worker.ts";
import { openSource } from "./open.ts";

const query = new URLSearchParams(location.search);
const ROWS = 10_000_000;

async function start() {
  const data = wrap<Data>(new Worker(new URL("./data-worker.ts", import.meta.url), { type: "module" }));
  const rows = Number(query.get("rows") ?? ROWS);
  if (!Number.isSafeInteger(rows) || rows < 0) {
    throw new Error(`expected a whole number from 0 on for rows but received ${query.get("rows")}`);
  }
  const columns = await data.columns(rows);
  return await openSource(columns, query.has("fallback"));
}

function Page({ opening }: { opening: ReturnType<typeof start> }) {
  return <BrushedHistograms source={use(opening)} />;
}

const opening = start();
const root = createRoot(document.getElementById("page")!);
root.render(
  <StrictMode>
    <h1>Brush a large column</h1>
    <p>
      Drag over the first chart, or move the ends of the brush with the arrow keys. A worker counts the second
      chart.
    </p>
    <Suspense fallback={<p>The worker counts the columns …</p>}>
      <Page opening={opening} />
    </Suspense>
  </StrictMode>,
);
opening.catch((error: Error) => root.render(<p role="alert">{error.message}</p>));
