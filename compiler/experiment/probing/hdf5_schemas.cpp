// Two trees walked together.
#include "compiler/experiment/probing/hdf5_schemas.hpp"

#include <algorithm>

#include "compiler/diagnostics/render.hpp"
#include "compiler/experiment/probing/hdf5_metadata.hpp"
#include "compiler/experiment/values/entries.hpp"
#include "schemas/diagnostics/catalogue.hpp"
#include "schemas/vocabulary/nearest.hpp"

namespace lbann::compiler {

namespace {

constexpr std::string_view metadata_key = "metadata";

/// Values of metadata and where each was written; one that was not has no place.
struct Metadata {
  hdf5_metadata values;
  std::vector<Span> places = std::vector<Span>(lbann::fields_of(hdf5_metadata{}).size());

  /// Takes what `other` says and this does not.
  void inherit(Metadata const& other) {
    auto const own = lbann::fields_of(values), others = lbann::fields_of(other.values);
    for (std::size_t i = 0; i < own.size(); ++i)
      if (!places[i].known() && other.places[i].known()) {
        set_field(own[i], others[i].value());
        places[i] = other.places[i];
      }
  }
  Span place_of(std::string_view field) const {
    auto const own = lbann::fields_of(values);
    for (std::size_t i = 0; i < own.size(); ++i)
      if (own[i].terms->name == field) return places[i];
    return {};
  }
  bool gives(std::string_view field) const { return place_of(field).known(); }
};

struct Leaf {
  std::string path;
  Span span;
  Metadata metadata;
};

class Resolver {
 public:
  explicit Resolver(Report& report) : report_(report) {}

  std::vector<SchemaDataset> run(Node const& data, Node const& experiment) {
    data_ = &data;
    walk_experiment(experiment, "", {}, {});
    std::ranges::stable_sort(leaves_, {},
                             [](Leaf const& leaf) { return leaf.metadata.values.ordering; });
    std::vector<SchemaDataset> result;
    for (auto const& leaf : leaves_) result.push_back(resolve(leaf));
    check_orders();
    return result;
  }

 private:
  Diagnostic& complain(Span span, std::string words) {
    return report_.add(diagnostics::hdf5_schema, span, {std::move(words)});
  }

  /// The node's own metadata, with those of the nodes above it.
  Metadata metadata_of(Node const& node, Metadata const& above) {
    Metadata own;
    if (auto const* entry = node.find(metadata_key);
        entry != nullptr && entry->value.kind == Node::Kind::mapping) {
      auto const read = read_section(*detail::inner_type<hdf5_metadata>(), entry->value,
                                     entry->key_span, {}, report_);
      own.values = read.as<hdf5_metadata>();
      own.places = read.field_spans;
    } else if (entry != nullptr && entry->value.kind != Node::Kind::null) {
      complain(entry->value.span, "`metadata` is a mapping of directives such as `scale: 0.5`");
    }
    own.inherit(above);
    return own;
  }

  /// The nodes below one, metadata aside; reports a value where a node belongs.
  std::vector<Entry const*> children_of(Node const& node) {
    std::vector<Entry const*> children;
    for (auto const& entry : node.entries) {
      if (entry.key == metadata_key) continue;
      if (entry.value.kind == Node::Kind::mapping || entry.value.kind == Node::Kind::null)
        children.push_back(&entry);
      else
        complain(entry.key_span, "`" + entry.key +
                                     "` has a value, and is neither a group nor a dataset; "
                                     "directives stand below `metadata:`");
    }
    return children;
  }

  static std::string path_below(std::string const& path, std::string const& key) {
    return path.empty() ? key : path + "/" + key;
  }

  void walk_experiment(Node const& node, std::string const& path, Span span,
                       Metadata const& above) {
    auto const metadata = metadata_of(node, above);
    auto const children = children_of(node);
    for (auto const* child : children)
      walk_experiment(child->value, path_below(path, child->key), child->key_span, metadata);
    if (children.empty() && !path.empty()) take_data(path, span, metadata);
  }

  /// All leaves of the data schema at or below `path`.
  void take_data(std::string const& path, Span span, Metadata const& metadata) {
    auto const* node = data_;
    Metadata above = metadata_of(*node, {});
    std::string rest = path, done;
    while (!rest.empty()) {
      // Keys may hold slashes themselves.
      Entry const* found = nullptr;
      std::vector<std::string_view> names;
      for (auto const& entry : node->entries) {
        if (entry.key == metadata_key) continue;
        names.push_back(entry.key);
        if (rest == entry.key || rest.starts_with(entry.key + "/")) found = &entry;
      }
      if (found == nullptr) {
        auto const part = rest.substr(0, rest.find('/'));
        auto& diagnostic =
            complain(span, "the data schema has no `" + path_below(done, part) + "`");
        diagnostic.suggestions = nearest(part, names);
        return;
      }
      done = path_below(done, found->key);
      rest = rest == found->key ? "" : rest.substr(found->key.size() + 1);
      node = &found->value;
      above = metadata_of(*node, above);
    }
    take_leaves(*node, path, span, metadata, above);
  }

