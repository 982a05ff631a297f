// JSON Schema written from the declarations: one definition for each type and each list.
#include "compiler/reference/json_schema.hpp"

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "compiler/experiment/expanding/modules.hpp"
#include "compiler/reference/snippets.hpp"

namespace lbann::compiler {

namespace {

using Json = nlohmann::ordered_json;

constexpr std::string_view expression_pattern = "\\$\\{.*\\}";

Json reference(std::string const& name) { return {{"$ref", "#/definitions/" + name}}; }

Json value_json(Value const& value) {
  return std::visit(
      [](auto const& held) -> Json {
        using T = std::decay_t<decltype(held)>;
        if constexpr (std::is_same_v<T, Shape> || std::is_same_v<T, Expression>)
          return nullptr;
        else
          return Json(held);
      },
      value);
}

bool is_empty(Json const& value) {
  return value.is_null() || (value.is_string() && value.get<std::string>().empty()) ||
         (value.is_array() && value.empty());
}

void add_range(Json& schema, Range range) {
  auto const bound = [](double x) {
    return x == std::floor(x) && std::abs(x) < 0x1p53 ? Json(static_cast<std::int64_t>(x))
                                                      : Json(x);
  };
  if (std::isfinite(range.least))
    schema[range.least_excluded ? "exclusiveMinimum" : "minimum"] = bound(range.least);
  if (std::isfinite(range.most))
    schema[range.most_excluded ? "exclusiveMaximum" : "maximum"] = bound(range.most);
}

Json choice_schema(FieldInfo const& field) {
  std::string words;
  for (auto const choice : field.choices) words += (words.empty() ? "" : "|") + std::string(choice);
  Json schema = {{"type", "string"},
                 {"pattern", "^(" + words + ")$|" + std::string(expression_pattern)},
                 {"patternErrorMessage", "one of " + words}};
  schema["examples"] = field.choices;
  return schema;
}

/// A value of a type of JSON, or an expression. Editors show `words` of any other value, and
/// insert nothing for it: they go by the first type.
Json value_or_expression(std::string_view type, std::string_view words) {
  auto const message = std::string(words) + ", or an expression `${...}`";
  return {{"type", {"string", type}},
          {"pattern", expression_pattern},
          {"patternErrorMessage", message},
          {"errorMessage", message}};
}

/// What one value of a field may be; lists are made of these.
Json scalar_schema(FieldInfo const& field) {
  switch (field.kind) {
    case FieldKind::boolean:
      return value_or_expression("boolean", "`true` or `false`, without quotes");
    case FieldKind::integer:
    case FieldKind::integers:
      return value_or_expression("integer", "an integer, without quotes");
    case FieldKind::real:
    case FieldKind::reals:
      return value_or_expression("number", "a number, without quotes");
    case FieldKind::choice:
      return choice_schema(field);
    case FieldKind::text:
    case FieldKind::texts:
    case FieldKind::shape:
    case FieldKind::expression:
      break;
  }
  return field.choices.empty() ? Json{{"type", {"string", "number"}}} : choice_schema(field);
}

bool is_list(FieldKind kind) {
  return kind == FieldKind::integers || kind == FieldKind::reals || kind == FieldKind::texts;
}

/// Entries of a list of single values may also be written out several times.
void may_repeat(Json& entry, std::string const& kind) {
  entry["type"].push_back("object");
  entry["additionalProperties"] = false;
  entry["properties"]["repeat"] = reference(kind + "_repeat");
  entry["required"] = Json::array({"repeat"});  // of a mapping; numbers and texts have no keys
}

/// What may stand after the name of a field.
Json value_schema(FieldInfo const& field) {
  auto schema = scalar_schema(field);
  add_range(schema, field.range);
  if (is_list(field.kind)) {
    auto const element = schema;
    // A single value stands for a list of one; one text is not a list of words.
    auto types = Json::array({"array"});
    for (auto const& type : element["type"].is_array() ? element["type"] : Json{element["type"]})
      types.push_back(type);
    schema["type"] = types;
    if (field.kind == FieldKind::texts && field.choices.empty())
      schema["pattern"] = "^[^ ,]*$|" + std::string(expression_pattern);
    if (schema.contains("errorMessage"))
      for (auto const* key : {"errorMessage", "patternErrorMessage"})
        schema[key] = "one of them or a list, `[1, 2]`: " + element[key].get<std::string>();
    if (field.kind == FieldKind::texts && field.choices.empty())
      schema["patternErrorMessage"] = "one name, or a list of names, `[a, b]`";
    schema["items"] = element;
    if (field.kind != FieldKind::texts) may_repeat(schema["items"], "value");
    if (!field.pair.empty()) {
      schema["type"].push_back("object");
      Json texts = {{"type", {"string", "number"}}};
      schema["additionalProperties"] = texts;
      if (field.pair == "=") {
        schema["additionalProperties"]["type"].push_back("array");
        schema["additionalProperties"]["items"] = texts;
      }
    }
  }
  return schema;
}

Json field_schema(FieldInfo const& field) {
  auto schema = value_schema(field);
  // Editors write a list whose `items` they see in lines of its own, which braces cannot hold.
  if (is_list(field.kind))
    schema = {{"allOf", {std::move(schema)}},
              {"defaultSnippets", {{{"label", "[...]"}, {"body", "^[$1]"}}}}};
  auto words = std::string(field.doc);
  if (!field.unit.empty()) words += " (" + std::string(field.unit) + ")";
  schema["description"] = words;
  if (field.presence != Presence::required)
    if (auto const value = value_json(field.default_value);
        !is_empty(value) && (!value.is_number() || field.range.holds(value.get<double>())))
      schema["default"] = value;
  return schema;
}

/// What editors insert at a place where a mapping with the single key `name` is wanted. `fields`
/// are a snippet of its value; `^` keeps it as it is.
Json entry_snippet(std::string_view name, std::string_view summary, std::string const& fields) {
  return {{"label", name}, {"description", summary}, {"body", {{std::string(name), "^" + fields}}}};
}

/// A key whose value is defined elsewhere and of which editors insert `body` alone: from what lies
/// directly under a key they would write out all defaults.
Json named_section(std::string const& name, std::string_view summary, Json body) {
  return {{"allOf", {reference(name)}},
          {"description", summary},
          {"defaultSnippets", {{{"label", name}, {"body", std::move(body)}}}}};
}

/// A key that a snippet offers already. What stands beside `$ref` would be ignored.
Json not_offered(Json schema) { return {{"allOf", {std::move(schema)}}, {"doNotSuggest", true}}; }

/// Not among what editors offer; they strike it through, and say why where it is written.
void mark_unsupported(Json& schema, Support support, std::string_view reason) {
  if (support == Support::implemented) return;
  schema["deprecated"] = true;
  schema["deprecationMessage"] = support == Support::unimplemented
                                     ? std::string("declared by LBANN, not supported here yet")
                                     : "without effect here: " + std::string(reason);
}

/// Something with fields; null stands for none where none must be given.
Json object_schema(std::string_view words) {
  return {{"type", "object"},
          {"description", words},
          {"additionalProperties", false},
          {"patternProperties", {{"^x-", Json::object()}}},
          {"properties", Json::object()}};
}

void add_fields(Json& schema, std::vector<FieldInfo> const& fields) {
  for (auto const& field : fields) {
    auto& value = schema["properties"][std::string(field.name)] = field_schema(field);
    mark_unsupported(value, field.support, field.reason);
    if (field.presence == Presence::required) schema["required"].push_back(field.name);
  }
}

FieldInfo const enabled_field{"enabled",
                              "`false` switches the entry off.",
                              {},
                              FieldKind::boolean,
                              Presence::optional,
                              {},
                              true,
                              {}};

class SchemaWriter {
 public:
  explicit SchemaWriter(Declarations const& declarations) : vocabulary_(declarations) {}

