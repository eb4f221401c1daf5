// C++ for the messages of src/border/describe.ts: their structs and their readers.
import { rangesOf } from "./structs.mjs";

const SCALARS = { u32: "uint32_t", i32: "int32_t", u64: "uint64_t", bool: "bool", text: "std::string" };
const ELEMENTS = { u8: "uint8_t", u32: "uint32_t", i32: "int32_t", i64: "int64_t", f64: "double" };

function typeOf(field) {
  if (typeof field === "string") return SCALARS[field];
  if (field.enumeration) return field.enumeration;
  if (field.array) return field.array.length > 1 ? "Numbers" : `Array<${ELEMENTS[field.array]}>`;
  if (field.copied) return `std::vector<${SCALARS[field.copied]}>`;
  if (field.shared) return `std::atomic<${ELEMENTS[field.shared]}> *`;
  if (field.written) return "Written";
  if (field.struct) return field.struct.name;
  if (field.own) return "Own";
  if (field.few) return `Few<${field.few}>`;
  if (field.message) return field.message;
  if (field.once) return `std::shared_ptr<const ${field.once.message}>`;
  if (field.list) return `std::vector<${field.list.message}>`;
  return typeOf(field.optional);
}

export function structOfMessage({ message, fields }) {
  const lines = Object.entries(fields).map(([name, field]) => {
    const otherwise = field.otherwise === undefined ? "" : ` = ${field.otherwise}`;
    return `  ${typeOf(field)} ${name}${otherwise};\n`.replace("* ", "*");
  });
  return `struct ${message} {\n${lines.join("")}};`;
}

/** Returns a statement that reads `of` into `to`. */
function reading(field, of, to) {
  if (field === "bool") return `${to} = ${of}.boolean();`;
  if (field === "text") return `${to} = ${of}.text();`;
  if (typeof field === "string") return `${to} = ${of}.whole<${SCALARS[field]}>();`;
  if (field.enumeration) {
    return `${to} = static_cast<${field.enumeration}>(${of}.whole<uint32_t>(${field.values.length - 1}));`;
  }
  if (field.array?.length > 1) return `${to} = ${of}.numbers();`;
  if (field.array) return `${to} = ${of}.array<${ELEMENTS[field.array]}>();`;
  if (field.copied) return `${to} = ${of}.copied();`;
  if (field.shared) {
    return `${to} = static_cast<${typeOf(field)}>(${of}.shared(napi_${field.shared === "i64" ? "bigint64" : "int32"}_array));`;
  }
  if (field.written) return `${to} = ${of}.written();`;
  if (field.struct) return `${of}.packed(&${to}, sizeof ${to}, rangesOf${field.struct.name});`;
  if (field.own) return `${of}.own(${to});`;
  if (field.few) return `${of}.few(${to});`;
  if (field.message) return `read(${of}, ${to});`;
  if (field.once) return `${to} = ${of}.once<${field.once.message}>("${field.once.message}");`;
  return `const Reader list = ${of};
  ${to}.resize(list.length());
  for (uint32_t i = 0; i < ${to}.size(); i++) read(list.at(i), ${to}[i]);`;
}

function readerOf({ message, fields }) {
  const lines = Object.entries(fields).map(([name, field]) => {
    const to = `to.${name}`;
    if (!field.optional) return `  ${reading(field, `of["${name}"]`, to)}\n`;
    return `  if (const Reader field = of["${name}"]; field.isThere()) ${reading(field.optional, "field", to)}\n`;
  });
  return `void read(const Reader &of, ${message} &to) {\n${lines.join("")}}`;
}

/** Returns the readers of all messages, and the allowed numbers of the words in their structs. */
export function readersOf(messages) {
  const structs = new Map(
    messages
      .flatMap(({ fields }) => Object.values(fields))
      .filter((field) => field.struct)
      .map((field) => [field.struct.name, field]),
  );
  const ranges = [...structs].map(
    ([name, of]) =>
      `constexpr std::array<Range, ${rangesOf(of).length}> rangesOf${name} = {{${rangesOf(of).join(", ")}}};\n`,
  );
  return `namespace {\n\n${ranges.join("")}\n}  // namespace\n\n${messages.map(readerOf).join("\n\n")}`;
}
