// The rows of samples with the instructions that every processor of its architecture has.
#include "rows-loops.h"

namespace polybin {

RowKernels plainRows(Type type, bool narrow) { return rowsOf(type, narrow); }

}  // namespace polybin