  Json whole() {
    entries("layer", vocabulary_.layer_list, [&](Json& schema) {
      add_fields(schema, vocabulary_.layer.fields);
      add_parts(schema, vocabulary_.layer);
      schema["properties"]["weights"] =
          named_section("weights_of_layer", vocabulary_.weights.summary, "^$1");
    });
    entries("data_reader", vocabulary_.reader_list,
            [](Json& schema) { schema["properties"]["fields"] = reference("data_fields"); });
    entries("optimizer", vocabulary_.optimizer_list, [](Json&) {});
    entries("initializer", vocabulary_.initializer_list, [](Json&) {});
    entries("callback", vocabulary_.callback_list, [](Json&) {});
    entries("training_algorithm", vocabulary_.training_algorithm_list, [](Json&) {});
    entries("objective_term", vocabulary_.objective_list, [](Json&) {});
    entries("metric", vocabulary_.metric_list, [](Json&) {});
    for (auto const* kind : {"layer", "data_reader", "callback", "objective_term", "metric"})
      list(kind);
    add_calls();
    add_weights();
    add_value_repeat();
    add_data_fields();
    add_modules();

    auto root = object_schema("An experiment of LBANN.");
    auto& properties = root["properties"];
    properties["include"] = file_names("Files whose sections are added to this one.");
    properties["variables"] = {{"type", {"object", "null"}},
                               {"description", "Values that `${name}` stands for."},
                               {"additionalProperties", true}};
    properties["modules"] = reference("modules");
    properties["trainer"] = section("trainer", vocabulary_.trainer, [](Json&) {});
    properties["data_reader"] = reference("data_reader_list");
    properties["model"] = section("model", vocabulary_.model, [](Json& schema) {
      auto& parts = schema["properties"];
      parts["layers"] = reference("layer_list");
      parts["settings"] = {
          {"type", {"object", "null"}},
          {"description", "Fields of all layers whose names match a pattern with `*` and `?`."},
          {"additionalProperties", {{"type", "object"}}}};
      parts["weights"] = reference("weights_list");
      parts["objective_function"] = reference("objective_term_list");
      parts["metrics"] = reference("metric_list");
      parts["callbacks"] = reference("callback_list");
      schema["required"].push_back("layers");
    });
    properties["optimizer"] = reference("optimizer");
    properties["data_set_metadata"] =
        section("data_set_metadata", vocabulary_.data_set_metadata, [](Json&) {});
    Json schema = {{"$schema", "http://json-schema.org/draft-07/schema#"},
                   {"$comment", "Generated by lbann-compile --print-schema; never edited."},
                   {"title", "LBANN experiment"}};
    schema.update(root);
    // A list may be included where entries stand; its kind is not known before.
    schema["type"] = {"object", "array"};
    // What is left out here may stand in a file that is included, or in one that includes this.
    schema["if"] = {{"required", {"trainer", "model"}},
                    {"properties", {{"include", false}}},
                    {"additionalProperties", true}};
    auto& whole = schema["then"];
    for (std::string const name : {"trainer", "model"}) {
      whole.update(requiring(name, std::move(definitions_[name]["required"])), true);
      definitions_[name].erase("required");
    }
    // Where the model does not say for how many epochs, the trainer's algorithm must.
    whole["if"] = requiring("model", {"num_epochs"});
    whole["else"] = requiring("trainer", {"training_algorithm"});
    schema["definitions"] = std::move(definitions_);
    return schema;
  }

