// Shapes: text form both ways, broadcasting, checked products.
#include <doctest/doctest.h>

#include "schemas/vocabulary/shape.hpp"

using namespace lbann;

TEST_CASE("to_text(Shape) and parse_shape are inverse") {
  for (auto const& shape :
       {Shape{}, Shape{batch_extent, {1, false}, {28, false}}, Shape{{10, true}}}) {
    auto const text = to_text(shape);
    auto const parsed = parse_shape(text);
    REQUIRE(parsed.has_value());
    CHECK(*parsed == shape);
  }
  CHECK(to_text(Shape{{10, true}, {3, false}}) == "[10*batch, 3]");
}

TEST_CASE("parse_shape refuses other texts") {
  for (auto text : {"", "[", "3", "[batch2]", "[x]", "[3 4]"})
    CHECK_FALSE(parse_shape(text).has_value());
}

TEST_CASE("broadcast(Shape, Shape)") {
  Shape const rows{batch_extent, {5, false}};
  CHECK(broadcast(rows, Shape{{5, false}}) == rows);
  CHECK(broadcast(rows, Shape{}) == rows);
  CHECK(broadcast(Shape{{1, false}, {5, false}}, rows) == rows);
  CHECK_FALSE(broadcast(rows, Shape{{4, false}}).has_value());
  CHECK_FALSE(broadcast(rows, Shape{{7, false}, {5, false}}).has_value());
}

TEST_CASE("checked_product") {
  std::int64_t const fits[] = {3, 0, 7}, overflows[] = {INT64_MAX, 2}, negative[] = {-1, 2};
  CHECK(checked_product(fits) == 0);
  CHECK_FALSE(checked_product(overflows).has_value());
  CHECK_FALSE(checked_product(negative).has_value());
}
