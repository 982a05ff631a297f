// Names first, then inputs, then the layers with what differs as parameters.
#include "compiler/export/module_draft.hpp"

#include <algorithm>
#include <array>

#include "compiler/export/nodes.hpp"
#include "compiler/export/parameters.hpp"

namespace lbann::compiler {

namespace {

constexpr char const* any_word = "block";
constexpr std::size_t most_parameters = 8, most_beginnings = 2, most_inputs = 4;
constexpr std::array<char const*, most_inputs> input_names = {"x", "x2", "x3", "x4"};

std::string name_in(Node const& weights) {
  if (weights.kind == Node::Kind::scalar) return weights.text;
  auto const* name = weights.find("name");
  return name == nullptr ? std::string() : name->value.text;
}

bool declares(Node const& weights) { return weights.kind == Node::Kind::mapping; }

/// The last word of letters in a name, for the name of a module: `block` of `layer0_block12`.
std::string last_word(std::string name) {
  while (!name.empty()) {
    auto const at = name.rfind('_');
    auto word = name.substr(at == std::string::npos ? 0 : at + 1);
    while (!word.empty() && word.back() >= '0' && word.back() <= '9') word.pop_back();
    bool const letters = std::ranges::all_of(
        word, [](char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); });
    if (word.size() > 1 && letters && word != "instance" && word != "layer") return word;
    name.resize(at == std::string::npos ? 0 : at);
  }
  return any_word;
}

/// The last word of all names, if it is the same.
std::string common_word(std::vector<std::string> const& names) {
  auto const word = last_word(names.front());
  bool const all =
      std::ranges::all_of(names, [&](std::string const& name) { return last_word(name) == word; });
  return all ? word : any_word;
}

/// What all names begin with, up to a `_`; empty if they do not.
std::string common_beginning(std::vector<std::string> const& names) {
  auto common = names.front();
  for (auto const& name : names)
    common.resize(
        static_cast<std::size_t>(std::ranges::mismatch(common, name).in1 - common.begin()));
  auto const end = common.rfind('_');
  common.resize(end == std::string::npos ? 0 : end);
  return common;
}

class Draft {
 public:
  Draft(std::vector<Piece> const& pieces, Recurrence const& recurrence,
        Declarations const& declarations)
      : pieces_(pieces),
        starts_(recurrence.starts),
        length_(recurrence.length),
        vocabulary_(declarations),
        parameters_(starts_.size()) {}

  std::optional<ModuleDraft> written(std::function<bool(std::string const&)> const& taken) {
    find_call_names(taken);
    find_layer_names();
    if (!find_inputs()) return std::nullopt;
    auto layers = list_node();
    for (std::size_t i = 0; i < length_; ++i) {
      auto layer = layer_node(i);
      if (!layer) return std::nullopt;
      layers.items.push_back(std::move(*layer));
    }
    if (parameters_.count() > most_parameters || parameters_.beginnings().size() > most_beginnings)
      return std::nullopt;
    ModuleDraft draft;
    choose_name(draft, taken);
    draft.module = mapping_node();
    if (parameters_.count() > 0) put(draft.module, "parameters", parameters_.declared());
    if (names_inputs_) put(draft.module, "inputs", shortened(list_node(inputs_as_texts())));
    put(draft.module, "layers", std::move(layers));
    for (std::size_t k = 0; k < starts_.size(); ++k) draft.calls.push_back(call_node(draft, k));
    return draft;
  }

 private:
  Piece const& piece(std::size_t i, std::size_t call = 0) const {
    return pieces_[starts_[call] + i];
  }

  /// The layer of the module that a reference of the first call names.
  std::optional<std::size_t> own(Reference const& reference) const {
    return inside(reference, starts_[0], length_);
  }

  /// All names begin with that of a call where they begin alike, up to a `_`, and go on alike in
  /// all calls. Otherwise calls have no prefix.
  void find_call_names(std::function<bool(std::string const&)> const& taken) {
    std::vector<std::string> local;
    for (std::size_t k = 0; k < starts_.size(); ++k) {
      auto const names = names_of(k);
      auto common = common_beginning(names);
      if (common.empty() || taken(common)) return;
      std::vector<std::string> rests;
      for (auto const& name : names) rests.push_back(name.substr(common.size() + 1));
      if (std::ranges::count(rests, "") > 0 || (k > 0 && rests != local)) return;
      local = std::move(rests);
      call_names_.push_back(std::move(common));
    }
  }

  /// Names of the layers of a call and of the weights they declare.
  std::vector<std::string> names_of(std::size_t call) const {
    std::vector<std::string> names;
    for (std::size_t i = 0; i < length_; ++i) {
      names.push_back(piece(i, call).name);
      for (auto const& weights : piece(i, call).weights)
        if (declares(weights)) names.push_back(name_in(weights));
    }
    return names;
  }

