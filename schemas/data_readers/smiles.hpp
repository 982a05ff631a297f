// Molecules written as SMILES, as sequences of numbers of characters.
#pragma once

#include "schemas/data_readers/reader.hpp"

namespace lbann::data_readers {

/// Gives `samples` [sequence_length + 2]: the number of `<bos>`, those of the characters, that of
/// `<eos>`, and `<pad>` up to the end. A character that the vocabulary lacks becomes `<unk>`. A
/// molecule is a line up to the first blank or comma, or a cell of a table, or what LBANN's
/// metadata say: in each line a number of samples, a file of molecules and one of their places,
/// each an offset of 8 bytes and a length of 2. A sample list names files and the numbers of their
/// molecules, from 0.
struct smiles : reader {
  static constexpr std::string_view name = "smiles";
  static constexpr std::string_view summary = "Molecules as sequences of character numbers.";

  std::string data_filedir;
  std::string data_filename;
  std::string label_filename;
  std::string metadata_filename;
  std::string vocab;
  std::int64_t sequence_length = 0;
  bool cut_long_molecules = false;
  bool has_header = false;
  std::string column;

  static constexpr auto fields() {
    return std::tuple_cat(
        optional_list_fields(),
        std::tuple{
            path(field("data_filedir", &smiles::data_filedir, "Folder of the files.")),
            path(field("data_filename", &smiles::data_filename,
                       "Text or csv file with a molecule in each line, plain or gzip.")),
            ignored(path(field("label_filename", &smiles::label_filename, "File of the labels.")),
                    "molecules have no labels"),
            path(field("metadata_filename", &smiles::metadata_filename,
                       "File that says where each molecule lies, as LBANN writes it; in the place "
                       "of `data_filename`. With a sample list, of the files that it names.")),
            path(field("vocab", &smiles::vocab,
                       "File with a character and its number in each line, and the numbers of "
                       "`<pad>`, `<unk>`, `<bos>` and `<eos>`.")),
            field("sequence_length", &smiles::sequence_length,
                  "Characters of the longest molecule; 0: as the model takes them.",
                  counted_from_zero),
            field("cut_long_molecules", &smiles::cut_long_molecules,
                  "Whether molecules of more than `sequence_length` characters are cut; they are "
                  "refused otherwise."),
            field("has_header", &smiles::has_header,
                  "Whether the first line of `data_filename` is no molecule."),
            field("column", &smiles::column,
                  "Column of the molecules by its name in the header of a csv file; left out: the "
                  "first one.")});
  }

  std::optional<FieldConflict> conflict() const {
    bool const by_metadata = !metadata_filename.empty();
    if (sample_list.empty() && data_filename.empty() != by_metadata)
      return FieldConflict{"data_filename",
                           "molecules come from one file, from those that `metadata_filename` "
                           "names, or from those of `sample_list`"};
    bool const elsewhere = !data_filename.empty() || (sample_list.empty() && by_metadata);
    if (auto conflict = list_conflict("data_filename", elsewhere)) return conflict;
    if (by_metadata && (has_header || !column.empty()))
      return FieldConflict{has_header ? "has_header" : "column",
                           "`metadata_filename` says where each molecule lies"};
    return std::nullopt;
  }

  std::vector<GivenField> gives() const {
    if (sequence_length > 0) return {{"samples", {sequence_length + 2}}};
    return {
        {"samples",
         {},
         "the reader's `sequence_length` is not given, which LBANN takes from its command line"}};
  }
  std::int64_t samples() const { return -1; }
};

}  // namespace lbann::data_readers
