import type { Usage, Value } from "./usage.ts";

/** A function for bash. If it offers nothing and leaves the default on, readline completes file names. */
export function bash({ options, commands }: Usage): string {
  const words = [...commands.map(({ name }) => name), ...options.map(({ long }) => long)];
  const values = commands.flatMap(({ name, options }) =>
    options.flatMap(({ long, value }) =>
      value === null ? [] : [`    '${name} ${long}') ${offer(value)} ;;`],
    ),
  );
  const rest = commands.map(({ name, options, argument }) => {
    const longs = options.map(({ long }) => long);
    return `    ${name}) if [[ $cur == -* ]]; then ${offer(longs)}; else ${offer(argument ?? [])}; fi ;;`;
  });
  return `# Completions of polybin for bash: eval "$(polybin completions bash)"
_polybin() {
  local cur=\${COMP_WORDS[COMP_CWORD]} prev=\${COMP_WORDS[COMP_CWORD-1]} command=\${COMP_WORDS[1]}
  COMPREPLY=()
  # --option=value comes as three words.
  if [[ $cur == = ]]; then cur=
  elif [[ $prev == = ]]; then prev=\${COMP_WORDS[COMP_CWORD-2]}
  fi
  if ((COMP_CWORD == 1)); then
    ${offer(words)}
    # The first word may be a file, too.
    if ((\${#COMPREPLY[@]} == 0)); then compopt -o default; fi
    return
  fi
  case "$command $prev" in
${values.join("\n")}
    *) case $command in
${rest.join("\n")}
    esac ;;
  esac
}
_polybin_words() {
  compopt +o default
  COMPREPLY=($(compgen -W "$1" -- "$2"))
}
complete -o default -F _polybin polybin
`;
}

function offer(value: Value): string {
  if (value === "file") return ":";
  return `_polybin_words '${value === "any" ? "" : value.join(" ")}' "$cur"`;
}
