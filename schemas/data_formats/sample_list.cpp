// Words of lines; every number that a list says twice is compared.
#include "schemas/data_formats/sample_list.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <optional>
#include <unordered_set>

#include "schemas/vocabulary/nearest.hpp"

namespace lbann {

namespace {

constexpr std::string_view line_blanks = " \t\f\v\r";
/// Samples of a list, at most: far more than any run can keep in order.
constexpr std::int64_t most_listed = std::int64_t{1} << 36;

/// The next word of a line; empty behind the last.
std::string_view next_word(std::string_view& line) {
  auto const begin = std::min(line.find_first_not_of(line_blanks), line.size());
  line.remove_prefix(begin);
  auto const end = std::min(line.find_first_of(line_blanks), line.size());
  auto const word = line.substr(0, end);
  line.remove_prefix(end);
  return word;
}

std::optional<std::int64_t> number_in(std::string_view word) {
  std::int64_t number = 0;
  auto const [end, error] = std::from_chars(word.data(), word.data() + word.size(), number);
  if (error != std::errc{} || end != word.data() + word.size() || number < 0 ||
      number > most_listed)
    return std::nullopt;
  return number;
}

std::string quoted(std::string_view word) {
  constexpr std::size_t longest = 60;
  return "`" + std::string(word.substr(0, longest)) + (word.size() > longest ? "...`" : "`");
}

}  // namespace

class SampleList::Parser {
  struct Format {
    std::string_view name;
    bool one_per_file, excludes, says_left_out, has_label_line;
  };
  static constexpr std::array<Format, 6> formats{{
      {"SINGLE-SAMPLE", true, false, true, true},
      {"MULTI-SAMPLE_INCLUSION", false, false, true, true},
      {"MULTI-SAMPLE_EXCLUSION", false, true, true, true},
      {"MULTI-SAMPLE_INCLUSION_V2", false, false, false, false},
      {"CONDUIT_HDF5_INCLUSION", false, false, true, false},
      {"CONDUIT_HDF5_EXCLUSION", false, true, true, false},
  }};

 public:
  Parser(std::string_view text, SampleList& list) : text_(text), list_(list) {
    constexpr std::string_view byte_order_mark = "\xef\xbb\xbf";
    if (text_.starts_with(byte_order_mark)) text_.remove_prefix(byte_order_mark.size());
  }

  Result<Success> read() {
    if (auto header = read_header(); !header) return header;
    for (std::string_view line; next_line(line);) {
      if (static_cast<std::int64_t>(list_.files_.size()) == expected_files_)
        return problem("it is one file more than the " + std::to_string(expected_files_) +
                       " that line 2 says");
      if (auto good = read_file(line); !good) return good;
    }
    if (auto const found = static_cast<std::int64_t>(list_.files_.size()); found < expected_files_)
      return problem("the list ends after " + std::to_string(found) + " of the " +
                     std::to_string(expected_files_) + " files that line 2 says");
    if (expected_samples_ && *expected_samples_ != list_.size_)
      return list_.problem(2, "it says " + std::to_string(*expected_samples_) +
                                  " samples, the files below " + std::to_string(list_.size_));
    return Success{};
  }

 private:
  /// The next line that is not blank.
  bool next_line(std::string_view& line) {
    while (!text_.empty()) {
      auto const end = std::min(text_.find('\n'), text_.size());
      line = text_.substr(0, end);
      text_.remove_prefix(std::min(end + 1, text_.size()));
      ++line_;
      if (line.find_first_not_of(line_blanks) != line.npos) return true;
    }
    return false;
  }

  Problem problem(std::string const& what) const { return list_.problem(line_, what); }

  Result<std::string_view> header_line(std::string const& what) {
    std::string_view line;
    if (next_line(line)) return line;
    return Problem{"`" + list_.name_ + "`: the list ends before the line with " + what};
  }

