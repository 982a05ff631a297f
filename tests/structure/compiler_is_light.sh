#!/usr/bin/env bash
# The compiler runs on a laptop: no MPI, Kokkos, OpenMP or BLAS behind it, and no code of a newer CPU.
# Usage: compiler_is_light.sh LBANN_COMPILE LBANN_RUN
set -euo pipefail
heavy='mpi|open-rte|open-pal|kokkos|gomp|libomp|iomp|blas|lapack|dnnl|cuda'
libraries=$(ldd "$1")
if grep -iE "$heavy" <<< "$libraries"; then
  echo "$1 links a heavy library"
  exit 1
fi
libraries=$(ldd "$2")
if ! grep -qiE "$heavy" <<< "$libraries"; then
  echo "this test would not notice: $2 links none of them either"
  exit 1
fi
