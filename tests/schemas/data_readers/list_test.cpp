// Every data reader and callback travels as a record and back.
#include "schemas/data_readers/list.hpp"

#include <doctest/doctest.h>

#include "schemas/callbacks/list.hpp"

using namespace lbann;

namespace {

template <class... Ts>
void check_all(std::variant<Ts...> const*) {
  auto check = []<class T>(T const& object) {
    auto const record = to_record(object);
    CAPTURE(record.type);
    auto const again = from_record<T>(record);
    REQUIRE(again.has_value());
    CHECK(to_record(*again) == record);
    for (auto const& info : describe_fields<T>()) CHECK_FALSE(info.doc.empty());
    auto broken = record;
    broken.type += "x";
    CHECK_FALSE(from_record<T>(broken).has_value());
  };
  (check(Ts{}), ...);
}

}  // namespace

TEST_CASE("data readers and callbacks as records") {
  check_all(static_cast<DataReader const*>(nullptr));
  check_all(static_cast<DeclaredCallback const*>(nullptr));
}

TEST_CASE("what readers give") {
  data_readers::digits digits;
  digits.size = 16;
  CHECK(digits.gives()[0].dims == std::vector<std::int64_t>{1, 16, 16});
  data_readers::synthetic synthetic;
  synthetic.synth_dimensions = {3};
  // Labels and responses of whatever dims a loss compares them with.
  REQUIRE(synthetic.gives().size() == 3);
  CHECK(synthetic.gives()[1].dims.empty());
  CHECK(synthetic.gives()[2].dims.empty());
  synthetic.num_labels = 4;
  synthetic.synth_response_dimensions = {2, 2};
  REQUIRE(synthetic.gives().size() == 3);
  CHECK(synthetic.gives()[1].dims == std::vector<std::int64_t>{4});
  CHECK(synthetic.gives()[2].name == "responses");
}
