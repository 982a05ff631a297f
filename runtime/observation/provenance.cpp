// One line of JSON for each start.
#include "runtime/observation/provenance.hpp"

#include <fmt/chrono.h>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <nlohmann/json.hpp>
#include <set>
#include <sstream>

#include "runtime/process/host_name.hpp"

namespace lbann::runtime {

namespace {

std::vector<std::string> lines_of(std::string const& text) {
  std::vector<std::string> lines;
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);) lines.push_back(line);
  return lines;
}

}  // namespace

std::vector<std::string> hosts_of(Communicator& ranks) {
  auto const own = host_name();
  std::vector<std::string> hosts;
  std::set<std::string> seen;
  for (auto const& bytes : ranks.gather(std::as_bytes(std::span(own)))) {
    std::string host(reinterpret_cast<char const*>(bytes.data()), bytes.size());
    if (seen.insert(host).second) hosts.push_back(std::move(host));
  }
  return hosts;
}

Result<Success> write_provenance(std::filesystem::path const& path, Provenance const& start) {
  auto versions = lines_of(start.version);
  if (versions.empty()) versions.emplace_back();
  std::error_code error;
  nlohmann::ordered_json line{
      {"time", fmt::format("{:%Y-%m-%dT%H:%M:%SZ}", fmt::gmtime(std::time(nullptr)))},
      {"program", versions.front()},
      {"libraries", std::vector(versions.begin() + 1, versions.end())},
      {"command", start.command},
      {"directory", std::filesystem::current_path(error).string()},
      {"hosts", start.hosts},
      {"ranks", start.ranks},
      {"threads", start.threads},
      {"io_threads", start.io_threads},
      {"trainer", start.trainer},
      {"trainers", start.trainers},
      {"device", start.device.empty() ? "CPU" : start.device},
      {"resumed", start.resumed}};
  if (char const* const job = std::getenv("SLURM_JOB_ID")) line["slurm_job"] = job;
  std::ofstream file(path, start.resumed ? std::ios::app : std::ios::trunc);
  file << line.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace) << '\n';
  file.close();
  if (!file) return Problem{path.string() + ": cannot be written: " + std::strerror(errno)};
  return Success{};
}

}  // namespace lbann::runtime
