// Opens a file and says which number it got; prints; grows a file. What each gives stands in its
// exit code.
#include "schemas/files/standard_streams.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <string>
#include <vector>

int main(int argc, char** argv) {
  lbann::prepare_standard_streams();
  std::string const wish = argc > 1 ? argv[1] : "";
  if (wish == "number") return ::open("/dev/null", O_RDONLY);
  if (wish == "read") {
    char byte = 0;
    return ::read(STDIN_FILENO, &byte, 1) == 0 ? 0 : errno;
  }
  if (wish == "grow") {
    int const file = ::open(argv[2], O_WRONLY | O_CREAT, 0600);
    std::vector<char> const bytes(std::size_t{1} << 20);
    for (int i = 0; i < 8; ++i)
      if (::write(file, bytes.data(), bytes.size()) < 0) return errno == EFBIG ? 9 : 1;
    return 0;
  }
  if (wish == "start") {
    ::execvp(argv[2], argv + 2);
    return 1;
  }
  auto const printed = lbann::print(std::string(std::stoul(wish), 'x'));
  if (!printed) std::fprintf(stderr, "%s\n", printed.problem().message.c_str());
  return printed ? 0 : 3;
}
