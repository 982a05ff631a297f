// The digest: xxHash's published values, sensitivity to every bit.
#include "schemas/plan/digest.hpp"

#include <doctest/doctest.h>

#include <set>
#include <string_view>
#include <vector>

using namespace lbann;

namespace {

std::uint64_t digest_of(std::string_view text, std::uint64_t seed = 0) {
  return digest({reinterpret_cast<std::uint8_t const*>(text.data()), text.size()}, seed);
}

}  // namespace

TEST_CASE("digest is XXH64") {
  CHECK(digest_of("") == 0xEF46DB3751D8E999u);
  CHECK(digest_of("a") == 0xD24EC4F1A98C6E5Bu);
  CHECK(digest_of("abc") == 0x44BC2CF5AD770999u);
  // Longer than a stripe of 32 bytes, as the xxhash package of Python gives it.
  CHECK(digest_of("Nobody inspects the spammish repetition") == 0xFBCEA83C8A378BF1u);
}

TEST_CASE("digest depends on every bit, the length and the seed") {
  std::vector<std::uint8_t> bytes(75, 0);
  std::set<std::uint64_t> seen = {digest(bytes), digest(bytes, 1)};
  for (std::size_t bit = 0; bit < 8 * bytes.size(); ++bit) {
    bytes[bit / 8] ^= static_cast<std::uint8_t>(1u << (bit % 8));
    seen.insert(digest(bytes));
    bytes[bit / 8] ^= static_cast<std::uint8_t>(1u << (bit % 8));
  }
  for (std::size_t size = 0; size < bytes.size(); ++size)
    seen.insert(digest(std::span(bytes).first(size)));
  CHECK(seen.size() == 2 + 8 * bytes.size() + bytes.size());
}
