// Reads pieces of text and parts of files, on the calling thread or on another one, and makes columns of them for JavaScript.
#pragma once
#include <napi.h>

#include "text/part.h"

namespace polybin {

/** The wanted columns of an array of packed ones. @throws Failure @param fields those that a column may be */
std::vector<Wanted> wantedOf(const Napi::Value &columns, size_t fields);

/** A call of JavaScript that reads. */
using ReadText = Napi::Value (*)(const Napi::CallbackInfo &, uint32_t threads, const ReadsPieces &);

/**
 * Reads the bytes of the first argument.
 * @param threads 0: the calling thread reads. Else the result is a promise
 */
Napi::Value readPieceOf(const Napi::CallbackInfo &, uint32_t threads, const ReadsPieces &);
/** Reads the part of an open file that the first argument names. */
Napi::Value readPartOf(const Napi::CallbackInfo &, uint32_t threads, const ReadsPieces &);

}  // namespace polybin
