// Molecules of texts, tables and files of metadata, and everything that can be wrong with these.
#include <zlib.h>

#include <filesystem>

#include "tests/schemas/samples/file_case.hpp"
#include "tests/support/contains.hpp"

using namespace lbann;
using testing::contains;
using tests::numbers_of;

namespace {

using Numbers = std::vector<double>;

constexpr auto vocabulary =
    "C 0\nO 1\nN 2\n( 3\n) 4\n= 5\n<pad> 10\n<unk> 11\n<bos> 12\n<eos> 13\n";

struct SmilesCase : tests::FileCase<data_readers::smiles> {
  explicit SmilesCase(std::string const& text) : FileCase("a.smi", text) {
    folder.write_text("vocab", vocabulary);
    reader.data_filename = "a.smi";
    reader.vocab = "vocab";
    reader.sequence_length = 4;
  }
  Numbers molecule(std::int64_t index) const { return numbers_of(*open(), index, 0).value(); }
};

/// Places as LBANN writes them: 8 bytes of offset, 2 of length.
std::string places(std::vector<std::pair<std::int64_t, std::uint16_t>> const& molecules) {
  std::string bytes;
  for (auto const& [offset, length] : molecules) {
    bytes.append(reinterpret_cast<char const*>(&offset), sizeof(offset));
    bytes.append(reinterpret_cast<char const*>(&length), sizeof(length));
  }
  return bytes;
}

/// Three molecules in two files.
struct MetadataCase : SmilesCase {
  MetadataCase() : SmilesCase("CCO\nC=O id,3\n") {
    folder.write_text("b.smi", "smiles\nNCC,x");
    folder.write_text("a.places", places({{0, 3}, {4, 6}}));
    folder.write_text("b.places", places({{7, 3}}));
    folder.write_text("meta", "# made by a script\n2 a.smi a.places\n\n1\tb.smi  b.places\n");
    reader.data_filename.clear();
    reader.metadata_filename = "meta";
  }
};

}  // namespace

TEST_CASE("smiles gives begin, characters, end and padding") {
  SmilesCase const c("CO\r\nC(N)\n\nO\tmol 3\nc=O id\nN,1.5");
  CHECK(c.open()->count() == 5);
  CHECK(c.open()->fields()[0].dims == std::vector<std::int64_t>{6});
  CHECK(c.molecule(0) == Numbers{12, 0, 1, 13, 10, 10});
  CHECK(c.molecule(1) == Numbers{12, 0, 3, 2, 4, 13});
  CHECK(c.molecule(2) == Numbers{12, 1, 13, 10, 10, 10});
  CHECK(c.molecule(3) == Numbers{12, 11, 5, 1, 13, 10});
  CHECK(c.molecule(4) == Numbers{12, 2, 13, 10, 10, 10});
}

TEST_CASE("smiles takes a column of a table") {
  SmilesCase c("id,SMILES,logP\n1,\"CO\n\",0.5\n2,N,1\n");
  c.reader.column = "SMILES";
  CHECK(c.open()->count() == 2);
  CHECK(c.molecule(0) == Numbers{12, 0, 1, 13, 10, 10});
  CHECK(c.molecule(1) == Numbers{12, 2, 13, 10, 10, 10});
  c.reader.column = "smiles";
  CHECK(c.problem() == "`a.smi`:1:1: there is no column `smiles`; there are id, SMILES, logP");
  SmilesCase header("smiles\nCO\n");
  header.reader.has_header = true;
  CHECK(header.open()->count() == 1);
}

TEST_CASE("smiles cuts long molecules only where it is told to") {
  SmilesCase c("CO\nCCOCC\n");
  CHECK(c.problem() ==
        "`a.smi`:2:1: the molecule has 5 characters, more than sequence_length 4; make that "
        "longer, or write `cut_long_molecules: true`");
  c.reader.cut_long_molecules = true;
  CHECK(c.molecule(1) == Numbers{12, 0, 0, 1, 0, 13});
  c.reader.cut_long_molecules = false;
  c.reader.sequence_length = 5;
  CHECK(c.molecule(1) == Numbers{12, 0, 0, 1, 0, 0, 13});
}

