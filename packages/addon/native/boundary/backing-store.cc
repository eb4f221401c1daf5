// Node exports V8's functions by their C++ names. This file looks them up on first use and does not link to them, so
// the addon also loads in other programs that support Node-API but do not export these functions.
#include "backing-store.h"

#if defined(_WIN32)

// V8's functions have other names and another calling convention there, so memory is not held.
namespace polybin {

BackingStore backingStoreOf(napi_value) { return {nullptr, false}; }

}  // namespace polybin

#else

#include <dlfcn.h>

namespace polybin {
namespace {

#if defined(_LIBCPP_VERSION)
#define POLYBIN_SHARED_STORE "NSt3__110shared_ptrINS_12BackingStoreEEE"
#else
#define POLYBIN_SHARED_STORE "St10shared_ptrINS_12BackingStoreEE"
#endif

/** v8::BackingStore. */
struct Store;

// The signatures follow the Itanium C++ ABI for methods: `this` is the first argument, after the address of a result
// that does not fit in registers.
using GetBackingStore = std::shared_ptr<Store> (*)(void *arrayBuffer);
using IsResizable = bool (*)(const Store *);

struct V8 {
  GetBackingStore get = nullptr;
  IsResizable isResizable = nullptr;

  V8() {
    const auto find = [](const char *name) { return dlsym(RTLD_DEFAULT, name); };
    // This name contains the standard library's shared_ptr. It exists only if V8 was compiled with the same shared_ptr
    // as this file.
    if (!find("_ZN2v811ArrayBuffer3NewEPNS_7IsolateE" POLYBIN_SHARED_STORE)) return;
    // A V8 that exports this function (Node 22) reallocates memory that is transferred to another length, even if
    // others hold it.
    if (find("_ZN2v811ArrayBuffer9Allocator10ReallocateEPvmm")) return;
    isResizable = reinterpret_cast<IsResizable>(find("_ZNK2v812BackingStore27IsResizableByUserJavaScriptEv"));
    if (!isResizable) return;
    get = reinterpret_cast<GetBackingStore>(find("_ZN2v811ArrayBuffer15GetBackingStoreEv"));
  }
};

}  // namespace

BackingStore backingStoreOf(napi_value arrayBuffer) {
  static const V8 v8;
  if (!v8.get) return {nullptr, false};
  // A napi_value is the same handle that V8's methods take as `this`.
  const std::shared_ptr<Store> store = v8.get(arrayBuffer);
  return {store, v8.isResizable(store.get())};
}

}  // namespace polybin

#endif
