#ifndef REEL_CX264_SHIM_H
#define REEL_CX264_SHIM_H
#include <stdarg.h>
#include <stdint.h>
#include <x264.h>
/* x264_encoder_open is a macro that carries the version, which Swift cannot see. */
static inline x264_t *reel_x264_encoder_open(x264_param_t *p) { return x264_encoder_open(p); }
#endif
