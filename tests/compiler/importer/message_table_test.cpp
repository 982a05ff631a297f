// The lists of LBANN's messages: read whole, and all of their fields known to the importer.
#include "compiler/importer/message_table.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <set>

#include "compiler/experiment/declarations.hpp"
#include "compiler/importer/message_keys.hpp"
#include "compiler/importer/prototext_rules.hpp"

using namespace lbann;
using namespace lbann::compiler;

namespace {

constexpr std::string_view scalar_types[] = {"bool",   "int32", "int64",  "uint32", "uint64",
                                             "double", "float", "string", "bytes"};

/// Fields of a message that the importer has no key for.
std::string unknown_fields(MessageType const& message, std::string_view name,
                           DeclarationType const& declaration) {
  auto const keys = message_keys(name, declaration);
  std::string unknown;
  for (auto const& field : message.fields)
    if (std::ranges::find(keys, field.name) == keys.end())
      unknown += std::string(name) + "." + std::string(field.name) + " ";
  return unknown;
}

}  // namespace

TEST_CASE("every field of LBANN's messages has a type and a number of its own") {
  CHECK(message_types().size() > 150);
  for (auto const& message : message_types()) {
    CHECK_MESSAGE(find_message_type(message.name) == &message, message.name, " is there twice");
    std::set<std::uint32_t> numbers;
    for (auto const& field : message.fields) {
      CHECK_MESSAGE(numbers.insert(field.number).second, message.name, ".", field.name);
      CHECK(field.number > 0);
      bool const known = std::ranges::find(scalar_types, field.type) != std::end(scalar_types) ||
                         find_message_type(field.type) != nullptr ||
                         find_message_enum(field.type) != nullptr;
      CHECK_MESSAGE(known, message.name, ".", field.name, " is of no type: ", field.type);
    }
  }
  auto const* values = find_message_type("Initializer.ValueInitializer");
  REQUIRE(values != nullptr);
  CHECK(values->find("values")->repeated);
  CHECK(values->find("values")->type == "float");
  CHECK(values->find(2)->name == "values_d");
  CHECK(find_message_enum("DataType")->values.back() ==
        std::pair<std::string_view, std::int64_t>{"COMPLEX_DOUBLE", 5});
  CHECK(find_message_type("LbannPB")->find("training_algorithm")->number == 76);
  CHECK(find_message_type("no message") == nullptr);
}

TEST_CASE("the importer knows every field of LBANN's messages") {
  Declarations const declarations;
  std::string unknown;
  // What each member of a `oneof` holds.
  auto const members = [&](std::string_view message, std::string_view kind,
                           std::vector<DeclarationType const*> const& types) {
    for (auto const& member : find_message_type(message)->fields) {
      auto const* inner = find_message_type(member.type);
      auto const* rename = rename_of(kind, member.name);
      auto const name = rename != nullptr ? rename->name : member.name;
      auto const type = std::ranges::find(types, name, &DeclarationType::name);
      if (inner == nullptr || member.name == "operator_layer" || member.name == "evaluation" ||
          member.name == "parallel_strategy" || member.name == "grid_tag")
        continue;
      if (type == types.end())
        unknown += std::string(message) + "." + std::string(member.name) + " ";
      else
        unknown += unknown_fields(*inner, std::string(kind) + "." + std::string(name), **type);
    }
  };
  members("Optimizer", "optimizer", declarations.optimizer_list);
  members("Initializer", "initializer", declarations.initializer_list);
  members("Metric", "metric", declarations.metric_list);
  members("ObjectiveFunction", "objective", declarations.objective_list);
  members("Callback", "callback", declarations.callback_list);
  members("Layer", "layer", declarations.layer_list);
  members("Transform", "transform", declarations.reader_list.front()->parts.front().types);
  unknown += unknown_fields(*find_message_type("Trainer"), "trainer", declarations.trainer);
  unknown += unknown_fields(*find_message_type("Weights"), "weights", declarations.weights);
  // Points of JAG's data, which an experiment can write out. Evaluations LBANN adds itself.
  CHECK(unknown == "layer.slice.get_slice_points_from_reader ");
  // All readers together read every field of LBANN's one message, but for one that LBANN does not
  // read either.
  std::set<std::string_view> read = {"name", "num_image_srcs"};
  for (auto const* type : declarations.reader_list)
    for (auto const key : message_keys("reader." + std::string(type->name), *type))
      read.insert(key);
  for (auto const& field : find_message_type("Reader")->fields)
    CHECK_MESSAGE(read.contains(field.name), field.name, " is read by no reader");
}
