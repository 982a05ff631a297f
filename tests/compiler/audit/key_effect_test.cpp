// Every field of every declaration, and every choice of it, changes what a plan means, or is on a
// short list that says why not, or a note tells the user: no key is accepted and not used.
#include <doctest/doctest.h>

#include <algorithm>
#include <map>
#include <set>

#include "compiler/compile.hpp"
#include "compiler/diagnostics/render.hpp"
#include "compiler/experiment/sections.hpp"
#include "schemas/callbacks/execution_modes.hpp"
#include "tests/compiler/audit/key_effect_tables.hpp"

using namespace lbann;
using namespace lbann::compiler;
using namespace lbann::compiler::audit;

namespace {
struct Parts {
  std::string reader = "- digits: {role: train, num_samples: 16, size: 8}";
  std::string more_readers =
      "\n  - digits: {role: validate, num_samples: 8, size: 8}"
      "\n  - digits: {role: test, num_samples: 8, size: 8}";
  std::string layer = "- relu: {name: t, parents: c}";
  std::string trainer = "mini_batch_size: 4, training_algorithm: {sgd: {max_epochs: 2}}";
  std::string model, weights, term, metric, callback;
  std::string optimizer = "sgd: {learn_rate: 0.1}";
  bool flat = false;     ///< samples are no images
  bool labelled = true;  ///< there are labels
  bool measured = true;  ///< the layer has an output for the objective
};

std::string experiment(Parts const& parts) {
  std::string text = "trainer: {" + parts.trainer + "}\ndata_reader:\n  " + parts.reader +
                     parts.more_readers + "\nmodel:\n" + parts.model +
                     "  layers:\n"
                     "    - input: {name: samples, data_field: samples}\n" +
                     (parts.flat ? "    - reshape: {name: x, dims: [1, -1, 8]}\n"
                                 : "    - identity: {name: x}\n") +
                     (parts.labelled ? "    - input: {name: y, data_field: labels}\n" : "") +
                     "    - convolution: {name: c, parents: x, out_channels: 4, kernel_size: 3}\n"
                     "    - fully_connected: {name: six, parents: x, num_neurons: 6}\n"
                     "    - fully_connected: {name: p, parents: x, num_neurons: 10}\n"
                     "    - softmax: {name: q}\n"
                     "    - weights_layer: {name: rows, dims: [12, 12]}\n"
                     "    - slice: {name: row, parents: rows, slice_points: [0, 1]}\n"
                     "    - slice: {name: pair, parents: rows, slice_points: [0, 2]}\n"
                     "    - slice: {name: narrow, parents: row, axis: 1, slice_points: [0, 4]}\n"
                     "    " +
                     parts.layer + "\n";
  text += "    - l2_norm2: {name: loss, parents: " + std::string(parts.measured ? "t" : "c") +
          "}\n" +
          "    - l2_norm2: {name: other, parents: c}\n  objective_function:\n"
          "    - layer_term: {layer: loss}\n";
  if (!parts.term.empty()) text += "    " + parts.term + "\n";
  if (!parts.metric.empty()) text += "  metrics:\n    " + parts.metric + "\n";
  if (!parts.callback.empty()) text += "  callbacks:\n    " + parts.callback + "\n";
  if (!parts.weights.empty()) text += "  weights:\n    " + parts.weights + "\n";
  return text + "optimizer: {" + parts.optimizer + "}\n";
}

/// `a: 1, b: [2, 3]` cut at its commas, not at those in brackets.
std::vector<std::string> pieces_of(std::string const& body) {
  std::vector<std::string> pieces;
  int depth = 0;
  std::string piece;
  for (char const c : body) {
    depth += c == '[' || c == '{' ? 1 : c == ']' || c == '}' ? -1 : 0;
    if (c == ',' && depth == 0) {
      pieces.push_back(std::move(piece));
      piece.clear();
    } else if (c != ' ' || !piece.empty()) {
      piece += c;
    }
  }
  if (!piece.empty()) pieces.push_back(std::move(piece));
  return pieces;
}

/// `type: {...}` with `more`, what the type needs, and `field` as `value`.
std::string entry(std::string_view type, std::string const& more, std::string_view field,
                  std::string const& value) {
  auto pieces = pieces_of(more);
  if (auto const found = needed.find(type); found != needed.end())
    for (auto& piece : pieces_of(found->second))
      if (field.empty() || !piece.starts_with(std::string(field) + ":"))
        pieces.push_back(std::move(piece));
  if (!field.empty()) pieces.push_back(std::string(field) + ": " + value);
  auto text = std::string(type) + ": {";
  for (auto const& piece : pieces) text += (text.back() == '{' ? "" : ", ") + piece;
  return text + "}";
}

/// A value of the field's kind that is not its default.
std::string another(std::string const& key, FieldInfo const& field) {
  for (auto const& name : {key, "*." + std::string(field.name)})
    if (auto const found = changed.find(name); found != changed.end()) return found->second;
  auto const inside = [&](double x) { return field.range.holds(x); };
  switch (field.kind) {
    case FieldKind::boolean:
      return std::get<bool>(field.default_value) ? "false" : "true";
    case FieldKind::integer: {
      auto const now = std::get<std::int64_t>(field.default_value);
      for (auto const candidate : {now + 1, std::int64_t{3}, std::int64_t{1}})
        if (inside(static_cast<double>(candidate)) && candidate != now)
          return std::to_string(candidate);
      return "0";
    }
    case FieldKind::real: {
      auto const now = std::get<double>(field.default_value);
      for (double const candidate : {0.25, 0.75, 0.01})
        if (inside(candidate) && candidate != now) return std::to_string(candidate);
      return "2.5";
    }
    case FieldKind::choice:
      for (auto const choice : field.choices)
        if (choice != std::get<std::string>(field.default_value)) return std::string(choice);
      return {};
    case FieldKind::texts:
    case FieldKind::text:
      return "changed";
    default:
      return "[2]";
  }
}

/// The entry that is to stand in place of the usual one, or null.
std::optional<std::string> whole_entry(std::string_view type, std::string_view field,
                                       std::string const& value) {
  auto const found = instead.find(std::string(type) + "." + std::string(field));
  if (found == instead.end()) return std::nullopt;
  auto text = found->second;
  if (auto const place = text.find("{}"); place != text.npos) text.replace(place, 2, value);
  return text;
}

/// What an experiment means, and whether a note says that `word` of it has no effect.
struct Meaning {
  std::uint64_t digest = 0;
  bool noted = false;
};

class Audit {
 public:
  /// Nothing after a complaint, or where something is refused as not supported yet.
  std::optional<Meaning> meaning(std::string const& text, std::string_view word = {}) {
    CompileOptions options;
    options.name = "audit.yaml";
    options.text = text;
    auto const compiled = compile(options, declarations);
    if (!compiled.plan) {
      auto const& said = compiled.report.diagnostics();
      bool const unimplemented = std::ranges::any_of(said, [](Diagnostic const& diagnostic) {
        return diagnostic.info->code == "not-supported-yet";
      });
      if (!unimplemented) FAIL_CHECK(text << render(compiled.report, compiled.sources, false));
      return std::nullopt;
    }
    // What compiles is what a run takes.
    auto const loaded = decode(encode(*compiled.plan));
    if (!loaded) FAIL_CHECK(text << loaded.problem().message);
    Meaning meaning{meaning_digest(*compiled.plan)};
    for (auto const& diagnostic : compiled.report.diagnostics())
      meaning.noted = meaning.noted || (diagnostic.info->code == "no-effect" &&
                                        diagnostic.values.front().text.ends_with(word));
    return meaning;
  }

