// Log of a run: lines on the console and, with time stamps, in the log file.
#pragma once

#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <memory>
#include <string_view>

#include "schemas/vocabulary/result.hpp"

namespace lbann::runtime {

/// What the console shows of epochs.
enum class LogStyle : std::uint8_t {
  lbann,  ///< LBANN's lines, which scripts parse
  table   ///< a table; LBANN's lines stand in the log file alone
};

class Log {
 public:
  /// Writes lines to `console` (null: none). If that fails (a closed pipe, a full disk), the
  /// console is disabled, the log file says so, and the run continues.
  explicit Log(std::FILE* console, LogStyle style = LogStyle::lbann);
  ~Log();
  Log(Log const&) = delete;

  /// Writes lines to the file `path` too: a new one, or after what it holds if `append`.
  Result<Success> open(std::filesystem::path const& path, bool append = false);
  /// Writes a line to the console, which scripts may parse, and to the log file.
  void line(std::string_view text);
  /// Writes a line of LBANN's, of which a table has the numbers in brief.
  void detail(std::string_view text);
  /// Writes a line of the table to the console only.
  void table(std::string_view text);
  /// Writes a line to the log file only.
  void note(std::string_view text);
  /// Whether the console is a terminal.
  bool terminal() const { return terminal_; }
  LogStyle style() const { return style_; }
  /// Shows `text` as the last line of a terminal until the next line or status; nothing elsewhere.
  void status(std::string_view text);
  void flush();

 private:
  struct LogFile;

  void show(std::string_view text);
  void flush_console();
  void disable_console();

  std::FILE* console_;
  LogStyle style_;
  bool terminal_;
  bool has_status_ = false;
  std::unique_ptr<LogFile> file_;
};

}  // namespace lbann::runtime
