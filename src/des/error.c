/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "des/error.h"

const char *des_strerror(int error)
{
    switch (error) {
    case DES_OK:
        return "no error";
    case DES_NO_MEMORY:
        return "out of memory";
    case DES_PAST:
        return "an event before the present time";
    case DES_STALE:
        return "the event has run or was cancelled";
    case DES_TOO_FEW:
        return "too few samples";
    case DES_DOMAIN:
        return "an argument is outside its domain";
    case DES_MISMATCH:
        return "histograms of different shape";
    default:
        return "unknown error";
    }
}