  bool prefixed() const { return call_names_.size() == starts_.size(); }

  std::string local_name(std::vector<std::string> const& names) {
    return prefixed() ? names.front().substr(call_names_.front().size() + 1)
                      : parameters_.text(names);
  }

  void find_layer_names() {
    for (std::size_t i = 0; i < length_; ++i) {
      std::vector<std::string> names;
      for (std::size_t k = 0; k < starts_.size(); ++k) names.push_back(piece(i, k).name);
      layer_names_.push_back(local_name(names));
    }
  }

  /// Parents from outside, each once; false if there are too many.
  bool find_inputs() {
    std::size_t uses = 0;
    for (std::size_t i = 0; i < length_; ++i)
      for (std::size_t r = 0; r < piece(i).references.size(); ++r) {
        if (own(piece(i).references[r])) continue;
        ++uses;
        auto texts = outside_texts(i, r);
        if (std::ranges::find(inputs_, texts) == inputs_.end()) inputs_.push_back(std::move(texts));
      }
    auto const& first = piece(0).references;
    bool const alone = first.size() == 1 && first[0].field == "parents" && !own(first[0]);
    follows_ = alone && inputs_.size() == 1;
    names_inputs_ = !inputs_.empty() && !(follows_ && uses == 1);
    bool clear = true;  // no layer of the module is called like an input
    for (auto const* name : input_names) {
      clear = clear && std::ranges::find(layer_names_, name) == layer_names_.end();
      for (std::size_t k = 0; k < starts_.size(); ++k)
        for (std::size_t i = 0; i < length_; ++i) clear = clear && piece(i, k).name != name;
    }
    return inputs_.size() <= most_inputs && (clear || !names_inputs_);
  }

  std::vector<std::string> outside_texts(std::size_t i, std::size_t r) const {
    std::vector<std::string> texts;
    for (std::size_t k = 0; k < starts_.size(); ++k)
      texts.push_back(piece(i, k).references[r].text);
    return texts;
  }

  std::vector<Node> inputs_as_texts() const {
    std::vector<Node> names;
    for (std::size_t i = 0; i < inputs_.size(); ++i)
      names.push_back(scalar_node(input_names[i], true));
    return names;
  }

  Node reference_node(std::size_t i, std::size_t r) const {
    auto const& reference = piece(i).references[r];
    if (auto const layer = own(reference))
      return scalar_node(layer_names_[*layer] + reference.rest, true);
    auto const input = std::ranges::find(inputs_, outside_texts(i, r)) - inputs_.begin();
    return scalar_node(input_names[static_cast<std::size_t>(input)], true);
  }

  std::optional<Node> layer_node(std::size_t i) {
    auto body = mapping_node();
    put(body, "name", scalar_node(layer_names_[i], true));
    add_references(i, {"parents"}, body);
    if (!add_fields(i, body)) return std::nullopt;
    add_weights(i, body);
    add_references(i, {"weights_of", "hint_layer"}, body);
    return single_key(piece(i).type, std::move(body));
  }

  void add_references(std::size_t i, std::vector<std::string> const& fields, Node& body) const {
    auto const& references = piece(i).references;
    for (auto const& field : fields) {
      auto names = list_node();
      bool before = false;  // what it would follow anyway
      for (std::size_t r = 0; r < references.size(); ++r) {
        if (references[r].field != field) continue;
        names.items.push_back(reference_node(i, r));
        auto const layer = own(references[r]);
        before = layer ? *layer + 1 == i && references[r].rest.empty() : i == 0 && follows_;
      }
      bool const implied = field == "parents" && names.items.size() == 1 && before;
      if (!names.items.empty() && !implied) put(body, field, shortened(std::move(names)));
    }
  }

  /// False where values differ that no parameter can stand for.
  bool add_fields(std::size_t i, Node& body) {
    std::vector<std::string> keys;
    for (std::size_t k = 0; k < starts_.size(); ++k)
      for (auto const& field : piece(i, k).fields)
        if (std::ranges::find(keys, field.key) == keys.end()) keys.push_back(field.key);
    std::ranges::stable_sort(keys, {},
                             [&](std::string const& key) { return place_of(piece(i).type, key); });
    for (auto const& key : keys) {
      auto const* info = find_field(piece(i).type, key, vocabulary_);
      std::vector<Node> values;
      std::optional<Node> otherwise;
      for (std::size_t k = 0; k < starts_.size(); ++k) {
        auto const& fields = piece(i, k).fields;
        auto const found = std::ranges::find(fields, key, &Entry::key);
        if (found != fields.end()) {
          values.push_back(found->value);
        } else {
          otherwise = shortened(to_node(*info, info->default_value));
          values.push_back(*otherwise);
        }
      }
      bool const constant =
          std::ranges::all_of(values, [&](Node const& each) { return same(each, values[0]); });
      if (!constant && info == nullptr) return false;
      put(body, key, constant ? values[0] : parameters_.value(*info, values, otherwise));
    }
    return true;
  }

