# Writes the Parquet and Arrow files of this folder, and expected.json: the values that they hold, and NumPy's counts.
# Needs pyarrow and fastparquet, which no test needs:  python3 make.py
import decimal, json, struct, sys
import numpy as np
import pyarrow as pa
import pyarrow.ipc as ipc
import pyarrow.parquet as pq

rng = np.random.default_rng(19)
ROWS = 150
null = rng.random(ROWS) < 0.2


def ints(low, high, dtype):
    values = rng.integers(low, high, ROWS, dtype=dtype, endpoint=True)
    values[0], values[1] = low, high
    return values


def floats(dtype):
    values = rng.normal(0, 100, ROWS).astype(dtype)
    values[:7] = [np.nan, np.inf, -np.inf, -0.0, 0.0, np.finfo(dtype).max, 1234.5]
    return values


I64 = 2**63
plain = {
    "i8": ints(-128, 127, np.int8),
    "u8": ints(0, 255, np.uint8),
    "i16": ints(-(2**15), 2**15 - 1, np.int16),
    "u16": ints(0, 2**16 - 1, np.uint16),
    "i32": ints(-(2**31), 2**31 - 1, np.int32),
    "u32": ints(0, 2**32 - 1, np.uint32),
    "i64": ints(-I64, I64 - 1, np.int64),
    "u64": ints(0, 2**64 - 1, np.uint64),
    "past53": (2**53 + np.arange(ROWS)).astype(np.int64),
    "few": rng.integers(0, 5, ROWS).astype(np.int64),
    "f16": floats(np.float16),
    "f32": floats(np.float32),
    "f64": floats(np.float64),
    "flag": rng.random(ROWS) < 0.3,
}
words = ["", "a", "b\tc", "Zürich", "東京", "\U0001f600", "x" * 40, "null", "-0", "NaN"]
strings = np.array(words, dtype=object)[rng.integers(0, len(words), ROWS)]
unique = np.array([f"row {i} of {ROWS}" for i in range(ROWS)], dtype=object)
days = rng.integers(-100_000, 100_000, ROWS).astype(np.int32)
stamps = rng.integers(-(2**50), 2**50, ROWS)
cents = rng.integers(-(10**8), 10**8, ROWS)
quintillions = rng.integers(-(10**17), 10**17, ROWS)


def decimals(values, scale):
    return [decimal.Decimal(int(v)).scaleb(-scale) for v in values]


def masked(values, type=None):
    return pa.array(values, type=type, mask=null)


columns, expected = {}, {}


def text(value):
    if isinstance(value, (float, np.floating)):
        return struct.pack(">d", float(value)).hex()
    return str(value)


def add(name, array, values, kind):
    columns[name] = array
    valid = [None if not v.is_valid else text(values[i]) for i, v in enumerate(array)]
    expected[name] = {"kind": kind, "values": valid}


for name, values in plain.items():
    kind = "boolean" if name == "flag" else "float" if name[0] == "f" and name not in ("few",) else "integer"
    shown = values.astype(int) if name == "flag" else values
    add(name, pa.array(values), shown, kind)
    add(name + "?", masked(values), shown, kind)
add("text", pa.array(strings, pa.string()), strings, "string")
add("text?", masked(strings, pa.string()), strings, "string")
add("unique", pa.array(unique, pa.string()), unique, "string")
add("date?", masked(days, pa.int32()).cast(pa.date32()), days, "integer")
for unit in ["ms", "us", "ns"]:
    add(f"stamp {unit}?", masked(stamps, pa.int64()).cast(pa.timestamp(unit, tz="UTC" if unit == "us" else None)), stamps, "integer")
times = {"ms": (stamps % 86_400_000, pa.int32()), "us": (stamps % 86_400_000_000, pa.int64())}
for unit, (values, type) in times.items():
    add(f"time {unit}?", masked(values, type).cast((pa.time32 if unit == "ms" else pa.time64)(unit)), values, "integer")
