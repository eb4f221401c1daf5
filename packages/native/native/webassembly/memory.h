// The end of memory.
#pragma once

/** Throws in JavaScript, and does not return. */
extern "C" [[noreturn]] __attribute__((import_module("env"), import_name("exhausted"))) void exhausted();
