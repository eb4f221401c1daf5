// Data of the process.
#pragma once

namespace polybin {

/** The only one of its type. It is never destroyed: engines may be released after the statics of a process. */
template <typename Of>
Of &forever() {
  static auto *const one = new Of;
  return *one;
}

}  // namespace polybin
