// What engines keep on the device: samples, and feature tables.
#pragma once
#include <cstdint>
#include <unordered_map>

#include "generated/messages.h"
#include "pieces.h"

namespace polybin {

/** A feature table on the device: row r begins at memory + r * pitch. */
struct FeatureTable {
  void *memory;
  uint64_t pitch;
  uint64_t rows, rowBytes;
};

/** One context's residents, by numbers that are never used again. */
class Residents {
 public:
  /** Brings samples. @throws Failure */
  uint32_t upload(const Source &, const Control &, Pieces &);
  /** Brings a feature table. @throws Failure */
  uint32_t uploadTable(const TableSource &, Pieces &);
  /** Gives a resident's memory back; harmless where there is none. */
  void free(uint32_t id);
  void release();

  /** Where a source begins that lies on the device; null: it does not. @throws Failure where it was freed, or is shorter */
  const uint8_t *at(const Source &) const;
  /** @throws Failure where it was freed */
  const FeatureTable &table(uint32_t id) const;

 private:
  struct Resident {
    void *memory;
    uint64_t bytes;
  };

  uint32_t nextId_ = 1;
  std::unordered_map<uint32_t, Resident> samples_;
  std::unordered_map<uint32_t, FeatureTable> tables_;
};

}  // namespace polybin
