import type { Usage, UsageOption, Value } from "./usage.ts";

/** A function for zsh's own completion system. */
export function zsh({ options, commands }: Usage): string {
  const names = commands.map(
    ({ name, description }) => `    ${quoted(`${name}:${description.replaceAll(":", "\\:")}`)}`,
  );
  const cases = commands.map(({ name, options, argument }) => {
    const specs = options.map(spec);
    if (argument !== null) specs.push(quoted(`1:${action(argument)}`));
    return `    ${name}) _arguments ${specs.join(" \\\n      ")} ;;`;
  });
  return `#compdef polybin
# Completions of polybin for zsh: eval "$(polybin completions zsh)", after compinit
_polybin() {
  local -a commands=(
${names.join("\n")}
  )
  local context state line
  _arguments -C ${options.map(spec).join(" ")} '1: :->command' '*:: :->rest'
  case $state in
  command) _alternative "commands:command:{_describe command commands}" files:file:_files ;;
  rest) case $line[1] in
${cases.join("\n")}
    esac ;;
  esac
}
if [[ $funcstack[1] == _polybin ]]; then _polybin "$@"; else compdef _polybin polybin; fi
`;
}

function spec({ long, description, value }: UsageOption): string {
  const told = `[${description.replaceAll(/[[\]\\]/g, "\\$&").replaceAll(":", "\\:")}]`;
  return quoted(value === null ? `${long}${told}` : `${long}=${told}:${action(value)}`);
}

function action(value: Value): string {
  if (value === "file") return "file:_files";
  return value === "any" ? "value: " : `value:(${value.join(" ")})`;
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
