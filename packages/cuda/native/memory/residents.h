// Data that engines keep on the device: samples, feature tables and rows of counts.
#pragma once
#include <cstdint>
#include <memory>
#include <mutex>
#include <unordered_map>

#include "generated/messages.h"
#include "pieces.h"
#include "platform/failure.h"
#include "platform/memory.h"

namespace polybin {

/** Memory of the device. It stays there for as long as somebody holds it, even after `free`. */
struct Resident {
  explicit Resident(void *memory) : memory(memory) {}
  virtual ~Resident() { giveDevice(memory); }
  Resident(const Resident &) = delete;
  Resident &operator=(const Resident &) = delete;
  uint8_t *at() const { return static_cast<uint8_t *>(memory); }

  void *memory;
};

/** Dense samples. */
struct ResidentSamples : Resident {
  static constexpr const char *gone = "expected resident samples but they were freed";
  /** `bytes` without the padding that a last load may touch. */
  explicit ResidentSamples(uint64_t bytes);
  const uint64_t bytes;
};

/** A feature table. Row r begins at memory + r * pitch. */
struct FeatureTable : Resident {
  static constexpr const char *gone = "expected a feature table but it was freed";
  FeatureTable(uint64_t rows, uint64_t rowBytes);
  const uint64_t rows, rowBytes, pitch;
};

using ResidentOf = std::shared_ptr<const Resident>;

/** One context's residents, by numbers that are never used again. */
class Residents {
 public:
  /** Keeps memory until it is freed. Returns its number. */
  uint32_t keep(ResidentOf);
  /** Frees a resident's memory. Does no harm if there is none. */
  void free(uint32_t id);
  void release();

  /** Returns the resident with a number. @throws Failure ERR_INPUT if it was freed, or is of another kind */
  template <typename Of>
  std::shared_ptr<const Of> find(uint32_t id) const {
    auto found = std::dynamic_pointer_cast<const Of>(of(id));
    if (found == nullptr) throw Failure{"ERR_INPUT", Of::gone};
    return found;
  }
  /** Returns where a source begins that lies on the device, or null. @throws Failure if it was freed, or is shorter */
  const uint8_t *at(const Source &) const;
  /** Returns the samples with a number. @throws Failure if they were freed, or are fewer */
  std::shared_ptr<const ResidentSamples> samples(uint32_t id, uint64_t pixels, uint32_t pixelBytes) const;

 private:
  ResidentOf of(uint32_t id) const;

  uint32_t nextId_ = 1;
  /** Residents are looked up while others are uploaded. */
  mutable std::mutex mutex_;
  std::unordered_map<uint32_t, ResidentOf> all_;
};

/** Copy data to the device. `resident`: where the source lies there already, or null. @throws Failure */
ResidentOf uploaded(const Upload &, const uint8_t *resident, Pieces &);
ResidentOf uploaded(const TableSource &, Pieces &);

}  // namespace polybin
