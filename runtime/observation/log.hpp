// Log of a run: lines on the console and, with time stamps, in the log file.
#pragma once

#include <cstdio>
#include <filesystem>
#include <memory>
#include <string_view>

#include "schemas/vocabulary/result.hpp"

namespace lbann::runtime {

class Log {
 public:
  /// Writes lines to `console` (null: none). If that fails (a closed pipe, a full disk), the
  /// console is disabled, the log file says so, and the run continues.
  explicit Log(std::FILE* console);
  ~Log();
  Log(Log const&) = delete;

  /// Writes lines to the file `path` too: a new one, or after what it holds if `append`.
  Result<Success> open(std::filesystem::path const& path, bool append = false);
  /// Writes a line to the console, which scripts may parse, and to the log file.
  void line(std::string_view text);
  /// Writes a line to the log file only.
  void note(std::string_view text);
  /// Whether the console is a terminal.
  bool terminal() const { return terminal_; }
  /// Shows `text` as the last line of a terminal until the next line or status; nothing elsewhere.
  void status(std::string_view text);
  void flush();

 private:
  struct LogFile;

  void show(std::string_view text);
  void flush_console();
  void disable_console();

  std::FILE* console_;
  bool terminal_;
  bool has_status_ = false;
  std::unique_ptr<LogFile> file_;
};

}  // namespace lbann::runtime