  /// `place` puts an entry with a field changed (or none: an empty name) into an experiment.
  template <class Place>
  void fields(DeclarationType const& type, Place place, std::string_view owner = {}) {
    std::string const name(owner.empty() ? type.name : owner);
    if (type.fields.empty() || type.support != Support::implemented) return;
    auto const base = meaning(place("", ""));
    for (auto const& field : type.fields) {
      auto const key = name + "." + std::string(field.name);
      CAPTURE(key);
      // What is not built is refused.
      if (field.support == Support::unimplemented) continue;
      if (inert_keys.contains(key)) {
        unmet.erase(key);
        continue;
      }
      ++examined;
      if (field.support == Support::ignored)
        no_effect(base, place(field.name, another(key, field)), field.name);
      else if (field.path)
        same_meaning(place(field.name, "first"), place(field.name, "second"));
      else
        another_meaning(base, place(field.name, another(key, field)));
      if (field.support == Support::implemented) choices(key, field, place);
    }
  }

  /// Each choice means something of its own, or a note says that it does nothing.
  template <class Place>
  void choices(std::string const& key, FieldInfo const& field, Place place) {
    std::map<std::uint64_t, std::string_view> seen;
    for (auto const choice : field.choices) {
      auto const what = key + ": " + std::string(choice);
      if (inert_keys.contains(key + "=" + std::string(choice))) {
        unmet.erase(key + "=" + std::string(choice));
        continue;
      }
      CAPTURE(what);
      auto const now = meaning(place(field.name, std::string(choice)), choice);
      if (!now) continue;
      ++alternatives;
      if (field.name == "execution_modes") CHECK(now->noted == !callbacks::mode_named(choice));
      if (now->noted) continue;
      auto const [known, is_new] = seen.emplace(now->digest, choice);
      CHECK_MESSAGE(is_new, what, " does what ", known->second, " does");
    }
  }

