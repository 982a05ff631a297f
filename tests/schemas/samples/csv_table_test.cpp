// Headers, lines left out, columns: what is a sample and what would be lost.
#include "schemas/samples/csv_table.hpp"

#include <doctest/doctest.h>

using namespace lbann;

namespace {

data_readers::csv plain_csv() {
  data_readers::csv reader;
  reader.num_labels = 3;
  return reader;
}

/// `samples x columns of samples`, or the first problem.
std::string outcome(data_readers::csv const& reader, std::string_view text) {
  CsvTable table(reader, "t");
  Result<Success> done = Success{};
  auto const visit = [&](CsvRecord const& record) {
    auto const taken = table.take(record);
    if (!taken) done = taken.problem();
    return done.good();
  };
  CsvRecords records(reader.separator[0], reader.skip_rows);
  if (records.take(text, visit)) records.end(visit);
  if (done) done = table.end(records.lines());
  if (!done) return done.problem().message;
  return std::to_string(table.samples()) + "x" +
         std::to_string(table.columns().fields.front().uses.size());
}

bool lost(data_readers::csv const& reader, std::string_view text) {
  return outcome(reader, text).find("has_header: false") != std::string::npos;
}

}  // namespace

TEST_CASE("a header of names is left out, one of numbers refused") {
  CHECK(outcome(plain_csv(), "x,y,class\n1,2,0\n") == "1x2");
  CHECK(outcome(plain_csv(), "x,2,3\n1,2,0\n") == "1x2");
  CHECK(outcome(plain_csv(), "\n\nx,y,class\n\n1,2,0\n") == "1x2");
  for (auto const* text : {"1,2,0\n3,4,1\n", "1,2,0", "\n1,2,0\n3,4,1\n", "1,,0\n3,4,1\n",
                           " 1 ,\"2\",0\n3,4,1\n", "nan,2,0\n3,4,1\n"})
    CHECK(lost(plain_csv(), text));
  auto bare = plain_csv();
  bare.has_header = false;
  CHECK(outcome(bare, "1,2,0\n3,4,1\n") == "2x2");
}

TEST_CASE("only columns that are used tell whether a header is a sample") {
  auto reader = plain_csv();
  reader.skip_cols = 1;
  CHECK(lost(reader, "image 1,2,0\nimage 2,4,1\n"));
  CHECK_FALSE(lost(reader, "0,x,class\n1,4,1\n"));
  // The line named by the remedy is that of the file.
  reader.skip_rows = 2;
  CHECK(outcome(reader, "# a\n# b\n\na,1,0\nb,2,1\n").find("skip_rows: 4`") != std::string::npos);
  reader.has_header = false;
  reader.skip_rows = 4;
  CHECK(outcome(reader, "# a\n# b\n\na,1,0\nb,2,1\n") == "1x1");
}

TEST_CASE("label and response stand in columns of their own") {
  auto reader = plain_csv();
  reader.disable_responses = false;
  reader.response_col = 2;
  CHECK(outcome(reader, "x,y,z\n1,2,0\n") ==
        "`t`:2:1: label and response stand in the same column 2");
  reader.response_col = 1;
  CHECK(outcome(reader, "x,y,z\n1,2,0\n") == "1x1");
  reader.response_col = 3;
  CHECK(outcome(reader, "x,y,z\n1,2,0\n") ==
        "`t`:2:1: there are 3 columns, column 3 was asked for (the first is 0)");
}

TEST_CASE("columns are found by the names of the header, whatever their order") {
  data_readers::csv reader;
  reader.num_labels = 2;
  reader.columns = {"samples=c", "samples=a", "labels=kind of it"};
  CHECK(outcome(reader, "a,b,c,\"kind of it\"\n1,x,2,0\n") == "1x2");
  CHECK(outcome(reader, "\n1,c,a,kind of it\n1,2,3,0\n") == "1x2");
  CHECK(outcome(reader, "a,b,d,kind of it\n1,2,3,0\n") == "`t`:1:1: there is no column `c`");
  CHECK(outcome(reader, "a,c,c,kind of it\n1,2,3,0\n") ==
        "`t`:1:1: there are 2 columns `c`, which `columns` names; rename them");
  CHECK(outcome(reader, "a,b,c,kind off it\n1,2,3,0\n") ==
        "`t`:1:1: there is no column `kind of it`; did you mean `kind off it`?");
  CHECK(outcome(reader, "a,b,c,kind of it\n1,2,0\n") ==
        "`t`:2:6: the line has 3 columns, the header has 4");
  CHECK(outcome(reader, "a,c,kind of it\n") ==
        "`t`:1:1: there is no line of numbers before the end");
  CHECK(outcome(reader, "a,\"c\n") == "`t`:1:3: a quote is not closed");
}

TEST_CASE("a quote that is not closed is told where it stands") {
  auto reader = plain_csv();
  CHECK(outcome(reader, "x,y,z\n1,2,0\n1,\"2,0\n1,2,0\n") == "`t`:3:3: a quote is not closed");
  CHECK(outcome(reader, "x,y,z\n\"1\n\",2,\"0\n") == "`t`:3:5: a quote is not closed");
}