  Result<Success> read_header() {
    auto line = header_line("its format");
    if (!line) return line.problem();
    auto rest = line.value();
    std::string word(next_word(rest));
    std::ranges::transform(word, word.begin(), [](unsigned char c) {
      return static_cast<char>(c >= 'a' && c <= 'z' ? c - 'a' + 'A' : c);
    });
    auto const found = std::ranges::find(formats, word, &Format::name);
    if (found == formats.end()) {
      std::vector<std::string_view> names;
      for (auto const& format : formats) names.push_back(format.name);
      auto const like = nearest(word, names);
      auto words = quoted(word) + " is no format of sample lists";
      if (!like.empty()) return problem(words + "; did you mean `" + like.front() + "`?");
      for (auto const& name : names)
        words += (name == names[0] ? ": `" : ", `") + std::string(name) + "`";
      return problem(words);
    }
    format_ = *found;
    list_.one_per_file_ = format_.one_per_file;
    list_.excludes_ = format_.excludes;
    if (auto counts = read_counts(); !counts) return counts;
    auto folder = header_line("the folder of the files");
    if (!folder) return folder.problem();
    list_.folder_ = next_word(folder.value());
    if (format_.has_label_line) {
      auto labels = header_line("the file of the labels");
      if (!labels) return labels.problem();
      list_.label_file_ = next_word(labels.value());
    }
    return Success{};
  }

  Result<Success> read_counts() {
    auto line = header_line("the numbers of samples and files");
    if (!line) return line.problem();
    auto rest = line.value();
    auto const take = [&](std::string const& what) -> Result<std::int64_t> {
      auto const word = next_word(rest);
      if (auto const number = number_in(word)) return *number;
      return problem(word.empty() ? "the number of " + what + " is missing"
                                  : quoted(word) + " is no number of " + what);
    };
    if (!format_.one_per_file) {
      auto samples = take("samples that are used");
      if (!samples) return samples.problem();
      expected_samples_ = samples.value();
      if (format_.says_left_out)
        if (auto left_out = take("samples that are left out"); !left_out) return left_out.problem();
    }
    auto files = take("files");
    if (!files) return files.problem();
    expected_files_ = files.value();
    return Success{};
  }

  Result<Success> read_file(std::string_view line) {
    auto const file = list_.files_.size();
    list_.files_.push_back({std::string(next_word(line)), line_, 0, 0, {}});
    auto& entry = list_.files_.back();
    if (format_.one_per_file) {
      if (auto const more = next_word(line); !more.empty())
        return problem(quoted(more) +
                       " stands behind the name of the file; each line of a list of "
                       "single samples is a file");
      entry.used = 1;
      list_.add_name(file, {});
      return Success{};
    }
    auto const take = [&](std::int64_t& to, std::string const& what) -> Result<Success> {
      auto const word = next_word(line);
      auto const number = number_in(word);
      if (number) to = *number;
      if (number) return Success{};
      return problem("the number of samples that are " + what + " must follow the file" +
                     (word.empty() ? "" : ", not " + quoted(word)));
    };
    if (auto taken = take(entry.used, "used"); !taken) return taken;
    if (format_.says_left_out)
      if (auto taken = take(entry.left_out, "left out"); !taken) return taken;
    return format_.excludes ? read_excluded(line, entry) : read_included(line, file);
  }

  Result<Success> read_excluded(std::string_view line, File& entry) {
    for (auto word = next_word(line); !word.empty(); word = next_word(line))
      entry.excluded.emplace_back(word);
    if (auto const found = static_cast<std::int64_t>(entry.excluded.size());
        found != entry.left_out)
      return problem("it names " + std::to_string(found) + " samples to leave out and says " +
                     std::to_string(entry.left_out));
    if (entry.used > most_listed - list_.size_) return problem("there are too many samples");
    list_.size_ += entry.used;
    return Success{};
  }

