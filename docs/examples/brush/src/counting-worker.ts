import { expose } from "comlink";
import { Brushing } from "./brushing.ts";

expose(new Brushing());
