import { contract } from "./contract.ts";

// The nightly test has the other half of the combinations.
contract(2, ({ topic, name }) => topic !== "combinations" || name.length % 2 === 0);
