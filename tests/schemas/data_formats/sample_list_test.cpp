// Sample lists of all formats of LBANN, and what can be wrong with one.
#include "schemas/data_formats/sample_list.hpp"

#include <doctest/doctest.h>

using namespace lbann;

namespace {

SampleList list_of(std::string_view text) {
  auto list = SampleList::parse(text, "l.txt");
  if (!list) FAIL(list.problem().message);
  return std::move(list).value();
}

/// `file/name` of each sample.
std::vector<std::string> samples_of(SampleList const& list) {
  std::vector<std::string> samples;
  for (std::int64_t i = 0; i < list.size(); ++i) {
    auto const [file, name] = list.at(i);
    samples.push_back(list.files()[file].name + "/" + name);
  }
  return samples;
}

std::string problem(std::string_view text) {
  auto const list = SampleList::parse(text, "l.txt");
  return list ? "" : list.problem().message;
}

using Samples = std::vector<std::string>;

}  // namespace

TEST_CASE("sample lists name the samples of each file") {
  auto const list = list_of(
      "CONDUIT_HDF5_INCLUSION\n5 23 2\n/p/vast1/data\n"
      "file_1.h5 3 7 runid/002 runid/005 runid/011\n\nfile_2.h5\t2 8 runid/005 runid/006 \r\n");
  CHECK(list.folder() == "/p/vast1/data");
  CHECK(list.label_file() == "");
  CHECK(samples_of(list) == Samples{"file_1.h5/runid/002", "file_1.h5/runid/005",
                                    "file_1.h5/runid/011", "file_2.h5/runid/005",
                                    "file_2.h5/runid/006"});
  CHECK(list.files()[1].line == 6);
  CHECK(list.files()[1].left_out == 8);
  CHECK_FALSE(list.excludes());
  auto const labelled = list_of("multi-sample_inclusion\n1 0 1\nf\nlabels.txt\na.h5 1 0 x");
  CHECK(labelled.label_file() == "labels.txt");
  CHECK(samples_of(labelled) == Samples{"a.h5/x"});
}

TEST_CASE("sample lists say numbers one after the other as ranges") {
  auto const list = list_of(
      "MULTI-SAMPLE_INCLUSION_V2\n11 2\n/foo/bar/\nbaz.txt 8 0 ... 2 7 10 ... 13\n"
      "blah.txt 3 005 6 ... 7\n");
  CHECK(samples_of(list) == Samples{"baz.txt/0", "baz.txt/1", "baz.txt/2", "baz.txt/7",
                                    "baz.txt/10", "baz.txt/11", "baz.txt/12", "baz.txt/13",
                                    "blah.txt/005", "blah.txt/6", "blah.txt/7"});
  auto const long_one =
      list_of("MULTI-SAMPLE_INCLUSION_V2\n1000000000 1\n.\na 1000000000 0 ... 999999999");
  CHECK(long_one.at(123456789).name == "123456789");
}

TEST_CASE("sample lists of single samples name files") {
  auto const list = list_of("SINGLE-SAMPLE\n2\nimages\nlabels.txt\na.jpg\nb/c.jpg");
  CHECK(list.one_per_file());
  CHECK(list.folder() == "images");
  CHECK(samples_of(list) == Samples{"a.jpg/", "b/c.jpg/"});
}

TEST_CASE("sample lists that exclude are resolved with what is in the files") {
  auto const list =
      list_of("CONDUIT_HDF5_EXCLUSION\n4 2 2\nd\nh5out_1.h5 1 2 RUN/3 RUN/21\nh5out_2.h5 3 0\n");
  CHECK(list.excludes());
  CHECK(list.size() == 4);
  auto const resolved = list.resolved({{"RUN/3", "RUN/5", "RUN/21"}, {"a", "b", "c"}});
  if (!resolved) FAIL(resolved.problem().message);
  CHECK(samples_of(resolved.value()) ==
        Samples{"h5out_1.h5/RUN/5", "h5out_2.h5/a", "h5out_2.h5/b", "h5out_2.h5/c"});
  CHECK(list.resolved({{"RUN/3", "RUN/5"}, {"a", "b", "c"}}).problem().message ==
        "`l.txt`:4: `h5out_1.h5` lacks 1 of the samples that it is to leave out");
  CHECK(list.resolved({{"RUN/3", "RUN/5", "RUN/21"}, {"a", "b"}}).problem().message ==
        "`l.txt`:5: `h5out_2.h5` has 2 samples that are not left out, the line says 3");
}

