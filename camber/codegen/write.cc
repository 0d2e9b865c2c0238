#include "camber/codegen/write.h"

#include "camber/codegen/languages.h"
#include "camber/core/file.h"
#include "camber/core/require.h"

namespace camber::codegen {

std::string write_source(const Program& program, Language language, const WriteOptions& options) {
  require(options.chunk_size >= 0, "write_source: chunk_size must be >= 0, got ",
          options.chunk_size);
  switch (language) {
    case Language::kC99:
      return internal::write_c(program, options);
    case Language::kCpp:
      return internal::write_cpp(program, options);
    case Language::kFortran:
      return internal::write_fortran(program, options);
  }
  return "";
}

void write_source_file(const Program& program, Language language, const std::filesystem::path& path,
                       const WriteOptions& options) {
  write_file_atomically(path.string(), write_source(program, language, options));
}

}  // namespace camber::codegen
