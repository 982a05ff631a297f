// Readers, callbacks and metrics of plans that no compiler writes are refused with their place.
#include "schemas/plan/verify_declared.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <functional>

#include "schemas/callbacks/list.hpp"
#include "schemas/callbacks/references.hpp"
#include "schemas/data_readers/list.hpp"
#include "schemas/metrics/executable_metric.hpp"
#include "tests/support/contains.hpp"
#include "tests/support/small_plan.hpp"

using namespace lbann;
using testing::contains;

namespace {

constexpr Span place{0, 13, 19};  // line 2 of the small plan

/// What `decode` says of the small plan with this callback.
template <class Callback>
std::string refusal(Callback const& callback) {
  auto plan = tests::small_plan();
  plan.callbacks.push_back({to_record(callback), place});
  auto const decoded = decode(encode(plan));
  return decoded ? "" : decoded.problem().message;
}

/// Calls `visit` with an object of each built callback and reader.
template <class... Ts, class Visit>
void each_of(std::variant<Ts...> const*, Visit const& visit) {
  (visit(Ts{}), ...);
}

/// A number that a range does not hold, if there is one.
std::optional<double> outside(FieldView const& field) {
  auto const& range = field.terms->range;
  for (auto const number : {range.least - 1, range.most + 1, range.least, range.most})
    if (std::isfinite(number) && !range.holds(number)) return number;
  return std::nullopt;
}

/// The record of `object` with this number in a field.
template <class T>
Record with_number(T object, std::size_t field, double number) {
  auto record = to_record(object);
  auto& value = record.fields[field].second;
  if (std::holds_alternative<std::int64_t>(value)) value = static_cast<std::int64_t>(number);
  if (std::holds_alternative<double>(value)) value = number;
  if (std::holds_alternative<std::vector<std::int64_t>>(value))
    value = std::vector<std::int64_t>{static_cast<std::int64_t>(number)};
  if (std::holds_alternative<std::vector<double>>(value)) value = std::vector<double>{number};
  return record;
}

}  // namespace

TEST_CASE("a refusal names place, callback, field and remedy") {
  callbacks::print print;
  print.interval = 0;
  CHECK(refusal(print) ==
        "the plan does not fit this program: small.yaml:2:1: callback `print`: `interval` must be "
        "at least 1 and at most 1000000000000, not 0; compile the experiment again with the "
        "lbann-compile beside it");
}

TEST_CASE("numbers that crashed a runtime are refused") {
  callbacks::progress_bar bar;
  CHECK(refusal(bar) == "");
  bar.bar_width = -1;
  CHECK(contains(refusal(bar), "callback `progress_bar`: `bar_width` must be"));
  bar = {};
  bar.moving_average_length = 500000000000000000;
  CHECK(contains(refusal(bar), "`moving_average_length` must be"));
  callbacks::check_gradients check;
  check.step_size = std::numeric_limits<double>::infinity();
  CHECK(contains(refusal(check), "`step_size` must be"));
  check.step_size = std::numeric_limits<double>::quiet_NaN();
  CHECK(contains(refusal(check), "`step_size` must be"));
  callbacks::check_metric metric;
  metric.metric = "accuracy";
  CHECK(refusal(metric) == "");
  metric.lower_bound = -std::numeric_limits<double>::infinity();
  CHECK(contains(refusal(metric), "`lower_bound` must be a finite number, not -inf"));
}

TEST_CASE("every range that is declared holds when a plan is read") {
  std::size_t tried = 0;
  auto const refused = [&](Plan const& plan, std::string_view field) {
    auto const fault = verify_declared(plan);
    CAPTURE(field);
    ++tried;
    CHECK(contains(fault.value_or(""), "`" + std::string(field) + "` must be"));
  };
  each_of(static_cast<DeclaredCallback const*>(nullptr), [&]<class T>(T const& object) {
    auto const fields = fields_of(object);
    for (std::size_t i = 0; i < fields.size(); ++i) {
      auto const number = outside(fields[i]);
      if (!number || with_number(object, i, *number) == to_record(object)) continue;
      auto plan = tests::small_plan();
      plan.callbacks = {{with_number(object, i, *number), place}};
      refused(plan, fields[i].terms->name);
    }
  });
  each_of(static_cast<DataReader const*>(nullptr), [&]<class T>(T const& object) {
    auto const fields = fields_of(object);
    for (std::size_t i = 0; i < fields.size(); ++i) {
      auto const number = outside(fields[i]);
      if (!number || with_number(object, i, *number) == to_record(object)) continue;
      auto plan = tests::small_plan();
      plan.data[0].reader = {with_number(object, i, *number), place};
      refused(plan, fields[i].terms->name);
    }
  });
  CHECK(tried > 40);
}

TEST_CASE("every count of a callback or reader has a largest value") {
  auto const bounded = [](auto const& object) {
    for (auto const& field : fields_of(object)) {
      bool const counts = field.type->kind == FieldKind::integer && field.terms->name != "seed";
      CAPTURE(field.terms->name);
      CHECK((!counts || std::isfinite(field.terms->range.most)));
    }
  };
  each_of(static_cast<DeclaredCallback const*>(nullptr), bounded);
  each_of(static_cast<DataReader const*>(nullptr), bounded);
}