 private:
  /// An experiment whose section has these fields. Servers for TOML that take a mapping for closed
  /// unless it says otherwise see that others may stand beside them.
  static Json requiring(std::string const& section, Json fields) {
    Json const fields_of_section = {{"required", std::move(fields)},
                                    {"additionalProperties", true}};
    return {{"properties", {{section, fields_of_section}}}, {"additionalProperties", true}};
  }

  static Json file_names(std::string_view words) {
    return {{"type", {"string", "array"}}, {"items", {{"type", "string"}}}, {"description", words}};
  }

  /// A mapping of fields, defined under `name`; editors insert the fields it needs.
  template <class Complete>
  Json section(std::string const& name, DeclarationType const& type, Complete complete) {
    auto schema = object_schema(type.summary);
    add_fields(schema, type.fields);
    add_parts(schema, type);
    complete(schema);
    Json body = "^$1";
    if (schema.contains("required")) {
      body = Json::object();
      for (std::string const key : schema["required"])
        body[key] = "$" + std::to_string(body.size() + 1);
    }
    definitions_[name] = std::move(schema);
    return named_section(name, type.summary, std::move(body));
  }

  /// Keys under which other declarations stand. Types of entries are defined once for each name.
  void add_parts(Json& schema, DeclarationType const& type) {
    for (auto const& part : type.parts) {
      std::string const kind(part.name == "callbacks" ? "callback" : part.name);
      if (part.typed() && !definitions_.contains(kind)) entries(kind, part.types, [](Json&) {});
      auto value = part.typed() ? reference(kind)
                                : section("section." + kind, *part.types.front(), [](Json&) {});
      if (part.repeated()) value = {{"type", {"array", "null"}}, {"items", std::move(value)}};
      if (!part.typed() || part.repeated()) value["description"] = part.doc;
      schema["properties"][std::string(part.name)] = std::move(value);
    }
  }