TEST_CASE("smiles without a sequence_length takes what the model takes") {
  SmilesCase c("CO\nCCO\n");
  c.reader.sequence_length = 0;
  auto const samples = c.open();
  CHECK(samples->fields()[0].dims.empty());
  Numbers numbers(4);
  CHECK(samples->read(0, 0, {numbers.data(), DataType::f64, 4}).good());
  CHECK(numbers == Numbers{12, 0, 1, 13});
  auto const longer = samples->read(1, 0, {numbers.data(), DataType::f64, 4});
  REQUIRE_FALSE(longer.good());
  CHECK(contains(longer.problem().message, "a.smi`: byte 3: the molecule has 3 characters"));
}

TEST_CASE("smiles names file, line and column of every mistake") {
  CHECK(SmilesCase("").problem() == "`a.smi`: it holds no molecule");
  CHECK(SmilesCase("C\n ,1\n").problem() == "`a.smi`:2:2: there is no molecule");
  CHECK(SmilesCase("C\n\"C\n").problem() == "`a.smi`:2:1: a quote is not closed");
  SmilesCase column("a,b\n1\n");
  column.reader.column = "b";
  CHECK(column.problem() == "`a.smi`:2:2: the line has no column `b`");
  SmilesCase words("C\n");
  words.folder.write_text("vocab", "C 0\nN\n");
  CHECK(words.problem() == "`vocab`:2:2: behind the token a number from 0 to 65535 was expected");
  SmilesCase missing("C\n");
  missing.reader.vocab = "v";
  CHECK(contains(missing.problem(), "v"));
  missing.reader.vocab.clear();
  CHECK(contains(missing.problem(), "`vocab`, the file of the vocabulary, is not given"));
  missing.reader.data_filename.clear();
  CHECK(contains(missing.problem(), "molecules come from one file"));
}

TEST_CASE("smiles reads packed files, and refuses ones that are cut") {
  SmilesCase c("");
  auto const path = c.folder.path() + "/a.smi";
  auto* const file = gzopen(path.c_str(), "wb");
  std::string text;
  for (int i = 0; i < 500; ++i) text += "C(N)\nO=C\n";
  CHECK(gzwrite(file, text.data(), static_cast<unsigned>(text.size())) > 0);
  gzclose(file);
  CHECK(c.open()->count() == 1000);
  CHECK(c.molecule(999) == Numbers{12, 1, 5, 0, 13, 10});
  auto const size = std::filesystem::file_size(path);
  for (std::uintmax_t left = size - 1; left > 10; left -= 3) {
    std::filesystem::resize_file(path, left);
    CHECK(contains(c.problem(), "a.smi"));
  }
}

TEST_CASE("smiles finds molecules by LBANN's metadata") {
  MetadataCase c;
  CHECK(c.open()->count() == 3);
  CHECK(c.molecule(0) == Numbers{12, 0, 0, 1, 13, 10});
  CHECK(c.molecule(1) == Numbers{12, 0, 5, 1, 13, 10});
  CHECK(c.molecule(2) == Numbers{12, 2, 0, 0, 13, 10});
  CHECK(contains(c.open()->place(2, 0), "b.smi`: byte 7"));
  c.reader.max_files_to_load = 1;
  CHECK(c.open()->count() == 2);
  c.reader.sequence_length = 2;
  CHECK(contains(c.problem(), "byte 0: the molecule has 3 characters, more than"));
  c.reader.cut_long_molecules = true;
  CHECK(c.molecule(0) == Numbers{12, 0, 0, 13});
}

