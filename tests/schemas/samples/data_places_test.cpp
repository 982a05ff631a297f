// Files that are not there, and what may have been meant.
#include "schemas/samples/data_places.hpp"

#include <doctest/doctest.h>

#include "tests/schemas/samples/scratch_folder.hpp"

namespace lbann {

TEST_CASE("a file that is not there: names that resemble its own, written as it is") {
  using Names = std::vector<std::string>;
  tests::ScratchFolder const folder;
  std::filesystem::create_directory(folder.path() + "/data");
  folder.write_text("data/train.csv", "1\n");
  folder.write_text("data/test.csv", "1\n");
  DataPlaces const places{folder.path()};
  CHECK(places.find_file("data/train.csv").good());
  CHECK(places.similar("data/train.cvs") == Names{"data/train.csv"});
  CHECK(places.similar("data/nothing_like_it") == Names{});
  CHECK(places.similar("no/train.csv") == Names{});
  auto const absolute = folder.path() + "/data/tset.csv";
  CHECK(places.similar(absolute).front() == folder.path() + "/data/test.csv");
  auto const problem = places.find_file("data/train.cvs").problem().message;
  CHECK_MESSAGE(problem.find("`data/train.cvs` (did you mean `data/train.csv`?)") != problem.npos,
                problem);
}

}  // namespace lbann
