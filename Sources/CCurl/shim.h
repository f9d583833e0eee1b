// libcurl, loaded when the first request is made: linking it would bring some thirty libraries into every run of
// the command. Its functions with variable arguments get a form that Swift can call.
#ifndef REEL_CCURL_H
#define REEL_CCURL_H
#include <curl/curl.h>
#include <dlfcn.h>
#include <netinet/in.h>
#include <string.h>
#include <sys/socket.h>

typedef struct {
  CURLcode (*global_init)(long);
  CURL *(*easy_init)(void);
  void (*easy_cleanup)(CURL *);
  void (*easy_reset)(CURL *);
  CURLcode (*easy_perform)(CURL *);
  CURLcode (*easy_setopt)(CURL *, CURLoption, ...);
  CURLcode (*easy_getinfo)(CURL *, CURLINFO, ...);
  const char *(*easy_strerror)(CURLcode);
  struct curl_slist *(*slist_append)(struct curl_slist *, const char *);
  void (*slist_free_all)(struct curl_slist *);
} reel_curl;

typedef size_t (*reel_curl_data)(char *, size_t, size_t, void *);
typedef curl_socket_t (*reel_curl_socket)(void *, curlsocktype, struct curl_sockaddr *);
typedef int (*reel_curl_progress)(void *, curl_off_t, curl_off_t, curl_off_t, curl_off_t);

// 1 when the library is there and has what is needed.
static inline int reel_curl_load(reel_curl *c) {
  const char *names[] = {"libcurl.so.4", "libcurl-gnutls.so.4", "libcurl.so"};
  void *library = 0;
  for (int i = 0; i < 3 && !library; i++) library = dlopen(names[i], RTLD_NOW | RTLD_LOCAL);
  if (!library) return 0;
#define REEL_CURL_FIND(name) \
  *(void **)&c->name = dlsym(library, "curl_" #name); \
  if (!c->name) return 0
  REEL_CURL_FIND(global_init);
  REEL_CURL_FIND(easy_init);
  REEL_CURL_FIND(easy_cleanup);
  REEL_CURL_FIND(easy_reset);
  REEL_CURL_FIND(easy_perform);
  REEL_CURL_FIND(easy_setopt);
  REEL_CURL_FIND(easy_getinfo);
  REEL_CURL_FIND(easy_strerror);
  REEL_CURL_FIND(slist_append);
  REEL_CURL_FIND(slist_free_all);
#undef REEL_CURL_FIND
  return c->global_init(CURL_GLOBAL_DEFAULT) == CURLE_OK;
}

static inline CURLcode reel_curl_set_long(const reel_curl *c, CURL *h, CURLoption o, long v) {
  return c->easy_setopt(h, o, v);
}
static inline CURLcode reel_curl_set_string(const reel_curl *c, CURL *h, CURLoption o, const char *v) {
  return c->easy_setopt(h, o, v);
}
static inline CURLcode reel_curl_set_list(const reel_curl *c, CURL *h, struct curl_slist *v) {
  return c->easy_setopt(h, CURLOPT_HTTPHEADER, v);
}

// Only http and https, nothing of the environment, no signals, no redirects, one context for all callbacks.
static inline void reel_curl_set_callbacks(
    const reel_curl *c, CURL *h, void *context, reel_curl_data head, reel_curl_data body,
    reel_curl_socket socket, reel_curl_progress progress) {
  c->easy_setopt(h, CURLOPT_PROTOCOLS, (long)(CURLPROTO_HTTP | CURLPROTO_HTTPS));
  c->easy_setopt(h, CURLOPT_FOLLOWLOCATION, 0L);
  c->easy_setopt(h, CURLOPT_PROXY, "");
  c->easy_setopt(h, CURLOPT_NETRC, (long)CURL_NETRC_IGNORED);
  c->easy_setopt(h, CURLOPT_NOSIGNAL, 1L);
  c->easy_setopt(h, CURLOPT_PATH_AS_IS, 1L);
  c->easy_setopt(h, CURLOPT_HEADERFUNCTION, head);
  c->easy_setopt(h, CURLOPT_HEADERDATA, context);
  c->easy_setopt(h, CURLOPT_WRITEFUNCTION, body);
  c->easy_setopt(h, CURLOPT_WRITEDATA, context);
  c->easy_setopt(h, CURLOPT_OPENSOCKETFUNCTION, socket);
  c->easy_setopt(h, CURLOPT_OPENSOCKETDATA, context);
  c->easy_setopt(h, CURLOPT_NOPROGRESS, 0L);
  c->easy_setopt(h, CURLOPT_XFERINFOFUNCTION, progress);
  c->easy_setopt(h, CURLOPT_XFERINFODATA, context);
}

// The system's number for why a connection failed; 0 when there is none.
static inline long reel_curl_system_error(const reel_curl *c, CURL *h) {
  long number = 0;
  c->easy_getinfo(h, CURLINFO_OS_ERRNO, &number);
  return number;
}

// The numerical address of a connection to be made: 4 or 16 bytes; 0 for another family.
static inline int reel_curl_address(const struct curl_sockaddr *a, unsigned char *bytes) {
  if (a->family == AF_INET && a->addrlen >= sizeof(struct sockaddr_in)) {
    memcpy(bytes, &((const struct sockaddr_in *)&a->addr)->sin_addr, 4);
    return 4;
  }
  if (a->family == AF_INET6 && a->addrlen >= sizeof(struct sockaddr_in6)) {
    memcpy(bytes, &((const struct sockaddr_in6 *)&a->addr)->sin6_addr, 16);
    return 16;
  }
  return 0;
}

#endif