  void another_meaning(std::optional<Meaning> const& base, std::string const& text) {
    auto const now = meaning(text);
    if (base && now) CHECK_MESSAGE(base->digest != now->digest, "it changes nothing");
  }

  void same_meaning(std::string const& first, std::string const& second) {
    auto const one = meaning(first), other = meaning(second);
    if (one && other) CHECK_MESSAGE(one->digest == other->digest, "a path changes the meaning");
  }

  void no_effect(std::optional<Meaning> const& base, std::string const& text,
                 std::string_view field) {
    auto const now = meaning(text, field);
    if (!base || !now) return;
    CHECK_MESSAGE(now->noted, "no note tells that it has no effect");
  }

  Declarations const declarations;
  std::set<std::string> unmet = [] {
    std::set<std::string> keys;
    for (auto const& [key, reason] : inert_keys) keys.insert(key);
    return keys;
  }();
  std::size_t examined = 0, alternatives = 0;
};

/// Declared types of an experiment, whose fields the runtime reads.
template <class Visit>
void each_type(Declarations const& declarations, Visit visit) {
  for (auto const* list :
       {&declarations.layer_list, &declarations.reader_list, &declarations.optimizer_list,
        &declarations.initializer_list, &declarations.callback_list, &declarations.objective_list,
        &declarations.metric_list, &declarations.training_algorithm_list})
    for (auto const* type : *list) visit(*type);
}

}  // namespace

TEST_CASE("fields that are named like paths, or written to, are declared as such") {
  Declarations const declarations;
  std::size_t paths = 0, written = 0;
  each_type(declarations, [&](DeclarationType const& type) {
    for (auto const& field : type.fields) {
      CAPTURE(type.name);
      CAPTURE(field.name);
      bool const named = field.name.find("file") != field.name.npos ||
                         field.name.find("dir") != field.name.npos ||
                         field.name.find("path") != field.name.npos;
      bool const text = field.kind == FieldKind::text || field.kind == FieldKind::texts;
      if (named && text) CHECK(field.path);
      if (field.written) {
        CHECK(field.path);
        ++written;
      }
      paths += field.path ? 1 : 0;
    }
  });
  CHECK(paths > 30);
  CHECK(written >= 12);
}

