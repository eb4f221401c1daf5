// Data that engines keep on the device: samples and feature tables.
#pragma once
#include <cstdint>
#include <memory>
#include <mutex>
#include <unordered_map>

#include "generated/messages.h"
#include "pieces.h"

namespace polybin {

/** A feature table on the device. Row r begins at memory + r * pitch. */
struct FeatureTable {
  void *memory;
  uint64_t pitch;
  uint64_t rows, rowBytes;
};

/** Samples on the device. They stay there for as long as somebody holds them, even after `free`. */
struct Resident {
  ~Resident();
  void *memory;
  uint64_t bytes;
};

/** One context's residents, by numbers that are never used again. */
class Residents {
 public:
  /** Uploads samples. @throws Failure */
  uint32_t upload(const Source &, const Control &, Pieces &);
  /** Uploads a feature table. @throws Failure */
  uint32_t uploadTable(const TableSource &, Pieces &);
  /** Frees a resident's memory. Does no harm if there is none. */
  void free(uint32_t id);
  void release();

  /** Returns where a source begins that lies on the device, or null. @throws Failure if it was freed, or is shorter */
  const uint8_t *at(const Source &) const;
  /** Returns the samples with a number. @throws Failure if they were freed, or are fewer */
  std::shared_ptr<const Resident> samples(uint32_t id, uint64_t pixels, uint32_t pixelBytes) const;
  /** @throws Failure if it was freed */
  const FeatureTable &table(uint32_t id) const;

 private:
  std::shared_ptr<const Resident> find(uint32_t id) const;

  uint32_t nextId_ = 1;
  /** Samples are looked up while others are uploaded. */
  mutable std::mutex mutex_;
  std::unordered_map<uint32_t, std::shared_ptr<const Resident>> samples_;
  std::unordered_map<uint32_t, FeatureTable> tables_;
};

}  // namespace polybin
