import { repeats } from "@polybin/conformance";
import { contract } from "./contract.ts";

// The nightly test has the other cases.
contract(2, (one) => !repeats(one));
