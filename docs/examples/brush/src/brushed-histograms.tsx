import { type ReactNode, useEffect, useState } from "react";
import { BrushControl } from "./brush.tsx";
import type { Brush, Method, Selection } from "./brushing.ts";
import { Chart } from "./chart.tsx";
import { Latest } from "./latest.ts";
import type { Source } from "./open.ts";

const METHODS: readonly (readonly [Method, string])[] = [
  ["joint", "The joint histogram: reads its cells, and the brush snaps to a step"],
  ["rows", "Every row: exact at any two numbers"],
];

interface Question {
  readonly brush: Brush;
  readonly method: Method;
}

const count = new Intl.NumberFormat("en");

/** Two histograms. A brush over the first selects rows of the second. */
export function BrushedHistograms({ source }: { source: Source }): ReactNode {
  const { worker, overview, brushed, shown } = source;
  const whole = { lo: brushed.lo, hi: brushed.hi };
  const [question, setQuestion] = useState<Question>({ brush: whole, method: "joint" });
  const { brush, method } = question;
  const [selection, setSelection] = useState<Selection | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const [latest] = useState(
    () => new Latest(({ brush, method }: Question) => worker.select(brush, method), setSelection),
  );
  useEffect(() => {
    setProblem(null);
    latest.put(question).catch((error: Error) => setProblem(error.message));
  }, [latest, question]);
  const rows = selection?.rows ?? overview.rows;
  return (
    <>
      <Chart
        scale={brushed}
        counts={overview.brushed}
        selected={null}
        summary={`Histogram of ${brushed.label}, ${brushed.bins} bins`}
      >
        <BrushControl scale={brushed} brush={brush} onBrush={(brush) => setQuestion({ brush, method })} />
      </Chart>
      <Chart
        scale={shown}
        counts={overview.shown}
        selected={selection?.counts ?? null}
        summary={`Histogram of ${shown.label}, ${shown.bins} bins, ${count.format(rows)} rows selected`}
      />
      <p>
        <output data-lo={selection?.lo} data-hi={selection?.hi} data-ms={selection?.ms}>
          {count.format(rows)} of {count.format(overview.rows)} rows
          {selection &&
            `: ${brushed.label} from ${selection.lo.toFixed(2)} to ${selection.hi.toFixed(2)} ${brushed.unit}`}
        </output>{" "}
        <button type="button" onClick={() => setQuestion({ brush: whole, method })}>
          Select all
        </button>
      </p>
      <fieldset>
        <legend>Count from</legend>
        {METHODS.map(([value, text]) => (
          <label key={value}>
            <input
              type="radio"
              name="method"
              checked={method === value}
              onChange={() => setQuestion({ brush, method: value })}
            />{" "}
            {text}
          </label>
        ))}
      </fieldset>
      {problem && <p role="alert">{problem}</p>}
      <p className="note">
        {overview.backend} counted both columns in {overview.ms.toFixed(0)} ms, in a worker. The last brush
        took {(selection?.ms ?? 0).toFixed(1)} ms. {count.format(overview.outside)} rows lie outside the chart
        of {shown.label}.
      </p>
    </>
  );
}
