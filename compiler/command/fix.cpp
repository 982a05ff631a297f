// One edit at a time, each tried by compiling.
#include "compiler/command/fix.hpp"

#include <algorithm>
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

}  // namespace

FixedTexts fixed_texts(CompileOptions const& options, Declarations const& declarations) {
  return Fixing(options, declarations).run();
}

std::string unified_diff(std::string const& path, std::string_view old, std::string_view fixed) {
  constexpr std::size_t context = 3;
  auto const a = lines_of(old), b = lines_of(fixed);
  auto const count = std::min(a.size(), b.size());
  auto const line = [](char mark, std::string_view text) {
    return mark + std::string(text) +
           (text.ends_with('\n') ? "" : "\n\\ No newline at end of file\n");
  };
  std::string text = "--- " + path + "\n+++ " + path + "\n";
  for (std::size_t i = 0; i < count; ++i) {
    if (a[i] == b[i]) continue;
    auto const begin = i - std::min(i, context);
    auto end = i + 1;  // of the hunk, behind the last line that differs
    for (auto j = i + 1; j < count && j < end + 2 * context; ++j)
      if (a[j] != b[j]) end = j + 1;
    auto const last = std::min(end + context, count);
    auto const size = std::to_string(begin + 1) + "," + std::to_string(last - begin);
    text += "@@ -" + size + " +" + size + " @@\n";
    for (auto j = begin; j < last;) {
      if (a[j] == b[j]) {
        text += line(' ', a[j++]);
        continue;
      }
      auto behind = j;
      while (behind < last && a[behind] != b[behind]) ++behind;
      for (auto k = j; k < behind; ++k) text += line('-', a[k]);
      for (auto k = j; k < behind; ++k) text += line('+', b[k]);
      j = behind;
    }
    i = last;
  }
  return text;
}

}  // namespace lbann::compiler
