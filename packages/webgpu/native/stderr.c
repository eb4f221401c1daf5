// Keeps what native code writes to stderr for a while: Node can neither see that nor move a file descriptor.
//
//   hold(): boolean     descriptor 2 leads to memory from now on; false where that cannot be
//   release(): string   descriptor 2 is as before; what was written meanwhile, its first MOST bytes
//
// A process has one stderr, and the addon is one for all of its threads: the first hold moves it, the last release
// moves it back.
#define _GNU_SOURCE
#include <fcntl.h>
#include <node_api.h>
#include <pthread.h>
#include <stdio.h>
#include <sys/mman.h>
#include <unistd.h>

enum { MOST = 4096 };

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int holders = 0;
static int before = -1;  // where descriptor 2 led
static int memory = -1;  // where it leads while somebody holds it

static int move(void) {
  // Copies that a program started meanwhile by another thread does not get.
  before = fcntl(STDERR_FILENO, F_DUPFD_CLOEXEC, 3);
  memory = memfd_create("polybin-stderr", MFD_CLOEXEC);
  fflush(stderr);
  if (before >= 0 && memory >= 0 && dup2(memory, STDERR_FILENO) >= 0) return 1;
  if (before >= 0) close(before);
  if (memory >= 0) close(memory);
  return 0;
}

static napi_value hold(napi_env env, napi_callback_info info) {
  (void)info;
  pthread_mutex_lock(&lock);
  int held = holders > 0 || move();
  if (held) holders++;
  pthread_mutex_unlock(&lock);
  napi_value result = NULL;
  napi_get_boolean(env, held, &result);
  return result;
}

static napi_value release(napi_env env, napi_callback_info info) {
  (void)info;
  char text[MOST];
  ssize_t length = 0;
  pthread_mutex_lock(&lock);
  if (holders > 0) {
    fflush(stderr);
    length = pread(memory, text, sizeof text, 0);
    if (--holders == 0) {
      dup2(before, STDERR_FILENO);
      close(before);
      close(memory);
    }
  }
  pthread_mutex_unlock(&lock);
  napi_value result = NULL;
  napi_create_string_utf8(env, text, length > 0 ? (size_t)length : 0, &result);
  return result;
}

NAPI_MODULE_INIT() {
  napi_value function = NULL;
  napi_create_function(env, "hold", NAPI_AUTO_LENGTH, hold, NULL, &function);
  napi_set_named_property(env, exports, "hold", function);
  napi_create_function(env, "release", NAPI_AUTO_LENGTH, release, NULL, &function);
  napi_set_named_property(env, exports, "release", function);
  return exports;
}
