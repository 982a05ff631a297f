// Queries use TCP, which tells a dead process from a busy one; exit notices are datagrams, which a
// signal handler may send. MPI is not used: it is what may be stuck.
#include "runtime/communication/watchdog.hpp"

#include <arpa/inet.h>
#include <ifaddrs.h>
#include <net/if.h>
#include <netinet/in.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <exception>
#include <random>
#include <string>
#include <thread>
#include <vector>

#include "runtime/communication/mpi.hpp"
#include "runtime/communication/waiting.hpp"
#include "runtime/process/position.hpp"

namespace lbann::runtime {

namespace {

/// Seconds of waiting before other ranks are queried, and between two rounds of queries.
constexpr double query_interval = 2;
/// Milliseconds that a socket may take to become ready.
constexpr int reply_timeout = 1000;

using Token = std::array<char, 16>;

/// Sockets of a rank; gathered and broadcast as bytes.
struct Address {
  sockaddr_in queries{}, exit_notices{};
};

enum class RankState { waiting, busy, silent, gone };

struct Reply {
  RankState state = RankState::silent;
  std::string description;
};

/// This machine's first IPv4 address that is not loopback; loopback if it has none.
in_addr own_address() {
  in_addr found{htonl(INADDR_LOOPBACK)};
  ifaddrs* list = nullptr;
  if (::getifaddrs(&list) != 0) return found;
  for (auto const* each = list; each != nullptr; each = each->ifa_next) {
    if (each->ifa_addr == nullptr || each->ifa_addr->sa_family != AF_INET) continue;
    if ((each->ifa_flags & IFF_LOOPBACK) != 0 || (each->ifa_flags & IFF_UP) == 0) continue;
    found = reinterpret_cast<sockaddr_in const*>(each->ifa_addr)->sin_addr;
    break;
  }
  ::freeifaddrs(list);
  return found;
}

/// A socket on a free port of all interfaces; -1 on failure.
int bound_socket(int type, sockaddr_in& address) {
  int const socket = ::socket(AF_INET, type | SOCK_CLOEXEC, 0);
  sockaddr_in any{};
  any.sin_family = AF_INET;
  socklen_t length = sizeof any;
  auto* const where = reinterpret_cast<sockaddr*>(&any);
  if (socket < 0 || ::bind(socket, where, length) != 0 ||
      ::getsockname(socket, where, &length) != 0) {
    if (socket >= 0) ::close(socket);
    return -1;
  }
  address = any;
  address.sin_addr = own_address();
  return socket;
}

bool ready_for(int socket, short events) {
  pollfd waiting{socket, events, 0};
  return ::poll(&waiting, 1, reply_timeout) == 1;
}

/// Queries one rank; takes at most two reply timeouts.
Reply query_rank(Address const& address, Token const& token) {
  int const socket = ::socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
  if (socket < 0) return {};
  Reply reply;
  auto const* const where = reinterpret_cast<sockaddr const*>(&address.queries);
  int error = ::connect(socket, where, sizeof address.queries) == 0 ? 0 : errno;
  if (error == EINPROGRESS && ready_for(socket, POLLOUT)) {
    socklen_t length = sizeof error;
    ::getsockopt(socket, SOL_SOCKET, SO_ERROR, &error, &length);
  }
  if (error == ECONNREFUSED || error == ECONNRESET) reply.state = RankState::gone;
  if (error == 0 && ::send(socket, token.data(), token.size(), MSG_NOSIGNAL) > 0 &&
      ready_for(socket, POLLIN)) {
    std::array<char, 1200> text{};
    auto const got = ::recv(socket, text.data(), text.size() - 1, 0);
    if (got > 1) {
      reply.state = text[0] == 'w' ? RankState::waiting : RankState::busy;
      reply.description.assign(text.data() + 1, static_cast<std::size_t>(got - 1));
    } else if (got == 0 || errno == ECONNRESET) {
      reply.state = RankState::gone;
    }
  }
  ::close(socket);
  return reply;
}

// Read by signal handlers to announce the exit; there is one watchdog at a time.
std::atomic<int> exit_socket{-1};
std::vector<Address> rank_addresses;
Token job_token{};

}  // namespace

class Watchdog::Watch {
 public:
  Watch(Communicator& world, double stall_timeout, bool (*urgent)())
      : world_(world), rank_(world.rank()), stall_timeout_(stall_timeout), urgent_(urgent) {
    Address own;
    query_socket_ = bound_socket(SOCK_STREAM, own.queries);
    exit_notices_ = bound_socket(SOCK_DGRAM, own.exit_notices);
    if (query_socket_ >= 0) ::listen(query_socket_, 64);
    std::random_device random;
    for (auto& c : job_token) c = static_cast<char>(random());
    world.broadcast(std::as_writable_bytes(std::span(job_token)), 0);
    auto const all = world.gather(std::as_bytes(std::span(&own, 1)));
    rank_addresses.assign(static_cast<std::size_t>(world.size()), {});
    for (std::size_t i = 0; i < all.size(); ++i)
      std::memcpy(&rank_addresses[i], all[i].data(), sizeof(Address));
    world.broadcast(std::as_writable_bytes(std::span(rank_addresses)), 0);
    if (query_socket_ >= 0) thread_ = std::thread([this] { serve_queries(); });
    exit_socket = exit_notices_;
    on_long_wait([this](double seconds) { check_ranks(seconds); });
  }