TEST_CASE("smiles refuses metadata and places that do not fit") {
  auto const with = [](std::string const& file, std::string const& bytes) {
    MetadataCase c;
    c.folder.write_text(file, bytes);
    return c.problem();
  };
  CHECK(
      contains(with("meta", "2 a.smi\n"), "`meta`:1:1: a number of samples, a file of molecules"));
  CHECK(contains(with("meta", "#\nx a.smi a.places\n"), "`meta`:2:1: a number of samples"));
  CHECK(contains(with("meta", "-1 a.smi a.places\n"), "`meta`:1:1: a number of samples"));
  CHECK(contains(with("meta", "# nothing\n"), "it names no file of molecules"));
  CHECK(contains(with("meta", "2 c.smi a.places\n"), "c.smi"));
  CHECK(contains(with("meta", "3 a.smi a.places\n"), "it has 20 bytes, the 3 samples"));
  CHECK(contains(with("a.places", places({{0, 3}})), "it has 10 bytes, the 2 samples"));
  CHECK(contains(with("a.places", places({{0, 3}, {4, 600}})),
                 "molecule 1 (the first is 0) lies behind"));
  CHECK(contains(with("a.places", places({{0, 3}, {-1, 3}})), "lies behind the end"));
  CHECK(contains(with("a.places", places({{1, 2}, {4, 3}})), "byte 1 does not begin a line"));
  CHECK(contains(with("a.places", places({{0, 2}, {4, 3}})), "byte 0 goes on behind its length"));
  CHECK(contains(with("a.places", places({{0, 3}, {4, 0}})), "byte 4 is empty"));
}

TEST_CASE("smiles reads or refuses files with any byte changed") {
  std::string const good = "id,smiles\n1,\"CC\"\n2,O=N x\n";
  for (std::size_t at = 0; at < good.size(); ++at)
    for (char const byte : {'\0', '"', ',', '\n', ' ', '\xff'}) {
      SmilesCase c(std::string(good).replace(at, 1, 1, byte));
      c.reader.column = "smiles";
      auto const problem = c.problem();
      if (!problem.empty()) CHECK(problem.starts_with("`a.smi`"));
    }
}

TEST_CASE("smiles takes the molecules of a sample list, with metadata and without") {
  SmilesCase c("CCO\n\nC=O id\nN\n");
  c.folder.write_text("b.smi", "N\nNCC,x\nO");
  c.reader.data_filename.clear();
  auto const list = [&](std::string const& text) {
    c.folder.write_text("list", text);
    c.reader.sample_list = c.folder.path() + "/list";
  };
  list("MULTI-SAMPLE_INCLUSION_V2\n3 2\nnowhere\nb.smi 1 2\na.smi 2 0 ... 1\n");
  CHECK(c.open()->count() == 3);
  CHECK(c.molecule(0) == Numbers{12, 1, 13, 10, 10, 10});
  CHECK(c.molecule(1) == Numbers{12, 0, 0, 1, 13, 10});
  CHECK(c.molecule(2) == Numbers{12, 0, 5, 1, 13, 10});
  list("MULTI-SAMPLE_INCLUSION\n1 2 1\n.\nnone\na.smi 1 2 3\n");
  CHECK(c.problem() == "`list`:5: `3` is no molecule of `a.smi`, which has 3, counted from 0");

  c.folder.write_text("a.places", places({{0, 3}, {5, 6}, {12, 1}}));
  c.folder.write_text("b.places", places({{2, 3}}));
  c.folder.write_text("meta", "3 a.smi a.places\n1 b.smi b.places\n");
  c.reader.metadata_filename = "meta";
  list("MULTI-SAMPLE_EXCLUSION\n3 1 2\n.\nnone\nb.smi 1 0\na.smi 2 1 1\n");
  CHECK(c.open()->count() == 3);
  CHECK(c.molecule(0) == Numbers{12, 2, 0, 0, 13, 10});
  CHECK(c.molecule(1) == Numbers{12, 0, 0, 1, 13, 10});
  CHECK(c.molecule(2) == Numbers{12, 2, 13, 10, 10, 10});
  list("MULTI-SAMPLE_EXCLUSION\n2 1 1\n.\nnone\nc.smi 2 1 1\n");
  CHECK(c.problem() == "`list`:5: the metadata do not name `c.smi`");
  list("SINGLE-SAMPLE\n1\n.\nnone\na.smi\n");
  CHECK(contains(c.problem(), "`list`:1: a file of molecules has many samples"));
  c.reader.data_filename = "a.smi";
  CHECK(c.problem() == "`sample_list` names the samples already");
}
