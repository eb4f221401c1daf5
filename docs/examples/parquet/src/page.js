import { ask } from "./ask.js";
import { brushOver } from "./brush.js";
import { drawChart } from "./chart.js";

const query = new URLSearchParams(location.search);
const address = new URL(query.get("file") ?? "rides.parquet", location.href).href;
const element = (id) => document.getElementById(id);
const whole = (value) => value.toLocaleString("en");

/** The column that is shown: its name and its range. */
let shown = null;
/** The brush that is counted next. Those in between are skipped. */
let next = null;
let isCounting = false;

/** Writes a value in steps that are small next to the range of its column. */
function short(value) {
  const decimals = 4 - Math.floor(Math.log10(shown.hi - shown.lo || 1));
  return String(Number(value.toFixed(Math.min(Math.max(decimals, 0), 20))));
}

function say(text, isError = false) {
  element("status").textContent = text;
  element("status").dataset.error = String(isError);
}

async function open() {
  say(`Reading the end of ${address} …`);
  const { columns, rows } = await ask("open", address);
  element("column").replaceChildren(...columns.map((name) => new Option(name)));
  element("rows").textContent = whole(rows);
  element("column").value = columns.includes(query.get("column")) ? query.get("column") : columns[0];
  await choose(element("column").value);
}

async function choose(name) {
  say(`Reading ${name} …`);
  const { lo, hi, counts } = await ask("read", name);
  shown = { name, lo, hi };
  drawChart(element("whole"), { lo, hi, counts }, name);
  await brush(lo, hi);
  const { requests, bytes } = await ask("fetched", address);
  say(
    `${name}: ${whole(bytes)} bytes in ${requests} requests so far. Only columns that you choose are fetched.`,
  );
}

/** Shows a brush and counts it. */
async function brush(lo, hi) {
  const part = (value) => `${(100 * (value - shown.lo)) / (shown.hi - shown.lo)}%`;
  element("brush").style.left = part(lo);
  element("brush").style.right = `calc(100% - ${part(hi)})`;
  element("low").value = short(lo);
  element("high").value = short(hi);
  next = { lo, hi };
  if (isCounting) return;
  isCounting = true;
  try {
    while (next !== null) {
      const now = next;
      next = null;
      const counts = await ask("count", now);
      drawChart(element("part"), { ...now, counts }, `${shown.name} under the brush`);
      const rows = counts.reduce((sum, count) => sum + count, 0);
      element("selected").textContent = `${whole(rows)} rows from ${short(now.lo)} to ${short(now.hi)}`;
    }
  } finally {
    isCounting = false;
  }
}

const attempt = (work) => work().catch((error) => say(error.message, true));

brushOver(element("area"), (from, to) => {
  if (shown === null) return;
  const at = (part) => shown.lo + part * (shown.hi - shown.lo);
  attempt(() => brush(at(from), at(to)));
});
function typed() {
  const [lo, hi] = [element("low").valueAsNumber, element("high").valueAsNumber];
  if (shown === null || !(lo < hi)) return say("expected a number in From that is below that in To", true);
  attempt(() => brush(Math.max(lo, shown.lo), Math.min(hi, shown.hi)));
}
for (const id of ["low", "high"]) element(id).addEventListener("change", typed);
element("all").addEventListener("click", () => shown !== null && attempt(() => brush(shown.lo, shown.hi)));
element("column").addEventListener("change", ({ target }) => attempt(() => choose(target.value)));
attempt(open);