  /// Where a field stands among those of its type, the fields of all layers behind them.
  std::size_t place_of(std::string const& type, std::string const& key) const {
    auto const& own = vocabulary_.layers.find(type)->declaration.fields;
    auto const found = std::ranges::find(own, key, &FieldInfo::name);
    return static_cast<std::size_t>(found - own.begin());
  }

  void add_weights(std::size_t i, Node& body) {
    auto list = list_node(piece(i).weights);
    for (std::size_t w = 0; w < list.items.size(); ++w) {
      std::vector<std::string> names;
      for (std::size_t k = 0; k < starts_.size(); ++k)
        names.push_back(name_in(piece(i, k).weights[w]));
      auto& weights = list.items[w];
      auto name = declares(weights) ? local_name(names) : parameters_.text(names);
      if (declares(weights))
        weights.entries.front().value = scalar_node(std::move(name), true);
      else
        weights = scalar_node(std::move(name), true);
    }
    if (!list.items.empty()) put(body, "weights", shortened(std::move(list)));
  }

  /// A word that the names of its layers have in common, and a number where it is taken.
  void choose_name(ModuleDraft& draft, std::function<bool(std::string const&)> const& taken) const {
    auto const beginnings = parameters_.beginnings();
    auto const word = prefixed()           ? common_word(call_names_)
                      : beginnings.empty() ? last_word(common_beginning(names_of(0)))
                                           : common_word(beginnings.front());
    auto const free = [&](std::string const& name) {
      if (taken(name)) return false;
      for (std::size_t k = 1; k <= starts_.size(); ++k)
        if (taken(name + "_" + std::to_string(k))) return false;
      return true;
    };
    draft.name = word;
    for (int number = 2; !free(draft.name); ++number) draft.name = word + std::to_string(number);
    draft.names = call_names_;
    if (!prefixed()) {
      draft.names.clear();
      for (std::size_t k = 1; k <= starts_.size(); ++k)
        draft.names.push_back(draft.name + "_" + std::to_string(k));
    }
  }

  Node call_node(ModuleDraft const& draft, std::size_t k) const {
    auto body = mapping_node();
    put(body, "module", scalar_node(draft.name, true));
    if (prefixed())
      put(body, "name", scalar_node(call_names_[k], true));
    else
      put(body, "prefix", scalar_node("", true));
    bool const after = follows_ && starts_[k] > 0 && inputs_[0][k] == pieces_[starts_[k] - 1].name;
    auto parents = list_node();
    for (auto const& input : inputs_) parents.items.push_back(scalar_node(input[k], true));
    if (!inputs_.empty() && !after) put(body, "parents", shortened(std::move(parents)));
    if (auto given = parameters_.given(k); !given.entries.empty()) put(body, "with", given);
    return single_key("call", std::move(body));
  }

  std::vector<Piece> const& pieces_;
  std::vector<std::size_t> const& starts_;
  std::size_t length_;
  Declarations const& vocabulary_;
  Parameters parameters_;
  std::vector<std::string> call_names_;           ///< as many as calls, if names begin with them
  std::vector<std::string> layer_names_;          ///< as the module writes them
  std::vector<std::vector<std::string>> inputs_;  ///< parents from outside, for each call
  bool follows_ = false;                          ///< the first layer has the only input
  bool names_inputs_ = false;                     ///< the inputs need names
};

}  // namespace

std::optional<std::size_t> inside(Reference const& reference, std::size_t start,
                                  std::size_t length) {
  bool const is = reference.layer && *reference.layer >= start && *reference.layer < start + length;
  return is ? std::optional(*reference.layer - start) : std::nullopt;
}

bool same_structure(std::vector<Piece> const& pieces, std::size_t a, std::size_t b,
                    std::size_t length) {
  for (std::size_t i = 0; i < length; ++i) {
    auto const &left = pieces[a + i], &right = pieces[b + i];
    if (left.kind != right.kind) return false;
    for (std::size_t r = 0; r < left.references.size(); ++r) {
      auto const &from = left.references[r], &to = right.references[r];
      auto const layer = inside(from, a, length);
      if (layer != inside(to, b, length) || (layer && from.rest != to.rest)) return false;
    }
  }
  return true;
}

std::optional<ModuleDraft> draft_module(std::vector<Piece> const& pieces,
                                        Recurrence const& recurrence,
                                        Declarations const& declarations,
                                        std::function<bool(std::string const&)> const& taken) {
  return Draft(pieces, recurrence, declarations).written(taken);
}

}  // namespace lbann::compiler
