// The ends of fields with the instructions that every processor of its architecture has.
#include "fields-loops.h"

namespace polybin {

FindEnds plainEnds() { return findEnds; }

}  // namespace polybin
