// How long OpenMP's idle threads keep their cores.
#pragma once

namespace lbann::runtime {

/// Where the environment says nothing of it (OMP_WAIT_POLICY, GOMP_SPINCOUNT), idle threads are to
/// sleep after some 50 microseconds. OpenMP reads that before main, so this starts the program once
/// more with GOMP_SPINCOUNT set; the second time it returns at once. See
/// docs/decisions/idle_threads_sleep_soon.md.
void settle_wait_policy(char** arguments);

}  // namespace lbann::runtime
