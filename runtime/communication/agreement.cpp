// Agreement by an all-reduce of counts or a broadcast from rank 0.
#include "runtime/communication/agreement.hpp"

#include <algorithm>
#include <fstream>
#include <iterator>

#include "schemas/plan/digest.hpp"

namespace lbann::runtime {

Result<Success> agree_on_status(Communicator& ranks, Result<Success> mine) {
  if (ranks.size() == 1) return mine;
  std::int64_t failed = mine ? 0 : 1;
  ranks.all_reduce(&failed, 1, DataType::i64);
  if (failed == 0) return mine;

  auto const problem = static_cast<std::byte>(mine ? 0 : 1);
  auto const all = ranks.gather({&problem, 1});
  auto const found =
      std::ranges::find_if(all, [](auto const& bytes) { return bytes.front() != std::byte{0}; });
  std::int64_t reporter = found - all.begin();
  ranks.broadcast(std::as_writable_bytes(std::span(&reporter, 1)), 0);
  if (ranks.rank() != reporter || mine.problem().message.empty()) return Problem{};
  return Problem{"rank " + std::to_string(reporter) + ": " + mine.problem().message};
}

Result<Success> same_everywhere(Communicator& ranks, std::uint64_t digest, std::string const& what,
                                std::string const& remedy) {
  auto first = digest;
  ranks.broadcast(std::as_writable_bytes(std::span(&first, 1)), 0);
  if (first == digest) return agree_on_status(ranks, Result<Success>(Success{}));
  return agree_on_status(ranks, Result<Success>(Problem{what + " than rank 0; " + remedy}));
}

std::string broadcast_text(Communicator& ranks, std::string text) {
  auto size = static_cast<std::int64_t>(text.size());
  ranks.broadcast(std::as_writable_bytes(std::span(&size, 1)), 0);
  text.resize(static_cast<std::size_t>(size));
  ranks.broadcast(std::as_writable_bytes(std::span(text)), 0);
  return text;
}

std::uint64_t program_digest() {
  std::ifstream file("/proc/self/exe", std::ios::binary);
  std::string const bytes{std::istreambuf_iterator<char>(file), {}};
  return digest({reinterpret_cast<std::uint8_t const*>(bytes.data()), bytes.size()});
}

}  // namespace lbann::runtime
