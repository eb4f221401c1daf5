import { contract } from "./contract.ts";

contract(2);
