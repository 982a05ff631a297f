// Compares the instruction set the build chose with the machine's, before anything else runs.
#include "runtime/loading/instruction_set.hpp"

namespace lbann::runtime {

namespace {

// Predefined macros tell which extensions the compiler was allowed to use.
constexpr bool avx =
#ifdef __AVX__
    true;
#else
    false;
#endif
constexpr bool avx2 =
#ifdef __AVX2__
    true;
#else
    false;
#endif
constexpr bool fma =
#ifdef __FMA__
    true;
#else
    false;
#endif
constexpr bool bmi2 =
#ifdef __BMI2__
    true;
#else
    false;
#endif
constexpr bool popcnt =
#ifdef __POPCNT__
    true;
#else
    false;
#endif
constexpr bool sse42 =
#ifdef __SSE4_2__
    true;
#else
    false;
#endif
constexpr bool avx512f =
#ifdef __AVX512F__
    true;
#else
    false;
#endif
constexpr bool avx512bw =
#ifdef __AVX512BW__
    true;
#else
    false;
#endif
constexpr bool avx512dq =
#ifdef __AVX512DQ__
    true;
#else
    false;
#endif
constexpr bool avx512vl =
#ifdef __AVX512VL__
    true;
#else
    false;
#endif
constexpr bool avx512vnni =
#ifdef __AVX512VNNI__
    true;
#else
    false;
#endif
constexpr bool avx512vbmi =
#ifdef __AVX512VBMI__
    true;
#else
    false;
#endif

}  // namespace

#if defined(__x86_64__)
[[gnu::target("no-avx")]]
#endif
std::array<InstructionSet, instruction_set_count>
instruction_sets() {
#if defined(__x86_64__)
  __builtin_cpu_init();
  return {{{"sse4.2", sse42, __builtin_cpu_supports("sse4.2") != 0},
           {"popcnt", popcnt, __builtin_cpu_supports("popcnt") != 0},
           {"avx", avx, __builtin_cpu_supports("avx") != 0},
           {"avx2", avx2, __builtin_cpu_supports("avx2") != 0},
           {"fma", fma, __builtin_cpu_supports("fma") != 0},
           {"bmi2", bmi2, __builtin_cpu_supports("bmi2") != 0},
           {"avx512f", avx512f, __builtin_cpu_supports("avx512f") != 0},
           {"avx512bw", avx512bw, __builtin_cpu_supports("avx512bw") != 0},
           {"avx512dq", avx512dq, __builtin_cpu_supports("avx512dq") != 0},
           {"avx512vl", avx512vl, __builtin_cpu_supports("avx512vl") != 0},
           {"avx512vnni", avx512vnni, __builtin_cpu_supports("avx512vnni") != 0},
           {"avx512vbmi", avx512vbmi, __builtin_cpu_supports("avx512vbmi") != 0}}};
#else
  return {};
#endif
}

#if defined(__x86_64__)
[[gnu::target("no-avx")]]
#endif
std::string
missing_instruction_sets(std::span<InstructionSet const> sets) {
  std::string missing;
  for (auto const& set : sets) {
    if (!set.used || set.present) continue;
    if (!missing.empty()) missing += ", ";
    missing += set.name;
  }
  if (missing.empty()) return missing;
  return "built with cpu=" LBANN_CPU ", this machine lacks " + missing +
         "; build on this kind of machine, or with -Dcpu=x86-64-v3 or -Dcpu=generic";
}

}  // namespace lbann::runtime