  /// Definitions of the types of one kind, and of an entry: a mapping with a single key.
  template <class Complete>
  void entries(std::string const& kind, std::vector<DeclarationType const*> const& types,
               Complete complete) {
    Json entry = {{"type", "object"},
                  {"minProperties", 1},
                  {"maxProperties", 1},
                  {"additionalProperties", false},
                  {"properties", Json::object()},
                  {"defaultSnippets", Json::array()}};
    for (auto const* type : types) {
      std::string const name(type->name);
      auto schema = object_schema(described(*type));
      add_fields(schema, type->fields);
      add_parts(schema, *type);
      complete(schema);
      schema["title"] = name;
      schema["properties"]["enabled"] = field_schema(enabled_field);
      if (!schema.contains("required")) schema["type"] = {"object", "null"};
      definitions_[kind + "." + name] = std::move(schema);
      auto use = not_offered(reference(kind + "." + name));
      mark_unsupported(use, type->support, type->reason);
      // An ending that goes without saying.
      constexpr std::string_view ending = "_initializer";
      if (kind == "initializer" && name.ends_with(ending))
        entry["properties"][name.substr(0, name.size() - ending.size())] = use;
      entry["properties"][name] = std::move(use);
      if (type->support == Support::implemented)
        entry["defaultSnippets"].push_back(entry_snippet(
            name, type->summary, snippet_of_fields(*type, least_parents(kind, name))));
    }
    definitions_[kind] = std::move(entry);
  }

  /// How many parents an entry must have; none if it is no layer.
  int least_parents(std::string_view kind, std::string_view name) const {
    return kind == "layer" ? vocabulary_.layers.find(name)->parents.least : 0;
  }

  /// A further key of the entries of one kind.
  void add_entry(std::string const& kind, std::string const& name, Json use,
                 std::string_view summary, std::string const& fields) {
    definitions_[kind]["properties"][name] = not_offered(std::move(use));
    definitions_[kind]["defaultSnippets"].push_back(entry_snippet(name, summary, fields));
  }

  /// Its sentence, and what it computes.
  static std::string described(DeclarationType const& type) {
    std::string words(type.summary);
    if (!type.formula.empty()) words += "\n\n" + std::string(type.formula);
    return words;
  }

  /// `repeat` in a list of one kind.
  static Json repeat_of(std::string const& kind) {
    auto repeat = object_schema("Entries written out several times.");
    FieldInfo const times{"times",
                          "How often.",
                          {},
                          FieldKind::integer,
                          Presence::required,
                          {},
                          {},
                          {.least = 0, .most = 1'000'000}};
    FieldInfo const index{"index",
                          "Name of the number of the round, from 0.",
                          {},
                          FieldKind::text,
                          Presence::optional,
                          {},
                          std::string("index"),
                          {}};
    add_fields(repeat, {times, index, enabled_field});
    repeat["properties"]["entries"] = reference(kind + "_list");
    repeat["required"].push_back("entries");
    return repeat;
  }

  /// What lists of single values may hold beside these.
  void add_value_repeat() {
    Json value = {{"type", {"number", "string", "boolean"}}};
    may_repeat(value, "value");
    definitions_["value_list"] = {{"type", {"array", "null"}}, {"items", std::move(value)}};
    definitions_["value_repeat"] = repeat_of("value");
  }

  /// A list of entries, which may also repeat others or take them from a file.
  void list(std::string const& kind) {
    definitions_[kind + "_repeat"] = repeat_of(kind);
    add_entry(kind, "repeat", reference(kind + "_repeat"), "Entries written out several times.",
              "{times: $1, entries: [$2]}");
    constexpr std::string_view words = "File whose list is put here.";
    add_entry(kind, "include", {{"type", "string"}, {"description", words}}, words, "$1");
    definitions_[kind + "_list"] = {{"type", {"array", "null"}}, {"items", reference(kind)}};
  }

