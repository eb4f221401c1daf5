export { profileCommand } from "./command.ts";
export { compareCommand } from "./comparing/command.ts";
export { profileOptions, profileOutput } from "./options.ts";
export { checkReport, printProfile } from "./print.ts";
export { type ProfileOptions, parseProfile, rangesIn } from "./request.ts";
