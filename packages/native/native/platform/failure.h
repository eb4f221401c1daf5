// Errors with a code of core.
#pragma once
#include <string>

namespace polybin {

struct Failure {
  std::string code;
  std::string message;
};

/** The failure of the C++ exception that is being caught. */
Failure failureCaught();

}  // namespace polybin
