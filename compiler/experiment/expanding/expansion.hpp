// Unrolling repeats and calls of modules: what expand.cpp, calls.cpp and names.cpp share.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <unordered_map>
#include <vector>

#include "compiler/experiment/expanding/free_variables.hpp"
#include "compiler/experiment/expanding/modules.hpp"
#include "compiler/experiment/expanding/substitution.hpp"
#include "compiler/layers/layer.hpp"

namespace lbann::compiler {

/// One round of a `repeat` or one call of a module: its texts are copies.
struct Round {
  Span cause;
  std::string words;
  std::map<std::uint32_t, std::uint32_t> copies;  ///< source -> its copy in this round
};

/// The list of layers that is being written, the model's or a module's.
struct LayerList {
  std::vector<Node> layers;
  std::unordered_map<std::string, std::size_t> counts;    ///< entries of each type so far
  std::map<std::string, std::vector<std::string>> calls;  ///< outputs of each call by its name
  std::map<std::string, std::string> modules_of_calls;
  std::map<std::string, std::string> prefixes;  ///< of the names of each call's layers
  std::map<std::string, Span> call_places;
  std::string before;       ///< name of the layer that the next one follows; empty: none yet
  std::string must_follow;  ///< name the next layer must give as its parent; empty: none
  std::string must_choose;  ///< what the next layer must choose from; empty: nothing
  std::vector<std::string> choices;  ///< the parents it may mean
};

class Expansion {
 public:
  Expansion(LayerTypes const& types, std::vector<Source>& sources, Budget& budget, Report& report)
      : types_(types),
        sources_(sources),
        budget_(budget),
        report_(report),
        substitution_(budget, report) {}

  /// `root` with everything written out.
  void run(Node& root);

 private:
  // expand.cpp
  Node written_out(Node node, Scope& scope, Round* round);
  void write_list(Node const& list, Scope& scope, Round* round, std::vector<Node>& into);
  bool is_misspelt_repeat(Node const& node, Round* round);
  /// Calls `body` for each round of a `repeat` entry; false where there is none.
  template <class Body>
  bool each_round(Node const& fields, Span place, Scope& scope, Round* round, Body body);
  void write_layers(Node const& list, Scope& scope, Round* round, LayerList& into);
  void write_layer(Node const& node, Scope& scope, Round* round, LayerList& into);
  void move_into(Node& node, Round* round);
  Span moved(Span span, Round* round);
  /// Tells which variables and modules of a file nothing uses, whatever values variables have.
  void note_unused(Scope& variables, FreeVariables const& free, std::uint32_t file);
  /// Counts what is written, calls more than plain values; false after a report.
  bool within_limits(Span place, Volume volume);

  // calls.cpp
  void write_call(Node const& fields, Span place, Scope& scope, Round* round, LayerList& into);
  bool bind_parameters(Module const& module, Node const* given, Span place, Scope& outer,
                       Scope& scope);
  void report_unknown_module(Node const& name);
  std::optional<std::vector<Node>> parents_of_call(Module const& module, std::string const& name,
                                                   Node const* given, Span place,
                                                   LayerList const& outer);
  void finish_call(Module const& module, std::string const& name, std::vector<Node> const& parents,
                   Node const* shared, LayerList& inner, LayerList& outer, Round& call);
  void share_weights(LayerList& inner, std::string const& from, std::string const& prefix,
                     Span place);

  // unreached.cpp
  /// Checks the names in modules that no call reaches, and all defaults of parameters.
  void check_modules(Scope& variables);
  /// Keeps layers that are not written out, so that their types and fields are checked all the
  /// same.
  void keep_unreached(Node const* layers);
  /// Checks the names in entries of a `repeat` without rounds.
  void check_unreached_entries(Node const& entries, std::string const& index, Scope& scope);
  void check_list(Node const& list, Scope& scope);
  void check_value(Node const& node, Scope& scope);
  void check_repeat(Node const& fields, Scope& scope);
  void check_call(Node const& fields, Scope& scope);

  // names.cpp
  static std::map<std::string, Span> names_in(LayerList const& list);
  void resolve_names(LayerList& list, Module const* module, std::vector<Node> const& parents,
                     std::string const& prefix);
  void resolve_name(Node& name, LayerList const& list, Module const* module,
                    std::vector<Node> const& parents, std::string const& prefix,
                    std::map<std::string, Span> const& own);
  void resolve_measures(Node& section, LayerList const& list);
  void prefix_weights(LayerList& list, std::string const& prefix);
  /// Gives a name a longer text, which is counted.
  void rename(Node& name, std::string text);

  LayerTypes const& types_;
  std::vector<Source>& sources_;
  Budget& budget_;
  Report& report_;
  Substitution substitution_;
  ModuleTable modules_;
  std::set<std::string, std::less<>> called_;  ///< modules
  std::set<Span> checked_;                     ///< entries of repeats without rounds
  std::vector<Entry> unreached_;               ///< of these the layers, as modules
  std::vector<std::string> open_;              ///< modules being called, outermost first
  bool stopped_ = false;
};

/// Keys of the entries that are written out.
inline std::vector<std::string_view> const repeat_keys = {"times", "index", "entries", "enabled"};
inline std::vector<std::string_view> const call_keys = {"module", "name",       "prefix", "parents",
                                                        "with",   "weights_of", "enabled"};

/// The fields of an entry with the single key `key`, or null.
Node const* fields_of(Node const& node, std::string_view key);

/// Type and fields of a layer's entry; null fields where there are none or it is no such entry.
Entry* single_entry(Node& node);

/// The name of a layer's entry: given, or `<type>_<number>`.
std::string name_of(Node& layer, std::size_t number);

/// A text, as if it were quoted in the document.
Node text_node(std::string text, Span span);

/// Value under `key` in the fields of a layer's entry, or null.
Node* field_of(Node& layer, std::string_view key);

/// The field in which expansion notes the calls that have written a layer: an annotation that
/// nobody would write, without a place.
inline constexpr std::string_view calls_field = "x- calls";

/// Adds a field to a layer's entry.
void add_field(Node& layer, std::string_view key, Span key_span, Node value);

}  // namespace lbann::compiler
