// The ends of fields with AVX2.
#include "fields-loops.h"

namespace polybin {

FindEnds avx2Ends() { return findEnds; }

}  // namespace polybin
