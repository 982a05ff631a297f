#!/usr/bin/env bash
# All kernels compile and link for CUDA, unchanged. Usage: compiles.sh SOURCE_FOLDER BUILD_FOLDER
set -euo pipefail
export PATH="$PATH:${CUDA_HOME:-/usr/local/cuda}/bin"
command -v nvcc > /dev/null || { echo 'skipped: no nvcc here'; exit 77; }
[ -d "$1/.deps/kokkos-cuda" ] || { echo 'skipped: no CUDA build of Kokkos; run scripts/setup --cuda'; exit 77; }
[ -f "$2/build.ninja" ] || meson setup "$2" "$1" -Dcuda=enabled
ninja -C "$2"
