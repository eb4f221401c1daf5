import { figure4 } from "./brown-snoeyink/figure-4.ts";
import { figure6 } from "./brown-snoeyink/figure-6.ts";
import { figure7 } from "./brown-snoeyink/figure-7.ts";
import { peak } from "./brown-snoeyink/peak.ts";
import { section53 } from "./brown-snoeyink/section-5-3.ts";
import { section62 } from "./brown-snoeyink/section-6-2.ts";
import { table1 } from "./brown-snoeyink/table-1.ts";
import { comparison } from "./cuda-handbook/comparison.ts";
import { cpuScaling } from "./cuda-handbook/cpu-scaling.ts";
import { layouts } from "./cuda-handbook/layouts.ts";
import { arrangements } from "./hardavellas/arrangements.ts";
import type { Figure } from "./model.ts";
import { histogram64 } from "./podlozhnyuk/histogram-64.ts";
import { histogram256 } from "./podlozhnyuk/histogram-256.ts";
import { figure4 as xu4 } from "./xu/figure-4.ts";
import { figure5 as xu5 } from "./xu/figure-5.ts";
import { figure6 as xu6 } from "./xu/figure-6.ts";
import { figure7 as xu7 } from "./xu/figure-7.ts";
import { figure8 as xu8 } from "./xu/figure-8.ts";
import { figure9 as xu9 } from "./xu/figure-9.ts";
import { figure10 as xu10 } from "./xu/figure-10.ts";
import { figure11 as xu11 } from "./xu/figure-11.ts";
import { section622 } from "./xu/section-6-2-2.ts";
import { table1 as xuTable1 } from "./xu/table-1.ts";
import { table2 } from "./xu/table-2.ts";
import { table3 } from "./xu/table-3.ts";
import { table4 } from "./xu/table-4.ts";
import { table5 } from "./xu/table-5.ts";
import { table6 } from "./xu/table-6.ts";
import { table7 } from "./xu/table-7.ts";

/** Every figure and table of the papers about their methods. */
export const FIGURES: readonly Figure[] = [
  ...[figure4, figure6, figure7, peak, section53, section62, table1],
  ...[comparison, layouts, cpuScaling],
  ...[histogram64, histogram256],
  ...[arrangements],
  ...[
    xu4,
    xu5,
    xu6,
    xu7,
    xu8,
    xu9,
    xu10,
    xu11,
    section622,
    xuTable1,
    table2,
    table3,
    table4,
    table5,
    table6,
    table7,
  ],
];
