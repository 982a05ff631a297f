// The data fields that mixup names in plans.
#include "compiler/callbacks/mixup.hpp"

#include <doctest/doctest.h>

#include <string>
#include <vector>

namespace lbann::callbacks {

TEST_CASE("mixup mixes the fields of the input layers that are meant") {
  ModelView model;
  model.layers = {{"x", {{4}}, {}, "input", {}, "samples"},
                  {"again", {{4}}, {}, "input", {}, "samples"},
                  {"a", {{2}}, {}, "fully_connected"},
                  {"y", {{2}}, {}, "input", {}, "labels"}};
  using Fields = std::vector<std::string>;
  auto const all = mixup{.alpha = 0.5}.mixing(model);
  CHECK(all.fields == Fields{"samples", "labels"});
  CHECK(all.alpha == 0.5);
  CHECK(mixup{.layers = {"y"}, .alpha = 1}.mixing(model).fields == Fields{"labels"});
  CHECK(mixup{.layers = {"again", "x"}, .alpha = 1}.mixing(model).fields == Fields{"samples"});
  CHECK(mixup{.alpha = 0}.mixing(model).fields.empty());
}

}  // namespace lbann::callbacks
