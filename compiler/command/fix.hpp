// Edits that messages suggest, where they are sure, written into the files of an experiment.
#pragma once

#include <map>
#include <string>

#include "compiler/compile.hpp"

namespace lbann::compiler {

/// Changed files: path and new text.
using FixedTexts = std::map<std::string, std::string>;

/// What the texts of an experiment are with all edits that are sure, one after the other: an
/// error's first suggestion says what was said in words that we have, or corrects a typing error of
/// a name that is like no other; and compiled with it, the error is gone and nothing is wrong in
/// its place. Warnings that have one meaning, too. All other bytes stay. Empty where there are
/// none.
FixedTexts fixed_texts(CompileOptions const& options, Declarations const& declarations);

/// The lines of `old` and `fixed` that differ, as `diff -u` shows them.
std::string unified_diff(std::string const& path, std::string_view old, std::string_view fixed);

}  // namespace lbann::compiler
