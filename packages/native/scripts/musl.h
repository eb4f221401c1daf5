// Comes before every file that is compiled for musl, because the headers of the C++ library are those for glibc. Nothing here
// changes a type that the library and this code share.
#pragma once
// What glibc's newest version has: all of the threads' functions are in the C library.
#define __GLIBC_PREREQ(major, minor) 1
#define __locale_t locale_t
#include <bits/c++config.h>
// musl has no waiting by a chosen clock, which nothing here uses.
#undef _GLIBCXX_USE_PTHREAD_COND_CLOCKWAIT
#undef _GLIBCXX_USE_PTHREAD_MUTEX_CLOCKLOCK
#undef _GLIBCXX_USE_PTHREAD_RWLOCK_CLOCKLOCK
// Classes of characters, which nothing here asks for.
enum { _ISupper,
       _ISlower,
       _ISalpha,
       _ISdigit,
       _ISxdigit,
       _ISspace,
       _ISprint,
       _IScntrl,
       _ISpunct,
       _ISblank };
