/**
 * The advice of `@polybin/columns`, which names options of a program, and the same for the command. A name of a column may
 * be anything, so only the last advice of a message is replaced.
 */
const ADVICE: readonly (readonly [RegExp, string])[] = [
  [/pass types: \{ "((?:[^"\\]|\\.)*)": "([^"]*)" \}$/, "pass --types $1=$2"],
  [/pass types: \{ "((?:[^"\\]|\\.)*)": … \}$/, "pass --types $1=TYPE"],
  [/pass its type as "string"( for their JSON)?$/, "pass --types NAME=string$1"],
  [/pass (array|format): (one of .*)$/, "pass --$1: $2"],
  [/pass encoding: "(\w+)" for text of Windows$/, "pass --encoding $1 for text of Windows"],
  [/open it with quotedNewlines: true, or pass quote: null if/, "pass --quoted-newlines, or --quote none if"],
  [
    /pass quote: null if quotation marks have no meaning$/,
    "pass --quote none if quotation marks have no meaning",
  ],
  [/pass its content as a stream: (.*)$/, "pass its content: $1 | polybin … - --format NAME"],
];

/** A message with the options of the command in place of those of a program. */
export function advised(message: string): string {
  return ADVICE.reduce((text, [of, by]) => text.replace(of, by), message);
}
