// V8's own hold on an ArrayBuffer's memory. Node-API has no such hold.
#pragma once
#include <node_api.h>

#include <memory>

namespace polybin {

/** The memory lives at least as long as this, even if the ArrayBuffer is transferred. */
struct BackingStore {
  std::shared_ptr<void> hold;
  /** Whether the buffer can be made smaller. Memory beyond the new end is then no longer accessible. */
  bool shrinks;
};

/**
 * The backing store of an ArrayBuffer, on its thread. `hold` is empty if this program does not export the required
 * functions.
 */
BackingStore backingStoreOf(napi_value arrayBuffer);

}  // namespace polybin
