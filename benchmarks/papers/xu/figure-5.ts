import type { Figure } from "../model.ts";
import { fullFigure } from "./full.ts";

export const figure5: Figure = fullFigure({
  id: "figure-5",
  title: "Figure 5: the collision-free method by documents, 64 bins",
  panel: "Throughput by documents",
  label: "documents",
  places: Array.from({ length: 11 }, (_, i) => 2 ** (10 + i)),
  claim: "The device is full from 100k documents on",
  of: ({ documents }) => documents,
});
