#!/usr/bin/env bash
# All kernels compile for CUDA, the runtime links with them, and starts: on a machine without a driver it says so. Maps and
# reductions of all experiments compile as they do when a plan is bound, and cuDNN has an engine for each of their convolutions
# on an H100. No kernel keeps its numbers in local memory.
# Usage: compiles.sh SOURCE_FOLDER BUILD_FOLDER COMPILER
set -euo pipefail
export PATH="$PATH:${CUDA_HOME:-/usr/local/cuda}/bin"
command -v nvcc > /dev/null || { echo 'skipped: no nvcc here'; exit 77; }
[ -d "$1/.deps/kokkos-cuda" ] || { echo 'skipped: no CUDA build of Kokkos; run scripts/setup --cuda'; exit 77; }
[ -f "$2/build.ninja" ] || meson setup "$2" "$1" -Ddevice=cuda -Dunity=on
ninja -C "$2" build.ninja > /dev/null
# Programs of this list are built where the toolkit has the library that they need.
optional=$(ninja -C "$2" -t targets all |
  grep -o '^tests/\(kernels/jit/jit_compiler_test\|cuda/compile_maps\|cuda/convolution_plans\):' | tr -d :)
ninja -C "$2" runtime/lbann-run-cuda tests/kernels/kernels_test $optional
for program in runtime/lbann-run-cuda tests/kernels/kernels_test; do
  if readelf -d "$2/$program" | grep -q 'libcuda\.so'; then
    echo "$program needs libcuda.so, which only a driver has: it could not start without one"
    exit 1
  fi
done
"$2/runtime/lbann-run-cuda" --version | grep -q Cuda
if said=$("$2/tests/kernels/kernels_test" 2>&1); then
  tail -n 3 <<< "$said"
elif [[ $said != 'no CUDA device can be used: '*' --device cpu '* ]]; then
  tail -n 30 <<< "$said"
  exit 1
fi
texts=$(mktemp -d)
trap 'rm -rf "$texts"' EXIT
for experiment in "$1"/experiments/*/experiment.*; do
  "$3" "$experiment" -o "$texts/$(basename "$(dirname "$experiment")").bin" > "$texts/said" 2>&1 || cat "$texts/said"
done
if [[ $optional == *convolution_plans* ]]; then
  expected=$1/tests/cuda/convolution_plans.txt
  "$2/tests/cuda/convolution_plans" "$1/tests/cuda/h100.json" "$texts"/*.bin > "$texts/plans" || { cat "$texts/plans"; exit 1; }
  if [ "${ACCEPT_EXPECTED:-}" = 1 ]; then
    cp "$texts/plans" "$expected"
  elif [ "$(head -n 1 "$texts/plans")" = "$(head -n 1 "$expected")" ]; then
    diff "$expected" "$texts/plans"
  else
    echo 'convolution_plans.txt is of another cuDNN, it is not compared'
  fi
fi
if [[ $optional == *compile_maps* ]]; then
  "$2/tests/kernels/jit/jit_compiler_test"
  "$2/tests/cuda/compile_maps" "$texts" "$texts"/*.bin
  python3 "$1/tests/cuda/resources.py" --page "$1/docs/performance_gpu.md" --compiler "nvcc $(nvcc --version | grep -o 'V[0-9][0-9.]*')" \
    "$2"/kernels/cuda/*.o "$texts"/*.o
else
  python3 "$1/tests/cuda/resources.py" "$2"/kernels/cuda/*.o
fi
