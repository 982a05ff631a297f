// `include:`, texts of other files.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "compiler/diagnostics/diagnostic.hpp"
#include "compiler/source/budget.hpp"
#include "compiler/source/document.hpp"

namespace lbann::compiler {

/// Puts the files a document includes into it. `include: FILE` (or a list of files) at the top adds
/// their sections: what the including document says itself stays, mappings are merged key by key.
/// An entry `- include: FILE` of a list is replaced by the list in that file. Paths are relative to
/// the folder of the file that names them; `folder` is that of the document. Each file becomes a
/// source, its text counted by `budget`. Everything wrong is reported.
///
/// `edited`: texts that stand for those of files, by path.
void include_files(Document& document, std::string const& folder,
                   std::map<std::string, std::string> const& edited, std::vector<Source>& sources,
                   Budget& budget, Report& report);

}  // namespace lbann::compiler
