import type { Plot } from "@observablehq/plot";

type Value = number | string;

/** A value of a plot that a reader can point at. */
export interface Reading {
  /** Name of its series, or of what distinguishes it from others at the same stop. */
  readonly name: string;
  readonly x: Value;
  readonly y: Value;
  /** The value with its unit. */
  readonly text: string;
  /** The colour of its series in the plot. */
  readonly colour?: string;
}

/** How a plot is read: stop by stop along one axis, with the values of all series at each stop. */
export interface Readings {
  readonly along: "x" | "y";
  readonly points: readonly Reading[];
  /** Says where a stop is: `2^20 samples`. */
  readonly heading: (stop: Value) => string;
}

interface Stop {
  readonly at: number;
  readonly heading: string;
  readonly readings: readonly (Reading & { readonly px: number; readonly py: number })[];
}

const SVG = "http://www.w3.org/2000/svg";

/**
 * Wraps a plot so that it can be read by pointer and by keyboard. A crosshair follows the pointer and a box shows the
 * values of all series. Arrow keys go through the stops and their values, which a live region announces.
 */
export function readable(
  drawn: (SVGSVGElement | HTMLElement) & Plot,
  title: string,
  { along, points, heading }: Readings,
): HTMLElement {
  const stops = stopsOf(drawn, along, points, heading);
  const box = element("div", "reading-box");
  const told = element("p", "unseen");
  const values = element("div", "readout");
  const cross = document.createElementNS(SVG, "g");
  cross.setAttribute("class", "crosshair");
  told.setAttribute("aria-live", "polite");
  values.setAttribute("aria-hidden", "true");
  values.hidden = true;
  drawn.append(cross);
  box.append(drawn, values, told);
  if (stops.length === 0) return box;
  box.tabIndex = 0;
  box.setAttribute("role", "application");
  box.setAttribute("aria-roledescription", "plot");
  box.setAttribute("aria-label", `${title}. Arrow keys read its values.`);

  const [ahead, back, next, previous] =
    along === "x"
      ? ["ArrowRight", "ArrowLeft", "ArrowDown", "ArrowUp"]
      : ["ArrowDown", "ArrowUp", "ArrowRight", "ArrowLeft"];
  let stop = -1;
  let item = -1;

  const show = () => {
    const here = stops[stop]!;
    const chosen = here.readings[item];
    cross.replaceChildren(...crosshair(drawn as SVGSVGElement, along, here, chosen));
    values.replaceChildren(...readout(here, chosen));
    values.hidden = false;
    place(values, box, drawn as SVGSVGElement, along, here);
  };
  const clear = () => {
    [stop, item] = [-1, -1];
    cross.replaceChildren();
    values.hidden = true;
  };
  box.addEventListener("keydown", (event) => {
    const { key } = event;
    if (key === "Escape") return clear();
    const last = stops.length - 1;
    if (key === ahead) [stop, item] = [Math.min(stop + 1, last), -1];
    else if (key === back) [stop, item] = [Math.max(stop - 1, 0), -1];
    else if (key === "Home") [stop, item] = [0, -1];
    else if (key === "End") [stop, item] = [last, -1];
    else if (key === next || key === previous) {
      stop = Math.max(stop, 0);
      const count = stops[stop]!.readings.length;
      item = Math.min(Math.max(item + (key === next ? 1 : -1), 0), count - 1);
    } else return;
    event.preventDefault();
    show();
    const { heading: where, readings } = stops[stop]!;
    const one = readings[item];
    told.textContent =
      one === undefined
        ? `${where}: ${readings.map(({ name, text }) => `${name} ${text}`).join("; ")}`
        : `${one.name}, ${where}: ${one.text}`;
  });
  box.addEventListener("pointermove", ({ clientX, clientY }) => {
    const { left, top, width } = drawn.getBoundingClientRect();
    const scale = (drawn as SVGSVGElement).viewBox.baseVal.width / width;
    const at = along === "x" ? (clientX - left) * scale : (clientY - top) * scale;
    const nearest = stops.reduce((a, b, i) => (Math.abs(b.at - at) < Math.abs(stops[a]!.at - at) ? i : a), 0);
    if (nearest === stop && item === -1) return;
    [stop, item] = [nearest, -1];
    show();
  });
  box.addEventListener("pointerleave", clear);
  box.addEventListener("blur", clear);
  return box;
}

