// The catalogue: codes are unique, spelt alike, and every entry declared in a header is listed.
#include "schemas/diagnostics/catalogue.hpp"

#include <doctest/doctest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <regex>
#include <set>
#include <string>

using namespace lbann;

TEST_CASE("catalogue() holds each code once, in the grammar of messages") {
  std::set<std::string_view> codes;
  for (auto const* info : catalogue()) {
    CAPTURE(info->code);
    CHECK(codes.insert(info->code).second);
    CHECK(info->code.find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789-") ==
          std::string_view::npos);
    REQUIRE_FALSE(info->message.empty());
    CHECK(info->message.back() != '.');
    CHECK_FALSE((info->message.front() >= 'A' && info->message.front() <= 'Z'));
    CHECK(info->help.find("{}") == std::string_view::npos);
    // Each place of the message has a name of its own.
    std::set<std::string_view> places;
    auto rest = info->message;
    for (auto at = rest.find('{'); at != std::string_view::npos; at = rest.find('{')) {
      auto const end = rest.find('}', at);
      REQUIRE(end != std::string_view::npos);
      auto const place = rest.substr(at + 1, end - at - 1);
      CHECK_FALSE(place.empty());
      CHECK(place.find_first_not_of("abcdefghijklmnopqrstuvwxyz_") == std::string_view::npos);
      CHECK(places.insert(place).second);
      rest.remove_prefix(end + 1);
    }
    for (auto const help : {info->help, info->prototext_help})
      CHECK((help.empty() || help.back() == '.'));
    CHECK(diagnostic_named(info->code) == info);
  }
  CHECK(diagnostic_named("no-such-code") == nullptr);
}

TEST_CASE("catalogue() holds every entry declared in schemas/diagnostics") {
  auto const* root = std::getenv("LBANN_SOURCE_ROOT");
  REQUIRE(root != nullptr);
  auto const folder = std::filesystem::path(root) / "schemas/diagnostics";
  std::regex const declaration("DiagnosticInfo ([a-z0-9_]+)\\{");
  int found = 0;
  for (auto const& file : std::filesystem::directory_iterator(folder)) {
    if (file.path().extension() != ".hpp") continue;
    std::ifstream stream(file.path());
    std::string const text((std::istreambuf_iterator<char>(stream)), {});
    for (std::sregex_iterator it(text.begin(), text.end(), declaration), end; it != end; ++it) {
      auto code = (*it)[1].str();
      for (auto& c : code)
        if (c == '_') c = '-';
      CAPTURE(code);
      CHECK(diagnostic_named(code) != nullptr);
      ++found;
    }
  }
  CHECK(found == static_cast<int>(catalogue().size()));
}