  ~Watch() {
    if (std::uncaught_exceptions() > 0) {
      announce_exit();  // the handler of the exception prints the message
    } else {
      // No rank stops replying while another may still query it.
      world_.barrier();
      stopped_ = true;
      world_.barrier();
    }
    on_long_wait({});
    exit_socket = -1;
    if (thread_.joinable()) {
      ::shutdown(query_socket_, SHUT_RDWR);
      thread_.join();
    }
    for (int socket : {query_socket_, exit_notices_})
      if (socket >= 0) ::close(socket);
  }

 private:
  /// The thread: replies to queries that carry the job's token with state and position.
  void serve_queries() {
    while (true) {
      int const caller = ::accept4(query_socket_, nullptr, nullptr, SOCK_CLOEXEC);
      if (caller < 0) {
        if (errno == EINTR || errno == ECONNABORTED) continue;
        return;
      }
      Token token{};
      if (ready_for(caller, POLLIN) &&
          ::recv(caller, token.data(), token.size(), MSG_WAITALL) ==
              static_cast<ssize_t>(token.size()) &&
          token == job_token) {
        auto const* const description = position().load();
        std::string const text = std::string(is_waiting() ? "w" : "b") +
                                 (description == nullptr ? "nothing of a step" : description);
        ::send(caller, text.data(), text.size(), MSG_NOSIGNAL);
      }
      ::close(caller);
    }
  }

  /// Whether another rank has already reported why the job ends.
  bool exit_announced() const {
    Token token{};
    while (::recv(exit_notices_, token.data(), token.size(), MSG_DONTWAIT) > 0)
      if (token == job_token) return true;
    return false;
  }

  /// Queries the other ranks when this one has waited for `seconds`.
  void check_ranks(double seconds) {
    if (stopped_) return;
    if (seconds < last_check_) last_check_ = 0;  // a new wait has begun
    auto const interval = urgent_() ? 0.1 : query_interval;
    if (seconds < last_check_ + interval) return;
    last_check_ = seconds;
    if (exit_announced()) {
      stopped_ = true;
      return;
    }
    std::string gone, missing;
    for (std::size_t i = 0; i < rank_addresses.size(); ++i) {
      auto const rank = static_cast<std::int64_t>(i);
      if (rank == rank_) continue;
      auto const reply = query_rank(rank_addresses[i], job_token);
      auto const name = "rank " + std::to_string(i);
      if (reply.state == RankState::waiting && rank < rank_) return;  // that rank reports
      if (reply.state == RankState::gone) gone += (gone.empty() ? "" : ", ") + name;
      if (reply.state == RankState::busy) missing += "; " + name + " is in " + reply.description;
      if (reply.state == RankState::silent) missing += "; " + name + " does not answer";
    }
    if (!gone.empty() && !exit_announced()) report_and_abort(gone + " is gone", "");
    if (seconds >= stall_timeout_ && !exit_announced())
      report_and_abort("nothing came for " + std::to_string(static_cast<int>(seconds)) + " s",
                       missing);
  }

  [[noreturn]] void report_and_abort(std::string const& what, std::string const& missing) {
    auto const* const description = position().load();
    std::fprintf(stderr, "lbann-run: error: rank %lld: %s, while this rank waits in %s%s\n",
                 static_cast<long long>(rank_), what.c_str(),
                 description == nullptr ? "nothing of a step" : description, missing.c_str());
    announce_exit();
    end_job(1);
  }

  Communicator& world_;
  std::int64_t rank_;
  double stall_timeout_;
  bool (*urgent_)();
  int query_socket_ = -1, exit_notices_ = -1;
  double last_check_ = 0;
  bool stopped_ = false;
  std::thread thread_;
};

Watchdog::Watchdog(Communicator& world, double stall_timeout, bool (*urgent)()) {
  if (world.size() > 1) watch_ = std::make_unique<Watch>(world, stall_timeout, urgent);
}

Watchdog::~Watchdog() = default;

void Watchdog::announce_exit() {
  int const socket = exit_socket.load();
  if (socket < 0) return;
  for (auto const& address : rank_addresses)
    ::sendto(socket, job_token.data(), job_token.size(), MSG_DONTWAIT,
             reinterpret_cast<sockaddr const*>(&address.exit_notices), sizeof address.exit_notices);
}

}  // namespace lbann::runtime
