/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef DES_ERROR_H
#define DES_ERROR_H

/* What a function of this room may return. Out-parameters are untouched unless it is DES_OK. */
enum des_error {
    DES_OK = 0,
    DES_NO_MEMORY = -1,
    DES_PAST = -2,     /* an event was asked for before the present */
    DES_STALE = -3,    /* the handle's event has run, was cancelled, or never was */
    DES_TOO_FEW = -4,  /* no sample, or too few of them for what was asked */
    DES_DOMAIN = -5,   /* an argument outside its domain */
    DES_MISMATCH = -6  /* two histograms of different shape */
};

/* One sentence without a full stop; static, never NULL. */
const char *des_strerror(int error);

#endif
