// The rows of samples with AVX2.
#include "rows-loops.h"

namespace polybin {

RowKernels avx2Rows(Type type, bool narrow) { return rowsOf(type, narrow); }

}  // namespace polybin
