#include "jobs.h"

#include <algorithm>
#include <iterator>

namespace polybin {
namespace {

HostLowering loweringOf(const Reader &of) {
  HostLowering to{};
  Lowering &plain = to.plain;
  plain.kind = static_cast<Kind>(of["kind"].whole<uint32_t>());
  plain.type = static_cast<Type>(of["type"].whole<uint32_t>());
  plain.bins = of["bins"].whole<uint32_t>();
  plain.flow = of["flow"].boolean();
  if (plain.kind == Kind::direct) plain.start = of["start"].whole<int64_t>();
  if (plain.kind == Kind::table) to.table = of["table"].words();
  if (plain.kind == Kind::scaled) {
    plain.first = of["first"].whole<uint32_t>();
    plain.last = of["last"].whole<uint32_t>();
    plain.scale = of["scale"].whole<uint32_t>();
  }
  if (plain.kind == Kind::ranks) {
    to.low = of["low"].words();
    to.high = of["high"].words();
    to.starts = of["starts"].words();
    plain.thresholds = static_cast<uint32_t>(to.low.size);
    plain.steps = of["steps"].whole<uint32_t>();
    plain.cells = of["cells"].whole<uint32_t>();
    plain.line = of["line"].boolean();
    if (plain.line) {
      plain.origin = of["origin"].real();
      plain.inverse = of["inverse"].real();
    } else {
      plain.base = of["base"].whole<uint32_t>();
      plain.shift = of["shift"].whole<uint32_t>();
    }
  }
  return to;
}

Plan planOf(const Reader &of) {
  Plan to{};
  to.cells = of["cells"].whole<uint32_t>();
  to.cellsPerPass = of["cellsPerPass"].whole<uint32_t>();
  to.passes = of["passes"].whole<uint32_t>();
  to.threads = of["threads"].whole<uint32_t>();
  to.blocks = of["blocks"].whole<uint32_t>();
  to.replicas = of["replicas"].whole<uint32_t>();
  to.sharedBytes = of["sharedBytes"].whole<uint32_t>();
  to.wordsPerThread = of["wordsPerThread"].whole<uint32_t>();
  to.k = of["k"].whole<uint32_t>();
  to.tag = of["tag"].boolean();
  to.periodic = of["periodic"].boolean();
  to.layout = of["layout"].whole<uint32_t>();
  to.rows = of["rows"].whole<uint32_t>();
  to.rowsPerBlock = of["rowsPerBlock"].whole<uint32_t>();
  to.channelsPerBlock = of["channelsPerBlock"].whole<uint32_t>();
  to.counterBytes = of["counterBytes"].whole<uint32_t>();
  to.lookupReplicas = of["lookupReplicas"].whole<uint32_t>();
  to.inFlight = of["inFlight"].whole<uint32_t>();
  return to;
}

/** Bytes as one row. */
Source rowOf(const Bytes &bytes) {
  Source to{};
  to.pixelBytes = 1;
  to.pixels = to.width = to.rowPitch = to.hostBytes = bytes.size;
  to.host = bytes.data;
  return to;
}

WeightedPlan weightedPlanOf(const Reader &of) {
  WeightedPlan to{};
  to.type = static_cast<ValueType>(of["type"].whole<uint32_t>());
  to.fast = of["fast"].boolean();
  to.wide = of["wide"].boolean();
  to.counts = of["counts"].boolean();
  to.squares = of["squares"].boolean();
  to.bins = of["bins"].whole<uint32_t>();
  to.binsPerPass = of["binsPerPass"].whole<uint32_t>();
  to.passes = of["passes"].whole<uint32_t>();
  to.threads = of["threads"].whole<uint32_t>();
  to.replicas = of["replicas"].whole<uint32_t>();
  to.featuresPerBlock = of["featuresPerBlock"].whole<uint32_t>();
  to.sharedBytes = of["sharedBytes"].whole<uint32_t>();
  to.segments = of["segments"].whole<uint32_t>();
  to.segmentDocuments = of["segmentDocuments"].whole<uint64_t>();
  to.flushDocuments = of["flushDocuments"].whole<uint64_t>();
  to.unroll = of["unroll"].whole<uint32_t>();
  to.buffer = of["buffer"].whole<uint32_t>();
  return to;
}

SumsLaunch sumsLaunchOf(const Reader &of) {
  SumsLaunch to{of["algorithm"].text(), weightedPlanOf(of["plan"]), {}};
  const Words rows = of["rows"].words(), skip = of["skip"].words();
  if (rows.size != skip.size) {
    throw Failure{"ERR_INTERNAL", "expected a skip for each of " + std::to_string(rows.size) + " rows but received " +
                                      std::to_string(skip.size)};
  }
  for (size_t i = 0; i < rows.size; i++) to.features.push_back({rows.data[i], skip.data[i]});
  return to;
}

/** Weights of one type; null: nothing. */
Source numbersOf(const Reader &of, bool floats) {
  return rowOf(of.isThere() ? of.bytes(floats ? napi_float32_array : napi_int32_array) : Bytes{});
}

}  // namespace

Source sourceOf(const Reader &of) {
  Source to{};
  to.first = of["first"].whole<uint64_t>();
  to.pixels = of["pixels"].whole<uint64_t>();
  to.pixelBytes = of["pixelBytes"].whole<uint32_t>();
  to.width = of["width"].whole<uint64_t>();
  to.rowPitch = of["rowPitch"].whole<uint64_t>();
  if (const Reader resident = of["resident"]; resident.isThere()) {
    to.resident = resident.whole<uint32_t>();
  } else if (const Reader file = of["fd"]; file.isThere()) {
    to.fd = file.whole<int32_t>();
    to.offset = of["offset"].whole<uint64_t>();
  } else {
    const Bytes bytes = of["bytes"].bytes(napi_uint8_array);
    to.host = bytes.data;
    to.hostBytes = bytes.size;
  }
  return to;
}

Wanted wantedOf(const Reader &of) {
  Wanted to{};
  to.type = static_cast<Type>(of["type"].whole<uint32_t>());
  to.interleaved = of["interleaved"].whole<uint32_t>();
  const Reader channels = of["channels"];
  to.channels = channels.length();
  for (uint32_t i = 0; i < std::min<size_t>(to.channels, std::size(to.channel)); i++) {
    to.channel[i] = channels.at(i).whole<uint32_t>();
  }
  return to;
}

Control controlOf(const Reader &of) {
  return {static_cast<std::atomic<int32_t> *>(of["stop"].shared(napi_int32_array)),
          static_cast<std::atomic<int64_t> *>(of["done"].shared(napi_bigint64_array))};
}

CountJob countJobOf(const Reader &of) {
  return {sourceOf(of["source"]),      wantedOf(of["wanted"]),
          loweringOf(of["lowering"]),  planOf(of["plan"]),
          of["algorithm"].text(),      of["launchPixels"].whole<uint64_t>(),
          controlOf(of["control"])};
}

TableSource tableSourceOf(const Reader &of) { return {rowOf(of["bytes"].bytes(napi_uint8_array)), of["rowBytes"].whole<uint64_t>()}; }

SumsJob sumsJobOf(const Reader &of) {
  SumsJob to{};
  to.table = of["table"].whole<uint32_t>();
  to.documents = of["documents"].whole<uint64_t>();
  to.floats = of["weights"].type() == napi_float32_array;
  to.weights = numbersOf(of["weights"], to.floats);
  to.squares = numbersOf(of["squares"], to.floats);
  to.list = rowOf(of["list"].isThere() ? of["list"].bytes(napi_uint32_array) : Bytes{});
  const Reader launches = of["launches"];
  for (uint32_t i = 0; i < launches.length(); i++) to.launches.push_back(sumsLaunchOf(launches.at(i)));
  to.timed = of["timed"].boolean();
  to.control = controlOf(of["control"]);
  return to;
}

ReadJob readJobOf(const Reader &of) {
  return {of["device"].whole<uint32_t>(), of["bytes"].whole<uint64_t>(), of["rounds"].whole<uint32_t>(),
          of["blocks"].whole<uint32_t>()};
}

CopyJob copyJobOf(const Reader &of) {
  return {of["device"].whole<uint32_t>(), of["bytes"].whole<uint64_t>(), of["rounds"].whole<uint32_t>(),
          of["pinned"].boolean()};
}

}  // namespace polybin