  void take_leaves(Node const& node, std::string const& path, Span span, Metadata const& metadata,
                   Metadata const& of_data) {
    auto const children = children_of(node);
    for (auto const* child : children)
      take_leaves(child->value, path_below(path, child->key), span, metadata,
                  metadata_of(child->value, of_data));
    if (!children.empty()) return;
    if (leaves_.size() >= most_leaves) {
      if (leaves_.size() == most_leaves)
        complain(span, "there are more than " + std::to_string(most_leaves) + " datasets");
      return;
    }
    leaves_.push_back({path, span, metadata});
    leaves_.back().metadata.inherit(of_data);
  }

  SchemaDataset resolve(Leaf const& leaf) {
    auto const& [path, span, metadata] = leaf;
    auto const& values = metadata.values;
    auto const wrong = [&](std::string_view field, std::string const& words) {
      complain(metadata.place_of(field), "`" + std::string(field) + "` of `" + path + "` " + words);
    };
    SchemaDataset result{{}, span};
    auto& dataset = result.dataset;
    dataset.path = path;
    dataset.packed = metadata.gives("pack");
    dataset.data_field = dataset.packed ? field_of_pack(values.pack) : path;
    dataset.dims = values.dims;
    dataset.channels = values.channels;
    dataset.scale = values.scale;
    dataset.bias = values.bias;
    if (values.coerce == Hdf5Coercion::float_ || values.coerce == Hdf5Coercion::float32)
      dataset.rounding = data_readers::Rounding::single;
    if (values.coerce >= Hdf5Coercion::int_) dataset.rounding = data_readers::Rounding::whole;
    if (values.coerce == Hdf5Coercion::float16)
      wrong("coerce", "is float16, which no data field has; leave it out, or take float");
    auto const layout = metadata.gives("hwc") ? Hdf5Layout::hwc : values.layout;
    auto const wanted = metadata.gives("hwc") ? values.hwc : values.transpose;
    dataset.channels_last = layout == Hdf5Layout::hwc || layout == Hdf5Layout::dhwc;
    dataset.to_channels_first = dataset.channels_last && values.channels > 1 &&
                                (wanted == Hdf5Layout::chw || wanted == Hdf5Layout::cdhw);
    for (auto const field : {"scale", "bias"}) {
      auto const& list = field == std::string_view("scale") ? values.scale : values.bias;
      auto const channels = std::max<std::int64_t>(values.channels, 1);
      if (list.size() > 1 && static_cast<std::int64_t>(list.size()) != channels)
        wrong(field, "has " + std::to_string(list.size()) + " numbers for " +
                         std::to_string(channels) + (channels == 1 ? " channel" : " channels"));
      else if (list.size() > 1 && layout == Hdf5Layout::unstated)
        wrong(field,
              "has a number per channel, so `layout` must say where these lie: hwc or dhwc "
              "(last), chw or cdhw (first)");
    }
    if (dataset.to_channels_first && values.dims.empty())
      wrong("channels", "are to be moved, which needs `dims`");
    if (wanted != Hdf5Layout::unstated && !dataset.channels_last && wanted != layout)
      wrong(metadata.gives("hwc") ? "hwc" : "transpose",
            "moves channels that are last to the front, and `layout` does not say that they are "
            "last");
    return result;
  }

  /// LBANN's data fields, which older schemas call otherwise.
  static std::string field_of_pack(std::string const& pack) {
    if (pack == "datum") return "samples";
    if (pack == "label") return "labels";
    if (pack == "response") return "responses";
    return pack;
  }

  /// Several datasets of a pack must say in which order they stand.
  void check_orders() {
    for (auto const& leaf : leaves_) {
      if (!leaf.metadata.gives("pack") || leaf.metadata.gives("ordering")) continue;
      auto const& pack = leaf.metadata.values.pack;
      auto const others = std::ranges::count_if(leaves_, [&](Leaf const& other) {
        return other.metadata.gives("pack") && other.metadata.values.pack == pack;
      });
      if (others > 1)
        complain(leaf.span, "`" + leaf.path + "` is packed into `" + pack + "` with " +
                                std::to_string(others - 1) +
                                " others and has no `ordering`, which says where it stands there");
    }
  }

  static constexpr std::size_t most_leaves = 100'000;

  Report& report_;
  Node const* data_ = nullptr;
  std::vector<Leaf> leaves_;
};

}  // namespace

std::vector<SchemaDataset> resolve_schemas(Document const& data, Document const& experiment,
                                           Report& report) {
  return Resolver(report).run(data.root, experiment.root);
}

}  // namespace lbann::compiler
