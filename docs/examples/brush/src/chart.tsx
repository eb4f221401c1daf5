import type { ReactNode } from "react";
import type { Scale } from "./columns.ts";

const TICKS = 4;

/** A histogram of counts, with the selected part of each bin in front. Children lie above the bars. */
export function Chart({
  scale,
  counts,
  selected,
  summary,
  children,
}: {
  scale: Scale;
  counts: Float64Array;
  selected: Float64Array | null;
  summary: string;
  children?: ReactNode;
}): ReactNode {
  const { label, unit, lo, hi, bins } = scale;
  const highest = Math.max(1, ...counts);
  return (
    <figure>
      <figcaption>
        {label} ({unit}), up to {highest.toLocaleString("en")} rows per bin
      </figcaption>
      <div className="plot">
        <svg viewBox={`0 0 ${bins} 1`} preserveAspectRatio="none" role="img" aria-label={summary}>
          <path className="all" d={bars(counts, highest)} />
          {selected && <path className="selected" d={bars(selected, highest)} />}
        </svg>
        {children}
      </div>
      <div className="ticks" aria-hidden="true">
        {Array.from({ length: TICKS + 1 }, (_, i) => lo + (i / TICKS) * (hi - lo)).map((tick) => (
          <span key={tick}>{tick}</span>
        ))}
      </div>
    </figure>
  );
}

/** One path for all bars: React then compares one string, and not one element per bin. */
function bars(counts: Float64Array, highest: number): string {
  let path = "M0 1";
  counts.forEach((count, bin) => {
    path += `V${(1 - count / highest).toFixed(4)}H${bin + 1}`;
  });
  return `${path}V1Z`;
}
