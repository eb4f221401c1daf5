// Captures what native code writes to stderr for a while. Node can neither see those writes nor move a file descriptor.
//
//   hold(): boolean     redirects descriptor 2 to memory; false if that is not possible
//   release(): string   restores descriptor 2 and returns what was written meanwhile, at most the first MOST bytes
//
// A process has one stderr, and all of its threads share this addon. The first hold redirects the descriptor, and the
// last release restores it.
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
static int before = -1;  // where descriptor 2 led before
static int memory = -1;  // where it leads while somebody holds it

static int move(void) {
  // CLOEXEC keeps the copies away from programs that another thread starts meanwhile.
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
