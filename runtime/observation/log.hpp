// What a run says: lines to the console and, with their time, to the log file.
#pragma once

#include <cstdio>
#include <filesystem>
#include <memory>
#include <string_view>

#include "schemas/vocabulary/result.hpp"

namespace lbann::runtime {

class Log {
 public:
  /// Lines go to `console` (null: to none). One that cannot be written (nobody reads the pipe, the
  /// disk is full) is given up, and the file says so: a run does not end for it.
  explicit Log(std::FILE* console);
  ~Log();
  Log(Log const&) = delete;

  /// Lines go to the new file `path` too.
  Result<Success> open(std::filesystem::path const& path);
  /// A line for people and for scripts that read console output.
  void line(std::string_view text);
  /// A line that only the log file gets.
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
  void lose_console();

  std::FILE* console_;
  bool terminal_;
  bool has_status_ = false;
  std::unique_ptr<LogFile> file_;
};

}  // namespace lbann::runtime
