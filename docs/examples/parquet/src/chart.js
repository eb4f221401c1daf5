import { ticks } from "./ticks.js";

const text = (value) => value.toLocaleString("en", { maximumSignificantDigits: 5 });

/** Draws a histogram into a figure: bars, and round numbers below them. */
export function drawChart(figure, { lo, hi, counts }, title) {
  const most = Math.max(1, ...counts);
  const bars = Array.from(counts, (count, bin) => `V${(1 - count / most).toFixed(4)}H${bin + 1}`).join("");
  const svg = figure.querySelector("svg");
  svg.setAttribute("viewBox", `0 0 ${counts.length} 1`);
  svg.setAttribute("aria-label", `${title}, ${counts.length} bins, at most ${text(most)} rows in a bin`);
  svg.querySelector("path").setAttribute("d", `M0 1${bars}V1Z`);
  figure.querySelector("figcaption").textContent =
    `${title}, up to ${most.toLocaleString("en")} rows per bin`;
  figure.querySelector(".ticks").replaceChildren(
    ...ticks(lo, hi, 5).map((tick) => {
      const label = Object.assign(document.createElement("span"), { textContent: text(tick) });
      label.style.left = `${(100 * (tick - lo)) / (hi - lo)}%`;
      return label;
    }),
  );
}
