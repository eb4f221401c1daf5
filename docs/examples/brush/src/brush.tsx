import { type KeyboardEvent, type PointerEvent, type ReactNode, useRef } from "react";
import type { Brush } from "./brushing.ts";
import type { Scale } from "./columns.ts";

type End = "lo" | "hi";
const ENDS = [
  ["lo", "From"],
  ["hi", "To"],
] as const;

/** The arrow keys move an end by one bin of the chart, and the page keys by ten bins. */
const MOVES: Readonly<Record<string, number>> = {
  ArrowLeft: -1,
  ArrowDown: -1,
  ArrowRight: 1,
  ArrowUp: 1,
  PageDown: -10,
  PageUp: 10,
  Home: Number.NEGATIVE_INFINITY,
  End: Number.POSITIVE_INFINITY,
};

/**
 * A brush over a chart. Drag to draw one, drag its middle to move it, or move its ends with the keyboard. A brush that covers
 * the whole chart has no room to move, so a drag anywhere draws a new one.
 */
export function BrushControl({
  scale,
  brush,
  onBrush,
}: {
  scale: Scale;
  brush: Brush;
  onBrush: (brush: Brush) => void;
}): ReactNode {
  const area = useRef<HTMLDivElement>(null);
  const drag = useRef<((value: number) => Brush) | null>(null);
  const { lo, hi, bins, label, unit } = scale;
  const width = (hi - lo) / bins;
  const within = (value: number) => Math.min(hi, Math.max(lo, value));
  const isWhole = brush.lo <= lo && brush.hi >= hi;
  const percent = (value: number) => `${((value - lo) / (hi - lo)) * 100}%`;

  const valueAt = ({ clientX }: PointerEvent): number => {
    const box = area.current!.getBoundingClientRect();
    return within(lo + ((clientX - box.left) / box.width) * (hi - lo));
  };
  const start = (event: PointerEvent, of: "area" | "middle" | End): void => {
    event.stopPropagation();
    area.current!.setPointerCapture(event.pointerId);
    const from = valueAt(event);
    const span = brush.hi - brush.lo;
    drag.current = (to) => {
      if (of === "middle") {
        const first = Math.min(hi - span, Math.max(lo, brush.lo + to - from));
        return { lo: first, hi: first + span };
      }
      const fixed = of === "area" ? from : of === "lo" ? brush.hi : brush.lo;
      return { lo: Math.min(fixed, to), hi: Math.max(fixed, to) };
    };
  };
  const move = (event: KeyboardEvent, end: End): void => {
    const bins = MOVES[event.key];
    if (bins === undefined) return;
    event.preventDefault();
    const moved = within(brush[end] + bins * width);
    onBrush(
      end === "lo"
        ? { lo: Math.min(moved, brush.hi), hi: brush.hi }
        : { lo: brush.lo, hi: Math.max(moved, brush.lo) },
    );
  };

  return (
    <div
      className="brush"
      ref={area}
      onPointerDown={(event) => start(event, "area")}
      onPointerMove={(event) => drag.current && onBrush(drag.current(valueAt(event)))}
      onPointerUp={() => {
        drag.current = null;
      }}
      onPointerCancel={() => {
        drag.current = null;
      }}
    >
      <div
        className="middle"
        style={{ left: percent(brush.lo), right: `calc(100% - ${percent(brush.hi)})` }}
        data-whole={isWhole}
        onPointerDown={(event) => start(event, isWhole ? "area" : "middle")}
      />
      {ENDS.map(([end, name]) => (
        <div
          key={end}
          className="end"
          role="slider"
          tabIndex={0}
          aria-label={`${name}: ${label}`}
          aria-valuemin={end === "lo" ? lo : brush.lo}
          aria-valuemax={end === "lo" ? brush.hi : hi}
          aria-valuenow={brush[end]}
          aria-valuetext={`${brush[end].toFixed(2)} ${unit}`}
          style={{ left: percent(brush[end]) }}
          onPointerDown={(event) => start(event, end)}
          onKeyDown={(event) => move(event, end)}
        />
      ))}
    </div>
  );
}
