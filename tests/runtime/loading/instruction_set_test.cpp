// A binary for another machine is refused in words.
#include "runtime/loading/instruction_set.hpp"

#include <doctest/doctest.h>

using namespace lbann::runtime;

TEST_CASE("this machine has what this build uses") {
  auto const sets = instruction_sets();
  CHECK(missing_instruction_sets(sets).empty());
#ifdef __AVX2__
  bool used = false;
  for (auto const& set : sets) used = used || (set.name == "avx2" && set.used && set.present);
  CHECK(used);
#endif
}

TEST_CASE("what is used and not present is named") {
  std::array<InstructionSet, 3> const sets = {
      {{"avx2", true, true}, {"avx512f", true, false}, {"avx512bw", false, false}}};
  auto const message = missing_instruction_sets(sets);
  CHECK(message.find("lacks avx512f;") != std::string::npos);
  CHECK(message.find("avx2,") == std::string::npos);
  CHECK(message.find("avx512bw") == std::string::npos);
}
