#include "fields.h"

#include "platform/instructions.h"

namespace polybin {

FindEnds endsOf(Instructions wanted) {
#if defined(__x86_64__)
  if (supported(wanted) >= Instructions::avx2) return avx2Ends();
#endif
  static_cast<void>(wanted);
  return plainEnds();
}

}  // namespace polybin
