// One edit at a time, each tried by compiling.
#include "compiler/command/fix.hpp"

#include <algorithm>
#include <cstdint>
#include <ranges>
#include <set>

#include "compiler/diagnostics/formats/located.hpp"

namespace lbann::compiler {

namespace {

constexpr int most_repairs = 1000;

/// What one finding suggests to write.
struct Repair {
  std::string file;
  std::vector<LocatedEdit> edits;  ///< in order of their places
  std::string cause;               ///< key of the finding
};

/// Identifies a finding of one text in another that differs by edits elsewhere.
std::string key_of(LocatedFinding const& finding) {
  return std::string(finding.code) + '\n' + (finding.place ? finding.place->file : "") + '\n' +
         finding.message;
}

class Fixing {
 public:
  Fixing(CompileOptions const& options, Declarations const& declarations)
      : options_(options), declarations_(declarations) {}

  FixedTexts run() {
    auto const original = options_.text;
    auto now = compiled();
    for (int repairs = 0; repairs < most_repairs;) {
      auto const repair = next_repair(now);
      if (!repair) break;
      auto const before = options_;
      apply(*repair, now.texts.at(repair->file));
      auto const after = compiled();
      if (is_better(now, after, *repair)) {
        now = after;
        ++repairs;
      } else {
        options_ = before;
      }
    }
    auto texts = options_.edited;
    if (options_.text != original) texts[options_.name] = options_.text;
    return texts;
  }

 private:
  struct Outcome {
    std::vector<LocatedFinding> findings;
    std::map<std::string, std::string> texts;  ///< by file
    std::multiset<std::string> keys;
  };

  Outcome compiled() const {
    auto const result = compile(options_, declarations_);
    Outcome outcome{located_findings(result.report, result.sources), {}, {}};
    for (auto const& source : result.sources)
      if (!source.name.empty() && source.name != command_line_name)
        outcome.texts.try_emplace(source.name, source.text);
    for (auto const& finding : outcome.findings) outcome.keys.insert(key_of(finding));
    return outcome;
  }

  /// The first that has not been tried.
  std::optional<Repair> next_repair(Outcome const& outcome) {
    for (auto const& finding : outcome.findings) {
      auto edits = finding.edits;
      if (edits.empty()) continue;
      std::ranges::sort(edits, {}, [](LocatedEdit const& edit) { return edit.place.begin_byte; });
      auto const& file = edits.front().place.file;
      auto const text = outcome.texts.find(file);
      if (text == outcome.texts.end() || !is_possible(edits, text->second)) continue;
      auto const begin = std::to_string(edits.front().place.begin_byte);
      if (!tried_.insert(key_of(finding) + '\n' + begin).second) continue;
      return Repair{file, std::move(edits), key_of(finding)};
    }
    return std::nullopt;
  }

  /// One behind the other, and no comment is taken out.
  static bool is_possible(std::vector<LocatedEdit> const& edits, std::string_view text) {
    std::size_t end = 0;
    for (auto const& [place, written] : edits) {
      if (place.begin_byte < end || place.end_byte > text.size()) return false;
      end = place.end_byte;
      auto const old = text.substr(place.begin_byte, place.end_byte - place.begin_byte);
      if (written.empty() && old.find('#') != std::string_view::npos) return false;
    }
    return true;
  }

  void apply(Repair const& repair, std::string text) {
    for (auto const& [place, written] : repair.edits | std::views::reverse)
      text.replace(place.begin_byte, place.end_byte - place.begin_byte, written);
    if (repair.file == options_.name) {
      options_.text = std::move(text);
    } else {
      options_.edited[repair.file] = std::move(text);
    }
  }

  /// Whether the cause is gone, nothing is wrong where the edits are, and the file is YAML or TOML
  /// still.
  static bool is_better(Outcome const& before, Outcome const& after, Repair const& repair) {
    auto const broken = [](Outcome const& outcome) {
      return std::ranges::any_of(outcome.findings, [](LocatedFinding const& finding) {
        return finding.info->stage == Stage::source && finding.severity == Severity::error;
      });
    };
    if (!broken(before) && broken(after)) return false;
    if (after.keys.count(repair.cause) >= before.keys.count(repair.cause)) return false;
    return std::ranges::none_of(after.findings, [&](LocatedFinding const& finding) {
      return finding.severity == Severity::error && finding.place &&
             lies_in(*finding.place, repair);
    });
  }

