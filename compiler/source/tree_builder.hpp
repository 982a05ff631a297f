// Builds a document from the events of a YAML parser.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "compiler/diagnostics/diagnostic.hpp"
#include "compiler/source/budget.hpp"
#include "compiler/source/document.hpp"

namespace lbann::compiler {

/// Thrown through the parser to end it after a diagnostic was added; caught in `read_yaml`.
struct StopReading {};

/// Places are bytes of the text; an anchor is a number, 0 for none.
class TreeBuilder {
 public:
  TreeBuilder(std::string_view text, std::uint32_t file, Budget& budget, Report& report)
      : text_(text), file_(file), budget_(budget), report_(report) {}

  void document(std::size_t place);
  void null(std::size_t place, std::size_t anchor);
  void alias(std::size_t place, std::size_t anchor);
  void scalar(std::size_t place, std::string const& tag, std::size_t anchor,
              std::string const& value);
  /// `place` is where the properties of a collection begin, or else itself.
  void open(Node::Kind kind, std::size_t place, std::string const& tag, std::size_t anchor);
  void close();

  Node take_root() { return std::move(root_); }
  /// The innermost flow collection that is still open, or an unknown span.
  Span open_bracket() const;

 private:
  struct Frame {
    Node node;
    std::size_t anchor;
    bool flow;
    std::size_t last;  ///< end of the text read so far
    bool has_key;
    std::string key;
    Span key_span;
    std::map<std::string, Span, std::less<>> seen;  ///< keys, where there are many
    bool merges;                                    ///< has a key `<<`
  };

  Span span(std::size_t begin, std::size_t end) const;
  /// Ends the reading where copying `node` is too much.
  void count_copy(Node const& node, Span place, std::string_view who);
  void check_tag(std::string const& tag, std::size_t at, Node& node);
  /// Hands `node`, whose text ends at `end` where it stands, to the collection around it.
  void complete(Node node, std::size_t anchor, std::size_t end);
  void add_key(Frame& frame, Node const& node);
  /// Puts what `<<` stands for in its place: entries whose keys are not there themselves.
  void merge(Node& mapping);
  void check_duplicate(Frame& frame, std::string const& key, Span key_span);

  std::string_view text_;
  std::uint32_t file_;
  Budget& budget_;
  Report& report_;
  std::vector<Frame> frames_;
  std::map<std::size_t, Node> anchors_;
  int documents_ = 0;
  Node root_;
};

}  // namespace lbann::compiler