add("decimal 9?", pa.array([None if n else d for n, d in zip(null, decimals(cents, 2))], pa.decimal128(9, 2)), cents, "integer")
add("decimal 18?", pa.array([None if n else d for n, d in zip(null, decimals(quintillions, 4))], pa.decimal128(18, 4)), quintillions, "integer")
add("nothing?", pa.array([None] * ROWS, pa.float64()), [0.0] * ROWS, "float")
refused = {
    "list": pa.array([[1, 2]] * ROWS),
    "struct": pa.array([{"a": 1, "b": "x"}] * ROWS),
    "bytes": pa.array([b"\xff"] * ROWS),
    "decimal 38": pa.array([decimal.Decimal(1)] * ROWS, pa.decimal128(38, 0)),
}
# Refused columns lie between the others, so that a reader must pass over them.
names = list(columns)
ordered = {}
for i, name in enumerate(names):
    if i % 9 == 5 and i < 36:
        key = list(refused)[i // 9]
        ordered[key] = refused[key]
    ordered[name] = columns[name]
table = pa.table(ordered)

# -- NumPy's counts ---------------------------------------------------------------------------------
counts = {}
for name, lo, hi in [("i32", -(2**31), 2**31), ("u8", 0, 256), ("f64", -150.0, 150.0), ("f32", -150.0, 150.0), ("i64", -float(I64), float(I64)), ("past53", 2.0**53, 2.0**53 + 512)]:
    values = plain[name]
    for key, taken in [(name, values), (name + "?", values[~null])]:
        finite = taken if taken.dtype.kind != "f" else taken[np.isfinite(taken)]
        if name in ("i64", "past53"):
            # np.histogram turns 64-bit integers into doubles, which are not exact here. Its edges are integers, so these are.
            edges = [int(edge) for edge in np.histogram_bin_edges([], 16, (lo, hi))]
            places = np.searchsorted(np.array(edges[1:-1], np.int64), finite, side="right")
            found = np.bincount(places, minlength=16)
        else:
            found = np.histogram(finite[(finite >= lo) & (finite <= hi)], 16, (lo, hi))[0]
        counts[key] = {"range": [lo, hi], "counts": found.tolist(), "nan": int(np.isnan(taken).sum()) if taken.dtype.kind == "f" else 0}

ENCODINGS = {
    "plain": dict(use_dictionary=False),
    "dictionary": dict(use_dictionary=True, dictionary_pagesize_limit=300),
    "delta": dict(
        use_dictionary=False,
        column_encoding={
            **{n: "DELTA_BINARY_PACKED" for n in names if expected[n]["kind"] == "integer" and not n.startswith("decimal")},
            "text": "DELTA_LENGTH_BYTE_ARRAY", "text?": "DELTA_BYTE_ARRAY", "unique": "DELTA_BYTE_ARRAY",
            "flag": "RLE", "flag?": "RLE", "f16?": "BYTE_STREAM_SPLIT", "f32?": "BYTE_STREAM_SPLIT", "f64": "BYTE_STREAM_SPLIT",
            "decimal 18?": "DELTA_BYTE_ARRAY",
        },
    ),
    "split": dict(
        use_dictionary=False,
        column_encoding={n: "BYTE_STREAM_SPLIT" for n in names if n.strip("?") in ("i32", "u32", "i64", "u64", "f16", "f32", "f64", "decimal 9")},
    ),
}
files = []
for i, (encoding, codec, version) in enumerate([
    ("plain", "none", "1.0"), ("plain", "snappy", "2.0"), ("dictionary", "gzip", "1.0"), ("dictionary", "zstd", "2.0"),
    ("delta", "brotli", "1.0"), ("delta", "lz4", "2.0"), ("split", "snappy", "1.0"), ("split", "zstd", "2.0"),
]):
    name = f"pyarrow-{encoding}-{codec}-v{version[0]}.parquet"
    pq.write_table(table, name, compression=codec, data_page_version=version, row_group_size=90, data_page_size=300, write_batch_size=40,
                   store_decimal_as_integer=i in (0, 1, 6), write_page_checksum=i % 2 == 1, write_page_index=i % 3 == 0, store_schema=False, **ENCODINGS[encoding])
    files.append(name)
pq.write_table(table.select(["stamp ns?", "i32"]), "pyarrow-int96.parquet", use_deprecated_int96_timestamps=True)
pq.write_table(table.slice(0, 0), "pyarrow-no-rows.parquet", store_schema=False)

pq.write_table(table.select(["f64", "i32?"]), "pyarrow-sums.parquet", compression="none", use_dictionary=False, write_page_checksum=True, store_schema=False)

import fastparquet, pandas as pd
frame = pd.DataFrame({
    "i64": plain["i64"], "f64": plain["f64"], "f32": plain["f32"], "u8": plain["u8"], "i16": plain["i16"],
    "text": strings, "unique": unique, "flag": plain["flag"], "i32?": pd.array(np.where(null, 0, plain["i32"]), "Int32"),
})
frame.loc[null, "i32?"] = pd.NA
fastparquet.write("fastparquet-gzip.parquet", frame, compression="GZIP", row_group_offsets=[0, 51, 102], has_nulls=["i32?", "text"])
fastparquet.write("fastparquet-lz4.parquet", frame, compression="LZ4", row_group_offsets=[0, 51, 102], has_nulls=["i32?", "text", "unique"])

# -- Arrow ------------------------------------------------------------------------------------------
more = table
for name, values, type in [("large?", strings, pa.large_string()), ("view?", np.array([w * 3 for w in strings], dtype=object), pa.string_view())]:
    array = masked(values, type)
    add(name, array, values, "string")
    more = more.append_column(name, array)
for bits in [32, 64, 256]:
    name = f"decimal{bits}?"
    array = pa.array([None if n else d for n, d in zip(null, decimals(cents, 2))], getattr(pa, f"decimal{bits}")(9, 2))
    add(name, array, cents, "integer")
    more = more.append_column(name, array)
for index in [pa.int8(), pa.uint16(), pa.int64()]:
    name = f"dictionary {index}?"
    array = masked(strings, pa.string()).dictionary_encode().cast(pa.dictionary(index, pa.string()))
    add(name, array, strings, "string")
    more = more.append_column(name, array)
seconds = stamps % 10**9
for name, type, values in [("stamp s?", pa.timestamp("s", tz="Europe/Berlin"), seconds), ("date ms?", pa.date64(), seconds * 86_400_000)]:
    array = pa.array(values, pa.int64(), mask=null).cast(type)
    add(name, array, values, "integer")
    more = more.append_column(name, array)
batches = more.to_batches(max_chunksize=90)
for codec in [None, "lz4", "zstd"]:
    options = ipc.IpcWriteOptions(compression=codec)
    with ipc.new_file(f"pyarrow-{codec or 'none'}.arrow", more.schema, options=options) as out:
        for batch in batches:
            out.write_batch(batch)
    with ipc.new_stream(f"pyarrow-{codec or 'none'}.arrows", more.schema, options=options) as out:
        for batch in batches:
            out.write_batch(batch)
with ipc.new_file("pyarrow-no-rows.arrow", more.schema) as out:
    pass

# Dictionaries that grow, and that are replaced.
kind = pa.dictionary(pa.int32(), pa.string())
schema = pa.schema([("word", kind)])
steps = [(["a", "b"], [0, 1, 0]), (["a", "b", "c"], [2, None, 0]), (["a", "b", "c", "d"], [3, 1])]
with ipc.new_stream("pyarrow-deltas.arrows", schema, options=ipc.IpcWriteOptions(emit_dictionary_deltas=True)) as out:
    for values, codes in steps:
        out.write_batch(pa.record_batch([pa.DictionaryArray.from_arrays(pa.array(codes, pa.int32()), pa.array(values))], schema=schema))
with ipc.new_file("pyarrow-deltas.arrow", schema, options=ipc.IpcWriteOptions(emit_dictionary_deltas=True)) as out:
    for values, codes in steps:
        out.write_batch(pa.record_batch([pa.DictionaryArray.from_arrays(pa.array(codes, pa.int32()), pa.array(values))], schema=schema))
with ipc.new_stream("pyarrow-replaced.arrows", schema) as out:
    for values, codes in [(["a", "b"], [0, 1]), (["y", "x", "y"], [0, 1, 2]), (["b", "a"], [1, 0])]:
        out.write_batch(pa.record_batch([pa.DictionaryArray.from_arrays(pa.array(codes, pa.int32()), pa.array(values))], schema=schema))
expected_words = {"deltas": ["a", "b", "a", "c", None, "a", "d", "b"], "replaced": ["a", "b", "y", "x", "y", "a", "b"]}

json.dump({"rows": ROWS, "columns": expected, "counts": counts, "words": expected_words, "files": files}, open("expected.json", "w"), indent=None, separators=(",", ":"))
print(pa.__version__, fastparquet.__version__, np.__version__)