  /// Whether a place of the repaired text begins in what was written.
  static bool lies_in(Place const& place, Repair const& repair) {
    if (place.file != repair.file) return false;
    std::size_t removed = 0, added = 0;
    for (auto const& edit : repair.edits) {
      auto const begin = edit.place.begin_byte + added - removed;
      if (!edit.text.empty() && place.begin_byte >= begin &&
          place.begin_byte < begin + edit.text.size())
        return true;
      removed += edit.place.end_byte - edit.place.begin_byte;
      added += edit.text.size();
    }
    return false;
  }

  CompileOptions options_;
  Declarations const& declarations_;
  std::set<std::string> tried_;
};

std::vector<std::string_view> lines_of(std::string_view text) {
  std::vector<std::string_view> lines;
  while (!text.empty()) {
    auto const end = std::min(text.find('\n'), text.size() - 1);
    lines.push_back(text.substr(0, end + 1));
    text.remove_prefix(end + 1);
  }
  return lines;
}

/// A line of a difference: of both texts, of the old or of the new one.
struct DiffLine {
  char mark;
  std::string_view text;
};

/// The fewest lines that differ, by the longest common subsequence of what lies between equal
/// begins and ends.
std::vector<DiffLine> difference(std::vector<std::string_view> const& a,
                                 std::vector<std::string_view> const& b) {
  std::size_t begin = 0, tail = 0;
  while (begin < std::min(a.size(), b.size()) && a[begin] == b[begin]) ++begin;
  while (tail < std::min(a.size(), b.size()) - begin &&
         a[a.size() - tail - 1] == b[b.size() - tail - 1])
    ++tail;
  auto const rows = a.size() - tail - begin, columns = b.size() - tail - begin;
  // common[i][j]: of a from i on and b from j on; of long texts nothing, which is a difference,
  // too.
  constexpr std::size_t most_entries = 1 << 24;
  bool const compares = rows * columns <= most_entries;
  std::vector<std::uint32_t> common(compares ? (rows + 1) * (columns + 1) : 0);
  auto const at = [&](std::size_t i, std::size_t j) -> std::uint32_t& {
    return common[i * (columns + 1) + j];
  };
  for (auto i = compares ? rows : 0; i-- > 0;)
    for (auto j = columns; j-- > 0;)
      at(i, j) = a[begin + i] == b[begin + j] ? at(i + 1, j + 1) + 1
                                              : std::max(at(i + 1, j), at(i, j + 1));
  std::vector<DiffLine> lines;
  for (std::size_t i = 0; i < begin; ++i) lines.push_back({' ', a[i]});
  for (std::size_t i = 0, j = 0; i < rows || j < columns;) {
    if (compares && i < rows && j < columns && a[begin + i] == b[begin + j]) {
      lines.push_back({' ', a[begin + i++]});
      ++j;
    } else if (i < rows && (!compares || j == columns || at(i + 1, j) >= at(i, j + 1))) {
      lines.push_back({'-', a[begin + i++]});
    } else {
      lines.push_back({'+', b[begin + j++]});
    }
  }
  for (auto i = a.size() - tail; i < a.size(); ++i) lines.push_back({' ', a[i]});
  return lines;
}

}  // namespace

FixedTexts fixed_texts(CompileOptions const& options, Declarations const& declarations) {
  return Fixing(options, declarations).run();
}

std::string unified_diff(std::string const& path, std::string_view old, std::string_view fixed) {
  constexpr std::size_t context = 3;
  auto const lines = difference(lines_of(old), lines_of(fixed));
  std::string text = "--- " + path + "\n+++ " + path + "\n";
  std::size_t old_line = 1, new_line = 1, passed = 0;  // those of `passed`
  for (std::size_t i = 0; i < lines.size(); ++i) {
    if (lines[i].mark == ' ') continue;
    auto const begin = std::max(passed, i - std::min(i, context));
    auto end = i + 1;  // of the hunk, behind the last line that differs
    for (auto j = i + 1; j < lines.size() && j <= end + 2 * context; ++j)
      if (lines[j].mark != ' ') end = j + 1;
    auto const last = std::min(end + context, lines.size());
    for (; passed < begin; ++passed) ++old_line, ++new_line;
    std::string hunk;
    std::size_t old_count = 0, new_count = 0;
    for (; passed < last; ++passed) {
      auto const& [mark, words] = lines[passed];
      old_count += mark == '+' ? 0 : 1;
      new_count += mark == '-' ? 0 : 1;
      hunk += mark + std::string(words) +
              (words.ends_with('\n') ? "" : "\n\\ No newline at end of file\n");
    }
    text += "@@ -" + std::to_string(old_line) + "," + std::to_string(old_count) + " +" +
            std::to_string(new_line) + "," + std::to_string(new_count) + " @@\n" + hunk;
    old_line += old_count;
    new_line += new_count;
    i = last - 1;
  }
  return text;
}

}  // namespace lbann::compiler
