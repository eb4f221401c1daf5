import type { Figure } from "../model.ts";
import { fullFigure } from "./full.ts";

export const figure6: Figure = fullFigure({
  id: "figure-6",
  title: "Figure 6: the collision-free method by features, 64 bins",
  panel: "Throughput by features",
  label: "features",
  places: Array.from({ length: 13 }, (_, i) => 2 ** i),
  claim: "The device is full from 1k features on",
  of: ({ features }) => features,
});
