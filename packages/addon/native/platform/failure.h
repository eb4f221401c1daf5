// The failures of calls.
#pragma once
#include <string>

namespace polybin {

/** The failure of a call. `code` is one of core's error codes, or one that an addon's own TypeScript knows. */
struct Failure {
  std::string code;
  std::string message;
};

/** Converts the C++ exception that is being caught to a failure. */
Failure failureCaught();

}  // namespace polybin