TEST_CASE("sample lists that contradict themselves are refused with the line") {
  CHECK(problem("") == "`l.txt`: the list ends before the line with its format");
  CHECK(problem("CONDUIT_HDF5_INCLUSON\n") ==
        "`l.txt`:1: `CONDUIT_HDF5_INCLUSON` is no format of sample lists; did you mean "
        "`CONDUIT_HDF5_INCLUSION`?");
  CHECK(problem("{\"x\": 1}")
            .starts_with("`l.txt`:1: `{\"X\":` is no format of sample lists: `SINGLE-SAMPLE`, "
                         "`MULTI-SAMPLE_INCLUSION`"));
  std::string const head = "CONDUIT_HDF5_INCLUSION\n";
  CHECK(problem(head) ==
        "`l.txt`: the list ends before the line with the numbers of samples and files");
  CHECK(problem(head + "1 x 1\nf\n") == "`l.txt`:2: `x` is no number of samples that are left out");
  CHECK(problem(head + "1 0\nf\n") == "`l.txt`:2: the number of files is missing");
  CHECK(problem(head + "1 0 1\n") ==
        "`l.txt`: the list ends before the line with the folder of the files");
  CHECK(problem(head + "1 0 1\nf\n") ==
        "`l.txt`:3: the list ends after 0 of the 1 files that line 2 says");
  CHECK(problem(head + "1 0 1\nf\na 1 0 x\nb 1 0 x\n") ==
        "`l.txt`:5: it is one file more than the 1 that line 2 says");
  CHECK(problem(head + "2 0 1\nf\na 1 0 x\n") == "`l.txt`:2: it says 2 samples, the files below 1");
  CHECK(problem(head + "2 0 1\nf\na 2 0 x\n") == "`l.txt`:4: it names 1 samples and says 2");
  CHECK(problem(head + "2 0 1\nf\na x 0 x\n") ==
        "`l.txt`:4: the number of samples that are used must follow the file, not `x`");
  CHECK(problem(head + "2 0 1\nf\na 2\n") ==
        "`l.txt`:4: the number of samples that are left out must follow the file");
  for (auto const* range : {"... 4", "4 ...", "4 ... 3", "a ... 5", "1 ... 2 ... 4", "1 ... x"})
    CHECK(problem(head + "3 0 1\nf\na 3 0 " + range + "\n")
              .starts_with("`l.txt`:4: `...` stands between two numbers"));
  CHECK(problem("SINGLE-SAMPLE\n1\nf\nl\na b\n") ==
        "`l.txt`:5: `b` stands behind the name of the file; each line of a list of single samples "
        "is a file");
  CHECK(problem("CONDUIT_HDF5_EXCLUSION\n1 2 1\nf\na 1 2 x\n") ==
        "`l.txt`:4: it names 1 samples to leave out and says 2");
  CHECK(problem(head + "-1 0 1\nf\n") == "`l.txt`:2: `-1` is no number of samples that are used");
  CHECK(problem(head + "99999999999999999999 0 1\nf\n")
            .starts_with("`l.txt`:2: `99999999999999999999` is no number"));
}

TEST_CASE("sample lists cut anywhere are refused or say less, and never more") {
  std::string const text = "CONDUIT_HDF5_INCLUSION\n5 0 2\nd\na.h5 3 0 0 ... 2\nb.h5 2 0 x y";
  for (std::size_t size = 0; size < text.size(); ++size) {
    auto const list = SampleList::parse(text.substr(0, size), "l.txt");
    if (list) CHECK(list.value().size() <= 5);
  }
}