function element(name: "div" | "p", className: string): HTMLElement {
  const made = document.createElement(name);
  made.className = className;
  return made;
}

function stopsOf(
  drawn: Plot,
  along: "x" | "y",
  points: readonly Reading[],
  heading: (stop: Value) => string,
): Stop[] {
  const positions = (["x", "y"] as const).map((name) => {
    const scale = drawn.scale(name);
    return (value: Value): number =>
      scale === undefined ? 0 : (scale.apply(value) as number) + (scale.bandwidth ?? 0) / 2;
  });
  const [x, y] = positions as [(value: Value) => number, (value: Value) => number];
  return [...Map.groupBy(points, (point) => point[along])]
    .map(
      ([value, group]): Stop => ({
        at: along === "x" ? x(value) : y(value),
        heading: heading(value),
        readings: group
          .map((point) => ({ ...point, px: x(point.x), py: y(point.y) }))
          .sort((a, b) => (along === "x" ? a.py - b.py : a.px - b.px)),
      }),
    )
    .sort((a, b) => a.at - b.at);
}

/** Draws a line through the stop and a ring around each value. The chosen value has a filled ring. */
function crosshair(
  { viewBox }: SVGSVGElement,
  along: "x" | "y",
  { at, readings }: Stop,
  chosen: Reading | undefined,
): SVGElement[] {
  const { width, height } = viewBox.baseVal;
  const line = document.createElementNS(SVG, "line");
  const ends =
    along === "x" ? { x1: at, x2: at, y1: 0, y2: height - 30 } : { x1: 0, x2: width, y1: at, y2: at };
  for (const [name, value] of Object.entries(ends)) line.setAttribute(name, String(value));
  const rings = readings.map((reading) => {
    const ring = document.createElementNS(SVG, "circle");
    const is = { cx: reading.px, cy: reading.py, r: reading === chosen ? 7 : 5 };
    for (const [name, value] of Object.entries(is)) ring.setAttribute(name, String(value));
    if (reading === chosen) ring.setAttribute("class", "chosen");
    return ring;
  });
  return [line, ...rings];
}

function readout({ heading, readings }: Stop, chosen: Reading | undefined): HTMLElement[] {
  const title = element("p", "heading");
  title.textContent = heading;
  return [
    title,
    ...readings.map((reading) => {
      const line = element("p", reading === chosen ? "chosen" : "");
      const [key, name, value] = ["i", "span", "span"].map((tag) => document.createElement(tag)) as [
        HTMLElement,
        HTMLElement,
        HTMLElement,
      ];
      key.style.background = reading.colour ?? "transparent";
      [name.textContent, value.textContent] = [reading.name, reading.text];
      line.append(key, name, value);
      return line;
    }),
  ];
}

/** Places the box next to the crosshair, on the side that has more room. */
function place(
  values: HTMLElement,
  box: HTMLElement,
  { viewBox }: SVGSVGElement,
  along: "x" | "y",
  { at }: Stop,
): void {
  const { width } = viewBox.baseVal;
  const shown = box.clientWidth / width;
  const size = values.getBoundingClientRect();
  const gap = 12;
  const left =
    along === "y"
      ? box.clientWidth - size.width
      : at > width / 2
        ? at * shown - size.width - gap
        : at * shown + gap;
  values.style.left = `${Math.max(0, Math.min(left, box.clientWidth - size.width))}px`;
  values.style.top = along === "x" ? "0px" : `${at * shown + gap}px`;
}
