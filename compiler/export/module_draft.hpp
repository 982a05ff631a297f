// A module and its calls in the place of layers that recur.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "compiler/export/pieces.hpp"

namespace lbann::compiler {

/// `length` entries from each of `starts`: equal but for names and values.
struct Recurrence {
  std::vector<std::size_t> starts;
  std::size_t length = 0;
};

/// The layer of a window that a reference names, from 0; nothing if it is outside.
std::optional<std::size_t> inside(Reference const& reference, std::size_t start,
                                  std::size_t length);

/// Whether two windows have in common what instances of a module must: kinds of layers, and the
/// edges between them.
bool same_structure(std::vector<Piece> const& pieces, std::size_t a, std::size_t b,
                    std::size_t length);

struct ModuleDraft {
  std::string name;
  Node module;                     ///< the value under the name
  std::vector<Node> calls;         ///< entries, one for each start
  std::vector<std::string> names;  ///< of the calls
};

/// The module that stands for layers of one structure; nothing if it had too many parameters or
/// inputs. `taken` are names that neither it nor its calls can have.
std::optional<ModuleDraft> draft_module(std::vector<Piece> const& pieces,
                                        Recurrence const& recurrence,
                                        Declarations const& declarations,
                                        std::function<bool(std::string const&)> const& taken);

}  // namespace lbann::compiler
