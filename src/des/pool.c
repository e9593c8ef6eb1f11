/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "des/pool.h"

#include <pthread.h>
#include <stdlib.h>
#include <unistd.h>

/* Jobs are claimed in their order, so that when one fails all of smaller index have begun and will
   end: which error is reported doesn't depend on the threads. */
struct pool {
    pthread_mutex_t lock;
    size_t next;
    size_t jobs;
    size_t failed; /* smallest index that failed; jobs while none has */
    int error;
    des_job *job;
    void *context;
};

static void *work(void *arg)
{
    struct pool *pool = arg;

    pthread_mutex_lock(&pool->lock);
    while (pool->next < pool->jobs && !pool->error) {
        const size_t i = pool->next++;
        int error;

        pthread_mutex_unlock(&pool->lock);
        error = pool->job(pool->context, i);
        pthread_mutex_lock(&pool->lock);
        if (error && i < pool->failed) {
            pool->failed = i;
            pool->error = error;
        }
    }
    pthread_mutex_unlock(&pool->lock);
    return NULL;
}

int des_pool_run(unsigned threads, size_t n, des_job *job, void *context)
{
    struct pool pool = {.jobs = n, .failed = n, .job = job, .context = context};
    pthread_t *helper = NULL;
    size_t wanted = threads ? threads : des_pool_processors();
    size_t helpers = 0;

    if (wanted > n)
        wanted = n;
    pthread_mutex_init(&pool.lock, NULL);
    if (wanted > 1)
        helper = malloc((wanted - 1) * sizeof *helper);
    while (helper && helpers < wanted - 1 &&
           pthread_create(&helper[helpers], NULL, work, &pool) == 0)
        helpers++;
    work(&pool);
    for (size_t i = 0; i < helpers; i++)
        pthread_join(helper[i], NULL);
    pthread_mutex_destroy(&pool.lock);
    free(helper);
    return pool.error;
}

unsigned des_pool_processors(void)
{
    const long n = sysconf(_SC_NPROCESSORS_ONLN);

    return n > 0 ? (unsigned)n : 1;
}
