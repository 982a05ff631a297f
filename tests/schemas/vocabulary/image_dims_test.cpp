// Which tensors are images.
#include "schemas/vocabulary/image_dims.hpp"

#include <doctest/doctest.h>

using namespace lbann;

TEST_CASE("dims of images") {
  using Dims = std::vector<std::int64_t>;
  CHECK(image_dims({1, 28, 28}) == Dims{1, 28, 28});
  CHECK(image_dims({3, 2, 5}) == Dims{3, 2, 5});
  CHECK(image_dims({7, 9}) == Dims{1, 7, 9});
  CHECK(image_dims({784}) == Dims{1, 28, 28});
  CHECK(image_dims({4096 * 4096}) == Dims{1, 4096, 4096});
  for (auto const& other :
       {Dims{}, {1}, {12}, {1, 1}, {1, 1, 1}, {2, 28, 28}, {4097, 2}, {3, 1, 2, 2}, {4097 * 4097}})
    CHECK(image_dims(other) == Dims{});
}
