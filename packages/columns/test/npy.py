"""Writes test/npy/*.npy and *.npz, and the values that NumPy reads from them. Run it with NumPy: python3 npy.py"""
import json
import pathlib

import numpy as np

folder = pathlib.Path(__file__).parent / "npy"
folder.mkdir(exist_ok=True)
rng = np.random.default_rng(5)
expected = {}


def text(value):
    """A value as the tests compare it: integers and doubles as text, null for NaT."""
    if isinstance(value, (np.datetime64,)):
        return None if np.isnat(value) else str(value.astype("i8"))
    if isinstance(value, (np.bool_, bool)):
        return str(int(value))
    if isinstance(value, np.floating):
        value = float(value)
        return "NaN" if value != value else "Infinity" if value == np.inf else "-Infinity" if value == -np.inf else value.hex()
    if isinstance(value, np.bytes_):
        return value.decode("latin1")
    return str(value)


def keep(name, columns):
    expected[name] = {column: [text(value) for value in values] for column, values in columns.items()}


def save(name, array, /, **columns):
    np.save(folder / name, array)
    keep(name + ".npy", columns or {"value": array.reshape(-1, order="F" if np.isfortran(array) else "C")})


for kind in ["i1", "u1", "i2", "u2", "i4", "u4", "i8", "u8"]:
    info = np.iinfo(kind)
    values = np.array([info.min, info.max, 0, 1, info.max // 3], kind)
    save(kind, values)
    if kind[1] != "1":
        save(kind + "-big", values.astype(">" + kind))
for kind in ["f2", "f4", "f8"]:
    values = np.array([0.1, -0.0, np.nan, np.inf, -np.inf, 1e-7, 65504], kind)
    save(kind, values)
    save(kind + "-big", values.astype(">" + kind))
save("bool", np.array([True, False, True]))
for unit in ["s", "ms", "us", "ns", "D"]:
    save("time-" + unit, np.array(["1969-12-31", "2026-01-02", "NaT"], f"M8[{unit}]"))
save("bytes", np.array([b"abc", b"", b"caf\xe9"]))
save("text", np.array(["héllo", "", "日本"]))
save("text-big", np.array(["héllo", "", "日本"]).astype(">U5"))
matrix = rng.integers(-9, 9, (40, 3)).astype("i2")
names = {f"column {i + 1}": matrix[:, i] for i in range(3)}
save("matrix", matrix, **names)
save("fortran", np.asfortranarray(matrix), **names)
save("cube", rng.normal(size=(3, 4, 5)))
save("scalar", np.array(3.5))
save("empty", np.zeros(0))
record = np.zeros(30, [("id", "<u8"), ("x", ">f8"), ("pad", "V3"), ("t", "<M8[ms]"), ("ok", "?"), ("v", "<f4", (3,)), ("name", "<U3")])
record["id"] = 2**63 + np.arange(30, dtype="u8")
record["x"] = np.arange(30) / 7
record["t"] = "2026-01-01"
record["t"][3] = "NaT"
record["ok"][::2] = True
record["name"] = "é"
save("record", record, **{column: record[column] for column in ["id", "x", "t", "ok", "name"]})
for version in [(1, 0), (2, 0), (3, 0)]:
    name = f"version{version[0]}.npy"
    with open(folder / name, "wb") as file:
        np.lib.format.write_array(file, np.arange(5, dtype="i4"), version=version)
    keep(name, {"value": np.arange(5, dtype="i4")})
x, y = np.arange(60, dtype="i4"), rng.normal(size=60)
for name, write in [("stored.npz", np.savez), ("deflated.npz", np.savez_compressed)]:
    write(folder / name, x=x, y=y, m=matrix[:60].repeat(2, 0)[:60])
    keep(name, {"x": x, "y": y, **{f"m[{i}]": matrix.repeat(2, 0)[:60, i] for i in range(3)}})
np.savez(folder / "unequal.npz", a=np.arange(3), b=np.arange(4))
np.save(folder / "objects.npy", np.array([{}]), allow_pickle=True)
np.save(folder / "complex.npy", np.zeros(3, "c8"))
np.savez_compressed(folder / "fortran.npz", m=np.asfortranarray(matrix))
(folder / "expected.json").write_text(json.dumps(expected, indent=1, ensure_ascii=False) + "\n")
