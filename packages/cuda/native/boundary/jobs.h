// What JavaScript asks for (src/native.ts), in the forms of context.h.
#pragma once
#include "../ceiling.h"
#include "../context.h"
#include "reader.h"

namespace polybin {

// Each reads, and checks nothing but types: what the numbers come to is for checks.h. @throws Failure
Source sourceOf(const Reader &);
Wanted wantedOf(const Reader &);
Control controlOf(const Reader &);
CountJob countJobOf(const Reader &);
TableSource tableSourceOf(const Reader &);
SumsJob sumsJobOf(const Reader &);
ReadJob readJobOf(const Reader &);
CopyJob copyJobOf(const Reader &);

}  // namespace polybin