  void add_calls() {
    auto call = object_schema("The layers of a module.");
    std::vector<FieldInfo> fields = {
        {"module", "Name of the module.", {}, FieldKind::text, Presence::required, {}, {}, {}},
        {"name",
         "Name of the call, which its layers' names begin with; `<module>_<n>` if left out.",
         {},
         FieldKind::text,
         Presence::optional,
         {},
         {},
         {}},
        {"prefix",
         "What its layers' names begin with; the name of the call and `_` if left out.",
         {},
         FieldKind::text,
         Presence::optional,
         {},
         {},
         {}},
        {"parents",
         "Layers that stand for the inputs of the module; the layer before if left out.",
         {},
         FieldKind::texts,
         Presence::optional,
         {},
         {},
         {}},
        {"weights_of",
         "Earlier call of the same module whose weights this one uses.",
         {},
         FieldKind::text,
         Presence::optional,
         {},
         {},
         {}},
        enabled_field};
    add_fields(call, fields);
    call["properties"]["with"] = {{"type", {"object", "null"}},
                                  {"description", "Values of the module's parameters."}};
    definitions_["call"] = std::move(call);
    add_entry("layer", "call", reference("call"), "The layers of a module.", "{module: $1}");
  }

  void add_weights() {
    auto weights = object_schema(vocabulary_.weights.summary);
    add_fields(weights, vocabulary_.weights.fields);
    weights["properties"]["initializer"] = reference("initializer");
    weights["properties"]["optimizer"] = reference("optimizer");
    // In the list of a layer names may stand, and one entry stands for a list of one.
    auto of_layer = weights;
    of_layer["type"] = {"string", "number", "object"};
    definitions_["weights_in_place"] = of_layer;
    auto const& uses = *std::ranges::find(vocabulary_.layer.fields, "weights", &FieldInfo::name);
    of_layer.update(value_schema(uses));
    of_layer["type"].push_back("object");
    of_layer["items"] = reference("weights_in_place");
    definitions_["weights_of_layer"] = std::move(of_layer);
    weights["if"] = {{"properties", {{"repeat", false}, {"include", false}}}};
    weights["then"] = {{"required", weights["required"]}};
    weights.erase("required");
    definitions_["weights"] = std::move(weights);
    list("weights");
  }

  void add_data_fields() {
    FieldInfo const dims{
        "dims", "Sizes of one sample.",      {}, FieldKind::integers, Presence::required, {},
        {},     {.least = 1, .most = 0x1p53}};
    auto field = object_schema("A data field of the reader.");
    add_fields(field, {dims});
    definitions_["data_fields"] = {
        {"type", "object"},
        {"description", "Data fields whose dims the reader cannot tell."},
        {"additionalProperties", field}};
  }

  void add_modules() {
    Json types = Json::array();
    for (auto const& [name, kind] : parameter_types) types.push_back(name);
    auto parameter = object_schema("A parameter: its type, or its type and default.");
    parameter["type"] = {"object", "string"};
    parameter["properties"]["type"] = {{"type", "string"}, {"enum", types}};
    parameter["properties"]["default"] = Json::object();
    parameter["properties"]["doc"] = {{"type", "string"}};
    parameter["required"] = {"type"};
    auto module = object_schema("Layers that calls write out.");
    auto const names = [](std::string_view words) {
      return field_schema({"", words, {}, FieldKind::texts, Presence::optional, {}, {}, {}});
    };
    module["properties"] = {
        {"parameters", {{"type", {"object", "null"}}, {"additionalProperties", parameter}}},
        {"inputs", names("What the parents of a call are called inside.")},
        {"outputs", names("Layers that stand for a call; the last if left out.")},
        {"layers", reference("layer_list")}};
    module["required"] = {"layers"};
    definitions_["modules"] = {{"type", {"object", "null"}},
                               {"description", "Groups of layers with parameters."},
                               {"patternProperties", {{"^x-", Json::object()}}},
                               {"additionalProperties", module}};
  }

  Declarations const& vocabulary_;
  Json definitions_;
};

}  // namespace

std::string json_schema(Declarations const& declarations) {
  return SchemaWriter(declarations).whole().dump(1) + "\n";
}

}  // namespace lbann::compiler
