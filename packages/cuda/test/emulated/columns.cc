// Counts columns on the host with the kernel of `fused` and compares with a loop: every kind of columns, table and mask,
// and data whose samples often or always meet in a cell. Other threads run between an atomic on shared memory and what
// follows it, so that 16-bit counters grow before they are reduced.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

#include "generated/kernels/fused.cuh"

using namespace polybin;

namespace {

constexpr uint32_t MOST = 60'007, PADDING = 64;

struct Data {
  std::vector<uint8_t> bytes[4], mask;
  std::vector<uint16_t> halves;
  std::vector<float> floats[2];
};

/** How often samples meet. */
enum Pattern { uniform,
               constant,
               alternating,
               twoPoints,
               threePoints,
               fivePoints,
               sorted,
               strays,
               patterns };

uint32_t codeAt(Pattern pattern, uint32_t i) {
  switch (pattern) {
    case constant: return 0x2a17;
    case alternating: return i % 2 == 0 ? 0x0000 : 0xffff;
    case twoPoints: return std::rand() % 2 == 0 ? 0x1234 : 0x1235;
    case threePoints: return 0x1000 * (std::rand() % 3);
    case fivePoints: return 0x1000 * (std::rand() % 5);
    case sorted: return i / 700;
    case strays: return std::rand() % 9 == 0 ? std::rand() & 0xffff : 0x7777;
    default: return std::rand() & 0xffff;
  }
}

Data made(Pattern pattern, uint32_t count = MOST) {
  Data of;
  for (uint32_t i = 0; i < count + PADDING; i++) {
    const uint32_t code = codeAt(pattern, i);
    for (uint32_t k = 0; k < 4; k++) of.bytes[k].push_back(static_cast<uint8_t>(code >> (k % 2 == 0 ? 8 : 0)));
    of.halves.push_back(static_cast<uint16_t>(code));
    of.floats[0].push_back(static_cast<float>(code >> 8) / 256);
    of.floats[1].push_back(static_cast<float>(code & 0xff) / 256);
    of.mask.push_back(pattern == alternating ? i % 3 : std::rand() % 3);
  }
  return of;
}

/** Evenly spaced edges over [0, 1], as keys. */
constexpr uint32_t BINS = 16;
const std::vector<uint32_t> edges = [] {
  std::vector<uint32_t> keys;
  for (uint32_t i = 0; i <= BINS; i++) keys.push_back((__float_as_uint(static_cast<float>(i) / BINS) ^ 1u << 31) + (i == BINS));
  return keys;
}();

/** A column of each letter, and the place of a sample in it. */
JointColumn columnOf(char letter, uint32_t k, const Data &data) {
  JointColumn of{};
  of.interleaved = 1;
  Lowering &by = of.lowering;
  if (letter == 'b' || letter == 'n') {
    by.kind = Kind::raw;
    by.shift = letter == 'n' ? 3 : 0;
    of.extent = 256 >> by.shift;
    of.data = data.bytes[k].data();
  } else if (letter == 'h' || letter == 'w') {
    by.kind = Kind::direct;
    by.type = Type::u16;
    by.bins = letter == 'w' ? limits::HALF_VALUES : 300;
    by.start = letter == 'w' ? 0 : 0x1000;
    by.flow = letter != 'w';
    of.extent = by.bins + (by.flow ? 2 : 0);
    of.data = data.halves.data();
  } else {
    by.kind = Kind::ranks;
    by.type = Type::f32;
    by.bins = by.cells = BINS;
    by.line = by.steps = by.flow = 1;
    by.inverse = 1;
    by.thresholds = BINS + 1;
    by.low = edges.data();
    of.extent = BINS + 3;
    of.data = data.floats[k].data();
  }
  return of;
}

uint32_t placeOf(char letter, uint32_t k, const Data &data, uint32_t i) {
  const uint32_t half = data.halves[i];
  switch (letter) {
    case 'b': return data.bytes[k][i];
    case 'n': return data.bytes[k][i] >> 3;
    case 'w': return half;
    case 'h': return half - 0x1000 < 300 ? half - 0x1000 : 300 + (half > 0x1000);
    default: return 1 + static_cast<uint32_t>(data.floats[k][i] * BINS);
  }
}

uint32_t padded(uint32_t least) { return least + (6 - least) % 8; }

enum class Masked { no,
                    bytes,
                    bits,
                    forms };

struct Case {
  TableKind table;
  Masked masked;
  uint32_t threads, blocks, count;
};

bool isExact(const std::string &letters, const Data &data, const Case &of) {
  const auto [table, masked, threads, blocks, count] = of;
  Joint joint{};
  joint.columns = static_cast<uint32_t>(letters.size());
  joint.count = count;
  joint.cells = 1;
  uint32_t last = 0, pad = 1;
  for (uint32_t k = joint.columns; k-- > 0;) {
    joint.column[k] = columnOf(letters[k], k, data);
    joint.column[k].stride = joint.cells;
    joint.cells *= joint.column[k].extent;
    last += (joint.column[k].extent - 1) * pad;
    pad = padded(pad * joint.column[k].extent);
  }
  std::vector<Count> wanted(joint.cells + 1), counts(joint.cells + 1);
  std::vector<uint8_t> bits(count / 8 + PADDING);
  for (uint32_t i = 0; i < count; i++) bits[i / 8] |= (data.mask[i] != 0) << i % 8;
  joint.counts = counts.data();
  if (masked != Masked::no) {
    joint.masked = counts.data() + joint.cells;
    joint.mask = masked == Masked::bits ? bits.data() : data.mask.data();
    joint.maskBits = masked == Masked::bits;
  }
  for (uint32_t i = 0; i < count; i++) {
    uint32_t cell = 0;
    for (uint32_t k = 0; k < joint.columns; k++) cell += placeOf(letters[k], k, data, i) * joint.column[k].stride;
    wanted[masked != Masked::no && data.mask[i] == 0 ? joint.cells : cell]++;
  }
  Plan plan{};
  plan.cells = joint.cells;
  plan.threads = threads;
  plan.blocks = blocks;
  plan.replicas = table == TableKind::replicas ? 2 : 1;
  Fused own{table, std::max(last + 1, (joint.cells + 63) / 64 * 64), 2};
  plan.sharedBytes = table == TableKind::replicas ? 8 * (own.slots + 1) : limits::FUSED_PACKED_BYTES + (own.slots + 2) / 2 * 4;
  plan.sharedBytes = (plan.sharedBytes + 15) / 16 * 16;
  for (const char letter : letters) {
    if (letter == 'f') plan.sharedBytes += (BINS + 1 + limits::RANK_PADDING) * own.lookupReplicas * 4;
  }
  if (const cudaError_t refused = fused(joint, plan, own, nullptr); refused != cudaSuccess) {
    std::printf("%s: refused\n", letters.c_str());
    return false;
  }
  for (uint32_t cell = 0; cell <= joint.cells; cell++) {
    if (counts[cell] == wanted[cell]) continue;
    std::printf("%s, table %u, mask %u, %u samples, cell %u: %llu, not %llu\n", letters.c_str(),
                static_cast<uint32_t>(table), static_cast<uint32_t>(masked), count, cell, counts[cell], wanted[cell]);
    return false;
  }
  return true;
}

/** The same for codes: cells as 32-bit words, or bytes whose lower bits are left out. Some are not cells. */
bool isExact(const Data &data, TableKind table, bool bytes) {
  Plan plan{};
  plan.cells = bytes ? 60 : 300;
  plan.threads = limits::FUSED_THREADS;
  plan.blocks = 2;
  plan.replicas = 1;
  plan.sharedBytes = table == TableKind::packed ? 864 : 0;
  std::vector<uint32_t> words(MOST + PADDING);
  std::vector<Count> wanted(plan.cells), counts(plan.cells);
  for (uint32_t i = 0; i < MOST; i++) {
    words[i] = data.halves[i] % (plan.cells + 2);
    const uint32_t cell = bytes ? data.bytes[0][i] >> 2 : words[i];
    if (cell < plan.cells) wanted[cell]++;
  }
  Codes codes{};
  codes.data = bytes ? static_cast<const void *>(data.bytes[0].data()) : words.data();
  codes.count = MOST;
  codes.bytes = bytes;
  codes.shift = bytes ? 2 : 0;
  codes.counts = counts.data();
  const bool isCounted = fused(codes, plan, Fused{table, 320, 0}, nullptr) == cudaSuccess && counts == wanted;
  if (!isCounted) std::printf("codes of %d bytes, table %u\n", bytes ? 1 : 4, static_cast<uint32_t>(table));
  return isCounted;
}

}  // namespace

