export { compileJoint } from "./prepare.ts";
export { preparedJoint } from "./prepared.ts";