  Result<Success> read_included(std::string_view line, std::size_t file) {
    auto const before = list_.size_;
    std::string_view last;
    for (auto word = next_word(line); !word.empty(); word = next_word(line)) {
      if (word != "...") {
        list_.add_name(file, word);
        last = word;
        continue;
      }
      auto const end_word = next_word(line);
      auto const first = number_in(last), end = number_in(end_word);
      if (!first || !end || *end <= *first)
        return problem("`...` stands between two numbers, the second the larger one, not " +
                       quoted(last) + " and " + quoted(end_word));
      if (*end - *first > most_listed - list_.size_) return problem("there are too many samples");
      list_.add_numbers(file, *first + 1, *end);
      last = {};
    }
    auto const found = list_.size_ - before;
    if (found == list_.files_[file].used) return Success{};
    return problem("it names " + std::to_string(found) + " samples and says " +
                   std::to_string(list_.files_[file].used));
  }

  std::string_view text_;
  SampleList& list_;
  Format format_{};
  std::int64_t line_ = 0, expected_files_ = 0;
  std::optional<std::int64_t> expected_samples_;
};

Result<SampleList> SampleList::parse(std::string_view text, std::string const& name) {
  SampleList list;
  list.name_ = name;
  Parser parser(text, list);
  if (auto read = parser.read(); !read) return read.problem();
  return list;
}

SampleList SampleList::of_files(std::vector<std::string> const& files,
                                std::vector<std::vector<std::string>> const& names) {
  SampleList list;
  for (std::size_t file = 0; file < files.size(); ++file) {
    list.files_.push_back({files[file], 0, std::ssize(names[file]), 0, {}});
    for (auto const& name : names[file]) list.add_name(file, name);
  }
  return list;
}

SampleList::Sample SampleList::at(std::int64_t index) const {
  auto const run = std::ranges::upper_bound(runs_, index, {}, &Run::end);
  if (run->first < 0) return {run->file, names_.substr(run->begin, run->characters)};
  auto const begin = run == runs_.begin() ? 0 : (run - 1)->end;
  return {run->file, std::to_string(run->first + index - begin)};
}

Result<SampleList> SampleList::resolved(std::vector<std::vector<std::string>> const& names) const {
  SampleList list;
  list.name_ = name_;
  list.folder_ = folder_;
  list.label_file_ = label_file_;
  list.files_ = files_;
  for (std::size_t file = 0; file < files_.size(); ++file) {
    auto const& entry = files_[file];
    std::unordered_set<std::string_view> const excluded(entry.excluded.begin(),
                                                        entry.excluded.end());
    std::size_t missing = excluded.size();
    for (auto const& each : names[file])
      if (excluded.contains(each))
        --missing;
      else
        list.add_name(file, each);
    if (missing > 0)
      return problem(entry.line, "`" + entry.name + "` lacks " + std::to_string(missing) +
                                     " of the samples that it is to leave out");
    auto const used = static_cast<std::int64_t>(names[file].size() - excluded.size());
    if (used != entry.used)
      return problem(entry.line, "`" + entry.name + "` has " + std::to_string(used) +
                                     " samples that are not left out, the line says " +
                                     std::to_string(entry.used));
    list.files_[file].excluded.clear();
  }
  return list;
}

void SampleList::add_name(std::size_t file, std::string_view name) {
  runs_.push_back({++size_, static_cast<std::uint32_t>(file),
                   static_cast<std::uint32_t>(name.size()), names_.size()});
  names_ += name;
}

void SampleList::add_numbers(std::size_t file, std::int64_t first, std::int64_t last) {
  size_ += last - first + 1;
  runs_.push_back({size_, static_cast<std::uint32_t>(file), 0, 0, first});
}

Problem SampleList::problem(std::int64_t line, std::string const& what) const {
  return {"`" + name_ + "`:" + std::to_string(line) + ": " + what};
}

}  // namespace lbann
