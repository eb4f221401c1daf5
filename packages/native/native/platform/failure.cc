#include "failure.h"

#include <exception>
#include <new>

namespace polybin {

Failure failureCaught() {
  try {
    throw;
  } catch (const Failure &failure) {
    return failure;
  } catch (const std::bad_alloc &) {
    return {"ERR_OUT_OF_MEMORY", "expected room for the tables of a count but the process has none"};
  } catch (const std::exception &error) {
    return {"ERR_INTERNAL", error.what()};
  }
}

}  // namespace polybin