int main() {
  emulated.races = true;
  constexpr TableKind packed = TableKind::packed, replicas = TableKind::replicas;
  constexpr uint32_t all = limits::FUSED_THREADS;
  uint32_t turn = 0;
  for (uint32_t pattern = 0; pattern < patterns; pattern++) {
    const Data data = made(static_cast<Pattern>(pattern));
    // 65,536 cells fit as 16-bit counters only.
    for (const char *letters : {"bb", "w", "nn", "nb", "bn", "h", "hn", "ff", "hf"}) {
      for (const TableKind table : {packed, replicas}) {
        if (table == replicas && (letters == std::string("bb") || letters == std::string("w"))) continue;
        turn++;
        const auto masked = static_cast<Masked>(turn % static_cast<uint32_t>(Masked::forms));
        const Case many{table, masked, all, 1, MOST}, few{table, masked, 96, 2, 5003 + 512 * (turn % 16)};
        if (!isExact(letters, data, turn % 4 == 0 || table == replicas ? few : many)) return 1;
      }
    }
  }
  // Counters in global memory, and sinks to which many samples go.
  for (const Pattern pattern : {uniform, strays}) {
    const Data data = made(pattern);
    if (!isExact("w", data, {TableKind::global, Masked::no, all, 1, MOST})) return 1;
    for (const TableKind table : {packed, TableKind::global}) {
      if (!isExact(data, table, true) || !isExact(data, table, false)) return 1;
    }
  }
  // More samples than 16 bits hold, in both halves of a word.
  if (!isExact("bb", made(alternating, 150'000), {packed, Masked::no, all, 1, 150'000})) return 1;
  Data data = made(uniform, 400'000);
  std::fill(data.mask.begin(), data.mask.end() - 1'000, 0);
  if (!isExact("bb", data, {packed, Masked::bytes, all, 1, 400'000})) return 1;
  if (emulated.sleeps == 0) {
    std::printf("no counter was ever high\n");
    return 1;
  }
}
