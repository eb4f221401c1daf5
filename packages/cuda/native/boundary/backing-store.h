// V8's own hold on an ArrayBuffer's memory, which Node-API has none of.
#pragma once
#include <node_api.h>

#include <memory>

namespace polybin {

/** While it lives the memory does, too, whoever the ArrayBuffer is transferred to. */
struct BackingStore {
  std::shared_ptr<void> hold;
  /** It can be made smaller, and what was cut off is then no memory. */
  bool shrinks;
};

/** Of an ArrayBuffer, on its thread. Without a hold where this program does not export what that takes. */
BackingStore backingStoreOf(napi_value arrayBuffer);

}  // namespace polybin