TEST_CASE("key-effect audit: no field and no choice is accepted and not used") {
  Audit audit;
  auto const& declarations = audit.declarations;
  for (auto const* type : declarations.layer_list)
    audit.fields(*type, [&](std::string_view field, std::string const& value) {
      Parts parts;
      auto const found = parents.find(type->name);
      auto const more = found == parents.end() ? std::string("parents: c") : found->second;
      auto const whole = whole_entry(type->name, field, value);
      parts.layer = "- " + (whole ? *whole
                                  : entry(type->name, "name: t" + (more.empty() ? "" : ", " + more),
                                          field, value));
      parts.measured = type->name != "dummy";
      return experiment(parts);
    });
  audit.fields(declarations.layer, [&](std::string_view field, std::string const& value) {
    Parts parts;
    bool const named = field == "name", placed = field == "parents";
    parts.layer =
        "- convolution: {name: " + std::string(named ? value : "t") +
        ", parents: " + (placed ? value : "x") + ", out_channels: 4, kernel_size: 3" +
        (placed ? ", padding: 1" : "") +
        (field.empty() || named || placed ? "" : ", " + std::string(field) + ": " + value) + "}";
    if (field == "weights") parts.weights = "- {name: w}";
    parts.measured = !named;
    if (placed) parts.layer = "- relu: {name: t, parents: " + value + "}";
    if (field == "data_layout")
      parts.layer =
          "- fully_connected: {name: t, parents: x, num_neurons: 4, data_layout: " + value + "}";
    return experiment(parts);
  });
  for (auto const* type : declarations.reader_list)
    audit.fields(*type, [&](std::string_view field, std::string const& value) {
      Parts parts;
      auto const whole = whole_entry(type->name, field, value);
      parts.flat = flat_readers.contains(type->name);
      parts.labelled = !unlabelled_readers.contains(type->name) &&
                       (field != "disable_labels" || value == "false");
      parts.reader = "- " + (whole ? *whole : entry(type->name, "", field, value));
      parts.more_readers.clear();
      return experiment(parts);
    });
  for (auto const* type : declarations.optimizer_list)
    audit.fields(*type, [&](std::string_view field, std::string const& value) {
      Parts parts;
      parts.optimizer = entry(type->name, "", field, value);
      return experiment(parts);
    });
  for (auto const* type : declarations.initializer_list)
    audit.fields(*type, [&](std::string_view field, std::string const& value) {
      Parts parts;
      parts.layer = type->name == "value_initializer"
                        ? "- weights_layer: {name: t, dims: [3], weights: [w]}"
                        : "- fully_connected: {name: t, parents: c, num_neurons: 3, weights: [w]}";
      if (type->name == "data_statistics_initializer") {
        // Samples of as many channels as labels have entries.
        parts.reader =
            "- synthetic: {role: train, num_samples: 16, synth_dimensions: [10, 8, 8], "
            "num_labels: 10}";
        parts.more_readers.clear();
        parts.layer = "- weights_layer: {name: t, dims: [10], weights: [w]}";
      }
      parts.weights = "- {name: w, initializer: {" + entry(type->name, "", field, value) + "}}";
      return experiment(parts);
    });
  for (auto const* type : declarations.callback_list)
    audit.fields(*type, [&](std::string_view field, std::string const& value) {
      Parts parts;
      parts.layer = "- convolution: {name: t, parents: x, out_channels: 4, kernel_size: 3}";
      parts.metric =
          "- layer_metric: {layer: loss, name: measured}\n"
          "    - layer_metric: {layer: other, name: second}";
      parts.callback = "- " + entry(type->name, "", field, value);
      if (type->name == "perturb_adam") parts.optimizer = "adam: {learn_rate: 0.1}";
      if (type->name == "perturb_dropout")
        parts.layer =
            "- dropout: {name: dropped, parents: x}\n"
            "    - dropout: {name: more, keep_prob: 0.8}\n"
            "    - convolution: {name: t, out_channels: 4, kernel_size: 3}";
      return experiment(parts);
    });
  for (auto const* type : declarations.objective_list)
    audit.fields(*type, [&](std::string_view field, std::string const& value) {
      Parts parts;
      parts.term = "- " + entry(type->name, "", field, value);
      return experiment(parts);
    });
  for (auto const* type : declarations.metric_list)
    audit.fields(*type, [&](std::string_view field, std::string const& value) {
      Parts parts;
      parts.metric = "- " + entry(type->name, "", field, value);
      return experiment(parts);
    });
  audit.fields(declarations.trainer, [&](std::string_view field, std::string const& value) {
    Parts parts;
    bool const size = field == "mini_batch_size";
    parts.trainer = "mini_batch_size: " + (size ? value : "4") +
                    ", training_algorithm: {sgd: {max_epochs: 2}}" +
                    (field.empty() || size ? "" : ", " + std::string(field) + ": " + value);
    return experiment(parts);
  });
  audit.fields(
      *declarations.training_algorithm_list.front(),
      [&](std::string_view field, std::string const& value) {
        Parts parts;
        bool const epochs = field == "max_epochs";
        parts.trainer = "mini_batch_size: 4, training_algorithm: {sgd: {max_epochs: " +
                        (epochs ? "7" : std::string("2")) +
                        (field.empty() || epochs ? "" : ", " + std::string(field) + ": " + value) +
                        "}}";
        return experiment(parts);
      },
      "training sgd");
  audit.fields(declaration_type<sections::data_coordinator>(), [&](std::string_view field,
                                                                   std::string const& value) {
    Parts parts;
    if (!field.empty())
      parts.trainer += ", data_coordinator: {" + std::string(field) + ": " + value + "}";
    return experiment(parts);
  });
  audit.fields(declarations.model, [&](std::string_view field, std::string const& value) {
    Parts parts;
    if (field != "sharded") parts.model = "  sharded: true\n";
    if (!field.empty()) parts.model += "  " + std::string(field) + ": " + value + "\n";
    if (field == "num_epochs") parts.trainer = "mini_batch_size: 4";
    return experiment(parts);
  });
  audit.fields(declarations.weights, [&](std::string_view field, std::string const& value) {
    Parts parts;
    bool const named = field == "name";
    auto const name = named ? value : std::string("w");
    parts.layer =
        "- fully_connected: {name: t, parents: c, num_neurons: 3, weights: [" + name + "]}";
    parts.weights = "- {name: " + name + (field == "sharded" ? "" : ", sharded: true") +
                    (field.empty() || named ? "" : ", " + std::string(field) + ": " + value) + "}";
    return experiment(parts);
  });
  CHECK(audit.unmet.empty());
  CHECK(audit.examined > 40);
  CHECK(audit.alternatives > 40);
  MESSAGE(audit.examined << " fields and " << audit.alternatives << " choices looked at, "
                         << inert_keys.size() << " are without effect");
}
