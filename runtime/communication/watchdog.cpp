// Questions travel by TCP, so that a dead process is told from a busy one; a announce_exit is a
// datagram, which a signal handler may send. MPI is not used: it is what may be stuck.
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

/// Seconds of waiting after which others are asked, and between two rounds of questions.
constexpr double asking_interval = 2;
/// Milliseconds that an answer may take.
constexpr int answer_time = 1000;

using Token = std::array<char, 16>;

/// Where a rank can be reached; plain bytes that travel by MPI.
struct Address {
  sockaddr_in questions{}, exit_notices{};
};

enum class RankState { waiting, busy, silent, gone };

struct Answer {
  RankState state = RankState::silent;
  std::string words;
};

/// The machine's address other nodes reach it by; the loopback's where it has no network.
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

/// A socket on a free port of all interfaces; -1 where the system gives none.
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
  return ::poll(&waiting, 1, answer_time) == 1;
}

/// Asks one rank; never longer than two answer times.
Answer ask(Address const& address, Token const& token) {
  int const socket = ::socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
  if (socket < 0) return {};
  Answer answer;
  auto const* const where = reinterpret_cast<sockaddr const*>(&address.questions);
  int error = ::connect(socket, where, sizeof address.questions) == 0 ? 0 : errno;
  if (error == EINPROGRESS && ready_for(socket, POLLOUT)) {
    socklen_t length = sizeof error;
    ::getsockopt(socket, SOL_SOCKET, SO_ERROR, &error, &length);
  }
  if (error == ECONNREFUSED || error == ECONNRESET) answer.state = RankState::gone;
  if (error == 0 && ::send(socket, token.data(), token.size(), MSG_NOSIGNAL) > 0 &&
      ready_for(socket, POLLIN)) {
    std::array<char, 1200> text{};
    auto const got = ::recv(socket, text.data(), text.size() - 1, 0);
    if (got > 1) {
      answer.state = text[0] == 'w' ? RankState::waiting : RankState::busy;
      answer.words.assign(text.data() + 1, static_cast<std::size_t>(got - 1));
    } else if (got == 0 || errno == ECONNRESET) {
      answer.state = RankState::gone;
    }
  }
  ::close(socket);
  return answer;
}

// What a signal handler needs to take leave; there is one watchdog at a time.
std::atomic<int> exit_socket{-1};
std::vector<Address> everyone;
Token job_token{};

}  // namespace

class Watchdog::Watch {
 public:
  Watch(Communicator& world, double patience, bool (*urgent)())
      : world_(world), rank_(world.rank()), patience_(patience), urgent_(urgent) {
    Address own;
    questions_ = bound_socket(SOCK_STREAM, own.questions);
    exit_notices_ = bound_socket(SOCK_DGRAM, own.exit_notices);
    if (questions_ >= 0) ::listen(questions_, 64);
    std::random_device random;
    for (auto& c : job_token) c = static_cast<char>(random());
    world.broadcast(std::as_writable_bytes(std::span(job_token)), 0);
    auto const all = world.gather(std::as_bytes(std::span(&own, 1)));
    everyone.assign(static_cast<std::size_t>(world.size()), {});
    for (std::size_t i = 0; i < all.size(); ++i)
      std::memcpy(&everyone[i], all[i].data(), sizeof(Address));
    world.broadcast(std::as_writable_bytes(std::span(everyone)), 0);
    if (questions_ >= 0) thread_ = std::thread([this] { answer(); });
    exit_socket = exit_notices_;
    on_long_wait([this](double seconds) { look(seconds); });
  }

  ~Watch() {
    if (std::uncaught_exceptions() > 0) {
      announce_exit();  // who catches the exception tells
    } else {
      // Nobody stops answering while another still asks.
      world_.barrier();
      quiet_ = true;
      world_.barrier();
    }
    on_long_wait({});
    exit_socket = -1;
    if (thread_.joinable()) {
      ::shutdown(questions_, SHUT_RDWR);
      thread_.join();
    }
    for (int socket : {questions_, exit_notices_})
      if (socket >= 0) ::close(socket);
  }

 private:
  /// The thread: tells whoever knows the token where this rank is.
  void answer() {
    while (true) {
      int const caller = ::accept4(questions_, nullptr, nullptr, SOCK_CLOEXEC);
      if (caller < 0) {
        if (errno == EINTR || errno == ECONNABORTED) continue;
        return;
      }
      Token token{};
      if (ready_for(caller, POLLIN) &&
          ::recv(caller, token.data(), token.size(), MSG_WAITALL) ==
              static_cast<ssize_t>(token.size()) &&
          token == job_token) {
        auto const* const words = position().load();
        std::string const text = std::string(is_waiting() ? "w" : "b") +
                                 (words == nullptr ? "nothing of a step" : words);
        ::send(caller, text.data(), text.size(), MSG_NOSIGNAL);
      }
      ::close(caller);
    }
  }

  /// Whether another rank has said already why the job ends.
  bool told() const {
    Token token{};
    while (::recv(exit_notices_, token.data(), token.size(), MSG_DONTWAIT) > 0)
      if (token == job_token) return true;
    return false;
  }

  /// Of a rank that has waited for `seconds`.
  void look(double seconds) {
    if (quiet_) return;
    if (seconds < last_look_) last_look_ = 0;  // another wait
    auto const interval = urgent_() ? 0.1 : asking_interval;
    if (seconds < last_look_ + interval) return;
    last_look_ = seconds;
    if (told()) {
      quiet_ = true;
      return;
    }
    std::string gone, missing;
    for (std::size_t i = 0; i < everyone.size(); ++i) {
      auto const rank = static_cast<std::int64_t>(i);
      if (rank == rank_) continue;
      auto const answer = ask(everyone[i], job_token);
      auto const name = "rank " + std::to_string(i);
      if (answer.state == RankState::waiting && rank < rank_) return;  // that one speaks
      if (answer.state == RankState::gone) gone += (gone.empty() ? "" : ", ") + name;
      if (answer.state == RankState::busy) missing += "; " + name + " is in " + answer.words;
      if (answer.state == RankState::silent) missing += "; " + name + " does not answer";
    }
    if (!gone.empty() && !told()) end(gone + " is gone", "");
    if (seconds >= patience_ && !told())
      end("nothing came for " + std::to_string(static_cast<int>(seconds)) + " s", missing);
  }

  [[noreturn]] void end(std::string const& what, std::string const& missing) {
    auto const* const words = position().load();
    std::fprintf(stderr, "lbann-run: error: rank %lld: %s, while this rank waits in %s%s\n",
                 static_cast<long long>(rank_), what.c_str(),
                 words == nullptr ? "nothing of a step" : words, missing.c_str());
    announce_exit();
    end_job(1);
  }

  Communicator& world_;
  std::int64_t rank_;
  double patience_;
  bool (*urgent_)();
  int questions_ = -1, exit_notices_ = -1;
  double last_look_ = 0;
  bool quiet_ = false;
  std::thread thread_;
};

Watchdog::Watchdog(Communicator& world, double patience, bool (*urgent)()) {
  if (world.size() > 1) watch_ = std::make_unique<Watch>(world, patience, urgent);
}

Watchdog::~Watchdog() = default;

void Watchdog::announce_exit() {
  int const socket = exit_socket.load();
  if (socket < 0) return;
  for (auto const& address : everyone)
    ::sendto(socket, job_token.data(), job_token.size(), MSG_DONTWAIT,
             reinterpret_cast<sockaddr const*>(&address.exit_notices), sizeof address.exit_notices);
}

}  // namespace lbann::runtime
