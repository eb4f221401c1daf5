export { countJoint } from "./count.ts";
export { compileJoint, type JointProgram, type JointSteps, prepareJoint } from "./prepare.ts";
export { distinct } from "./record.ts";
