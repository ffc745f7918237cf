/* Included before everything else in the files of db/writer/ that are simulated: what they take
 * from the system is the world's. */
#ifndef TILLROLL_TESTS_SIMULATION_INSTEAD_H
#define TILLROLL_TESTS_SIMULATION_INSTEAD_H

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/timerfd.h>
#include <unistd.h>

int simulated_mutex_init(pthread_mutex_t *mutex, const pthread_mutexattr_t *attributes);
int simulated_mutex_destroy(pthread_mutex_t *mutex);
int simulated_mutex_lock(pthread_mutex_t *mutex);
int simulated_mutex_unlock(pthread_mutex_t *mutex);
int simulated_cond_init(pthread_cond_t *condition, const pthread_condattr_t *attributes);
int simulated_cond_destroy(pthread_cond_t *condition);
int simulated_cond_wait(pthread_cond_t *condition, pthread_mutex_t *mutex);
int simulated_cond_signal(pthread_cond_t *condition);
int simulated_join(pthread_t thread, void **result);
int simulated_eventfd(unsigned count, int flags);
int simulated_eventfd_read(int fd, eventfd_t *value);
int simulated_eventfd_write(int fd, eventfd_t value);
int simulated_epoll_create(int flags);
int simulated_epoll_ctl(int poll, int operation, int fd, struct epoll_event *event);
int simulated_timerfd_create(int clock, int flags);
int simulated_timerfd_settime(int fd, int flags, const struct itimerspec *to,
                              struct itimerspec *before);
ssize_t simulated_read(int fd, void *to, size_t size);
int simulated_close(int fd);
void *simulated_malloc(size_t size);
void *simulated_calloc(size_t count, size_t size);
char *simulated_strdup(const char *text);
void simulated_free(void *memory);
int simulated_print(FILE *file, const char *format, ...);

#define pthread_mutex_init    simulated_mutex_init
#define pthread_mutex_destroy simulated_mutex_destroy
#define pthread_mutex_lock    simulated_mutex_lock
#define pthread_mutex_unlock  simulated_mutex_unlock
#define pthread_cond_init     simulated_cond_init
#define pthread_cond_destroy  simulated_cond_destroy
#define pthread_cond_wait     simulated_cond_wait
#define pthread_cond_signal   simulated_cond_signal
#define pthread_join          simulated_join
#define eventfd               simulated_eventfd
#define eventfd_read          simulated_eventfd_read
#define eventfd_write         simulated_eventfd_write
#define epoll_create1         simulated_epoll_create
#define epoll_ctl             simulated_epoll_ctl
#define timerfd_create        simulated_timerfd_create
#define timerfd_settime       simulated_timerfd_settime
#define read                  simulated_read
#define close                 simulated_close
#define fprintf               simulated_print

#endif
