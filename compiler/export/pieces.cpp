// What two entries must have in common stands in their `kind`, what may differ beside it.
#include "compiler/export/pieces.hpp"

#include <algorithm>
#include <map>
#include <unordered_set>

#include "compiler/export/nodes.hpp"
#include "compiler/export/yaml.hpp"

namespace lbann::compiler {

namespace {

bool is_scalar(Node const& node) { return node.kind == Node::Kind::scalar; }

/// A scalar or a list of scalars: what a parameter can stand for.
bool simple(Node const& node) {
  return is_scalar(node) ||
         (node.kind == Node::Kind::sequence && std::ranges::all_of(node.items, is_scalar));
}

std::string printed(Node const& node) {
  auto root = mapping_node();
  put(root, "x", node);
  return to_yaml(root);
}

/// What weights declare, but for their name.
std::string kind_of_weights(Node const& weights) {
  if (is_scalar(weights)) return "name";
  auto rest = mapping_node();
  for (auto const& field : weights.entries)
    if (field.key != "name") rest.entries.push_back(field);
  return printed(rest);
}

class Pieces {
 public:
  Pieces(std::vector<Node> const& entries, Declarations const& declarations)
      : entries_(entries), vocabulary_(declarations) {}

  std::vector<Piece> all() {
    std::map<std::string_view, std::size_t> counts;
    std::unordered_set<std::string> children;
    for (auto const& entry : entries_) {
      Piece piece;
      if (entry.entries.size() == 1) {
        auto const& [type, span, body] = entry.entries.front();
        piece.type = type;
        piece.layer = vocabulary_.layers.find(type) != nullptr;
        auto const* name = body.find("name");
        piece.named = name != nullptr;
        piece.name = piece.named ? name->value.text : type + "_" + std::to_string(++counts[type]);
        if (piece.named) ++counts[type];
        if (auto const* list = body.find("children")) {
          piece.layer = false;
          if (is_scalar(list->value)) children.insert(list->value.text);
          for (auto const& child : list->value.items) children.insert(child.text);
        }
      }
      names_.emplace(piece.name, pieces_.size());
      pieces_.push_back(std::move(piece));
    }
    for (std::size_t i = 0; i < pieces_.size(); ++i) {
      auto& piece = pieces_[i];
      piece.layer = piece.layer && !children.contains(piece.name);
      if (piece.layer) look_into(piece, entries_[i].entries.front().value, i);
      auto list = list_node({entries_[i]});
      auto const text = printed(list);
      piece.lines = static_cast<std::size_t>(std::ranges::count(text, '\n')) - 1;
    }
    return std::move(pieces_);
  }

 private:
  void look_into(Piece& piece, Node const& body, std::size_t index) {
    for (auto const& field : body.entries) {
      if (field.key == "name") continue;
      if (field.key == "parents") piece.writes_parents = true;
      if (field.key == "parents" || field.key == "weights_of" || field.key == "hint_layer") {
        if (is_scalar(field.value)) refer(piece, field.key, field.value.text);
        for (auto const& name : field.value.items) refer(piece, field.key, name.text);
      } else if (field.key == "weights") {
        if (field.value.kind == Node::Kind::sequence)
          piece.weights = field.value.items;
        else
          piece.weights = {field.value};
      } else {
        piece.fields.push_back(field);
      }
    }
    bool const takes = vocabulary_.layers.find(piece.type)->parents.most != 0;
    if (!piece.writes_parents && takes && index > 0)
      refer(piece, "parents", pieces_[index - 1].name);
    bool const parted = std::ranges::any_of(
        piece.references, [](Reference const& reference) { return reference.field == "parents"; });
    piece.layer = parted || !takes;  // else it has no parents although it could
    describe(piece);
  }

  void refer(Piece& piece, std::string const& field, std::string const& text) const {
    Reference reference{field, text, {}, {}};
    auto found = names_.find(text);
    if (auto const dot = text.rfind('.'); found == names_.end() && dot != std::string::npos) {
      found = names_.find(text.substr(0, dot));
      reference.rest = text.substr(dot);
    }
    if (found != names_.end()) reference.layer = found->second;
    piece.references.push_back(std::move(reference));
  }

  void describe(Piece& piece) const {
    auto& kind = piece.kind = piece.type;
    for (auto const& reference : piece.references) kind += " " + reference.field;
    for (auto const& weights : piece.weights) kind += " weights " + kind_of_weights(weights);
    for (auto const& field : piece.fields) {
      auto const* info = find_field(piece.type, field.key, vocabulary_);
      if (!simple(field.value))
        kind += " " + field.key + printed(field.value);
      else if (!has_default(piece, info))
        kind += " " + field.key;
    }
  }

  std::vector<Node> const& entries_;
  Declarations const& vocabulary_;
  std::vector<Piece> pieces_;
  std::unordered_map<std::string, std::size_t> names_;
};

}  // namespace

FieldInfo const* find_field(std::string_view type, std::string_view field,
                            Declarations const& declarations) {
  auto const among = [&](std::vector<FieldInfo> const& fields) -> FieldInfo const* {
    auto const found = std::ranges::find(fields, field, &FieldInfo::name);
    return found == fields.end() ? nullptr : &*found;
  };
  auto const* layer = declarations.layers.find(type);
  auto const* own = layer != nullptr ? among(layer->declaration.fields) : nullptr;
  return own != nullptr ? own : among(declarations.layer.fields);
}

bool has_default(Piece const& piece, FieldInfo const* field) {
  // With a hint, what is left out may be taken from there.
  bool const hinted = std::ranges::any_of(
      piece.references, [](Reference const& reference) { return reference.field == "hint_layer"; });
  return !hinted && field != nullptr && field->presence != Presence::required &&
         can_be_written(*field, field->default_value);
}

std::vector<Piece> take_apart(std::vector<Node> const& entries, Declarations const& declarations) {
  return Pieces(entries, declarations).all();
}

}  // namespace lbann::compiler