TEST_CASE("references are fields of texts, and nothing else names layers, weights or phases") {
  std::size_t count = 0;
  auto const check = [&]<class T>(T const& object) {
    auto const references = callbacks::references_of<T>();
    count += references.size();
    CHECK(callbacks::references_of(T::name).size() == references.size());
    for (auto const& field : fields_of(object)) {
      auto const name = field.terms->name;
      bool const texts =
          field.type->kind == FieldKind::text || field.type->kind == FieldKind::texts;
      bool const referring =
          std::ranges::find(references, name, &callbacks::Reference::field) != references.end();
      bool const known = name.find("layers") != name.npos || name.find("weights") != name.npos ||
                         name.find("modes") != name.npos || name == "metric" || name == "best";
      CAPTURE(T::name);
      CAPTURE(name);
      CHECK((!known || !texts || referring));
      CHECK((!referring || texts));
    }
  };
  each_of(static_cast<DeclaredCallback const*>(nullptr), check);
  CHECK(count >= 6);
}

TEST_CASE("names that the plan does not have are refused") {
  callbacks::dump_outputs dump;
  dump.layers = {"ip1", "ip3"};
  CHECK(contains(refusal(dump),
                 "small.yaml:2:1: callback `dump_outputs`: `layers` names `ip3`, and the plan has "
                 "no such layer"));
  callbacks::check_metric metric;
  metric.metric = "accuracy";
  CHECK(refusal(metric) == "");
  metric.execution_modes = {"trainning"};
  CHECK(contains(refusal(metric), "`trainning`, and a run has no such phase"));
  // LBANN's words for phases that a run does not have yet: the compiler notes that nothing happens.
  metric.execution_modes = {"predict", "tournament"};
  CHECK(refusal(metric) == "");
  metric.metric = "top 5";
  CHECK(contains(refusal(metric), "no such metric"));
}

TEST_CASE("the best model is chosen by what the plan measures, after validations it has") {
  callbacks::save_model save{.dir = "best", .best = "accuracy", .mode = callbacks::BestMode::max};
  auto plan = tests::small_plan();
  auto const fault = [&](auto const& callback) {
    plan.callbacks = {{to_record(callback), place}};
    return verify_declared(plan).value_or("");
  };
  CHECK(contains(fault(save), "`best`: phase-without-data, save_model, validation"));
  CHECK(contains(fault(callbacks::early_stopping{.patience = 1, .restore_best = true}),
                 "`restore_best`: phase-without-data"));
  CHECK(fault(callbacks::early_stopping{.patience = 1}) == "");
  callbacks::save_topk_models top{.dir = "top", .k = 1, .metric = "accuracy"};
  CHECK(contains(fault(top), "phase-without-data, save_topk_models, test"));
  for (auto& [field, value] : plan.data[0].reader.record.fields)
    if (field == "validation_fraction") value = 0.5;
  CHECK(fault(save) == "");
  save.best = "acuracy";
  CHECK(contains(fault(save), "`best` names `acuracy`, and the plan has no such metric"));
  save.best = "accuracy";
  save.mode = callbacks::BestMode::automatic;
  CHECK(contains(fault(save), "`best`: missing-field"));
  save.best = "objective";
  CHECK(fault(save) == "");
  save.best = "";
  CHECK(fault(save) == "");
}

TEST_CASE("a confusion matrix needs its layers observed") {
  callbacks::confusion_matrix matrix;
  matrix.prediction = "ip2";
  matrix.label = "nobody";
  CHECK(contains(refusal(matrix), "`label` names `nobody`, and the plan has no such layer"));
  matrix.label = "ip2";
  CHECK(contains(refusal(matrix), "output 0 of `ip2` is not observed in `train`"));
}

TEST_CASE("types, fields and support are those of this program") {
  auto const fault = [](std::function<void(Plan&)> const& change) {
    auto plan = tests::small_plan();
    change(plan);
    return verify_declared(plan).value_or("");
  };
  CHECK(fault([](Plan&) {}) == "");
  CHECK(contains(fault([](Plan& plan) { plan.callbacks[0].record.type = "prinnt"; }),
                 "callback `prinnt`: this program has none of this type"));
  CHECK(contains(fault([](Plan& plan) { plan.callbacks[0].record.fields.clear(); }),
                 "its fields are not those that this program knows"));
  CHECK(contains(fault([](Plan& plan) { plan.data[0].reader.record.type = "no_such_reader"; }),
                 "reader `no_such_reader`: this program has none of this type"));
  CHECK(contains(fault([](Plan& plan) { plan.data[0].role = ExecutionMode::testing; }),
                 "`role` is not"));
  CHECK(contains(fault([](Plan& plan) {
                   callbacks::print print;
                   print.print_global_stat_only = true;
                   plan.callbacks = {{to_record(print), place}};
                 }),
                 "`print_global_stat_only` is not supported yet"));
  CHECK(contains(fault([](Plan& plan) {
                   data_readers::text reader;
                   reader.sequence_length = 1;
                   plan.data[0].reader = {to_record(reader), place};
                 }),
                 "reader `text`: `data_filenames`: at least one file is needed"));
  metrics::executable_metric metric;
  metric.filename = "ask";
  auto const asked = [&](Record record) {
    return fault([&](Plan& plan) {
      plan.metrics.push_back({"asked", "", {}, {}, {}, Declared{std::move(record), place}});
    });
  };
  CHECK(asked(to_record(metric)) == "");
  CHECK(contains(asked(to_record(callbacks::print{})), "metric `print`: this program has none"));
}
