// Where molecules lie in files of SMILES.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "schemas/data_formats/sample_list.hpp"
#include "schemas/data_readers/smiles.hpp"
#include "schemas/samples/data_file.hpp"
#include "schemas/samples/data_places.hpp"

namespace lbann {

/// A molecule: bytes `begin` to `begin + length` of a file.
struct MoleculePlace {
  std::int64_t begin = 0;
  std::int32_t length = 0;
  std::int32_t file = 0;
};

/// Files and the molecules in them, in order.
struct MoleculeFiles {
  std::vector<DataFile> files;
  std::vector<std::string> names;   ///< of the files, as the experiment or the metadata write them
  std::vector<std::int64_t> bytes;  ///< of each file, unpacked
  std::vector<MoleculePlace> places;
};

/// Those of a text or csv file, which is read through once. Problems name file, line and column.
Result<MoleculeFiles> molecules_in_text(data_readers::smiles const& reader,
                                        std::string const& path);

/// Those that LBANN's metadata name; `files` of molecules and places are looked for in `places`.
Result<MoleculeFiles> molecules_by_metadata(data_readers::smiles const& reader,
                                            std::string const& path, DataPlaces const& places);

/// Those of a sample list. `metadata`: where those are that say the places in the files of the
/// list; empty: each file is a text.
Result<MoleculeFiles> molecules_of_list(data_readers::smiles const& reader, SampleList const& list,
                                        std::string const& metadata, DataPlaces const& places);

/// What to say of a molecule that is longer than the model takes.
std::string too_long(std::int64_t length, std::int64_t longest);

/// Characters of a molecule that are read, at most: as many as LBANN's metadata can say.
inline constexpr std::int64_t longest_molecule = 65535;

/// Whether a molecule ends before this character.
inline bool ends_molecule(char character) {
  return character == ',' || character == ' ' || (character >= '\t' && character <= '\r');
}

}  // namespace lbann
