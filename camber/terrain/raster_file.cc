#include "camber/terrain/raster_file.h"

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <memory>

#include "camber/core/file.h"
#include "camber/core/require.h"
#include "camber/core/shown_word.h"

#if defined(CAMBER_HAS_PNG)
#include <png.h>
#endif

namespace camber::terrain {

void require_raster_size(const std::string& path, std::int64_t nx, std::int64_t ny) {
  if (nx < 1 || ny < 1) throw FileError(path, concat("has ", nx, " x ", ny, " heights"));
  if (nx > kMaxRasterNodes || ny > kMaxRasterNodes || nx * ny > kMaxRasterNodes) {
    throw FileError(path, concat("has ", nx, " x ", ny, " heights, more than ", kMaxRasterNodes,
                                 "; use raw heights, which are read in tiles"));
  }
}

// --- PNG ---

#if defined(CAMBER_HAS_PNG)
namespace {

using File = std::unique_ptr<std::FILE, int (*)(std::FILE*)>;

File open_file(const std::string& path, const char* mode) {
  File file(std::fopen(path.c_str(), mode), std::fclose);
  if (!file) throw FileError(path, concat("cannot open: ", std::strerror(errno)));
  return file;
}

// libpng reports errors by longjmp or exception; we throw an exception, which its C frames pass on
// (as Debian builds it).
struct PngError {
  std::string text;
};
[[noreturn]] void on_png_error(png_structp, png_const_charp text) { throw PngError{text}; }
void on_png_warning(png_structp, png_const_charp) {}

struct PngReader {
  png_structp png =
      png_create_read_struct(PNG_LIBPNG_VER_STRING, nullptr, on_png_error, on_png_warning);
  png_infop info = png_create_info_struct(png);
  ~PngReader() { png_destroy_read_struct(&png, &info, nullptr); }
};
struct PngWriter {
  png_structp png =
      png_create_write_struct(PNG_LIBPNG_VER_STRING, nullptr, on_png_error, on_png_warning);
  png_infop info = png_create_info_struct(png);
  ~PngWriter() { png_destroy_write_struct(&png, &info); }
};

GrayImage read_png(const std::string& path, std::FILE* file) {
  const PngReader r;
  png_init_io(r.png, file);
  png_read_info(r.png, r.info);
  GrayImage image;
  image.width = static_cast<int>(png_get_image_width(r.png, r.info));
  image.height = static_cast<int>(png_get_image_height(r.png, r.info));
  require_raster_size(path, image.width, image.height);
  if (png_get_color_type(r.png, r.info) != PNG_COLOR_TYPE_GRAY) {
    throw FileError(path, "must be gray, without color, palette or transparency");
  }
  if (png_get_bit_depth(r.png, r.info) < 8) png_set_expand_gray_1_2_4_to_8(r.png);
  if (png_get_bit_depth(r.png, r.info) < 16) png_set_expand_16(r.png);
  png_set_swap(r.png);
  png_set_interlace_handling(r.png);
  png_read_update_info(r.png, r.info);
  image.pixels.resize(static_cast<std::size_t>(image.width) * image.height);
  std::vector<png_bytep> rows;
  for (int j = 0; j < image.height; ++j) {
    rows.push_back(reinterpret_cast<png_bytep>(image.pixels.data() +
                                               static_cast<std::size_t>(j) * image.width));
  }
  png_read_image(r.png, rows.data());
  png_read_end(r.png, nullptr);
  return image;
}

}  // namespace

GrayImage load_png(const std::string& path) {
  const File file = open_file(path, "rb");
  note_reading(path);
  try {
    return read_png(path, file.get());
  } catch (const PngError& error) {
    throw FileError(path, concat("is not a readable PNG: ", error.text));
  }
}

namespace {

void append_bytes(png_structp png, png_bytep data, std::size_t size) {
  static_cast<std::string*>(png_get_io_ptr(png))->append(reinterpret_cast<char*>(data), size);
}
void flush_nothing(png_structp) {}

}  // namespace

std::string encode_png(int width, int height, int channels,
                       const std::vector<std::uint8_t>& bytes) {
  require(channels == 1 || channels == 3, "encode_png: 1 or 3 channels, got ", channels);
  require(width > 0 && height > 0, "encode_png: ", width, " x ", height, " pixels");
  const std::size_t row = static_cast<std::size_t>(width) * channels;
  require(bytes.size() == row * height, "encode_png: ", bytes.size(), " bytes for ", width, " x ",
          height, " pixels");
  std::string out;
  try {
    const PngWriter w;
    png_set_write_fn(w.png, &out, append_bytes, flush_nothing);
    png_set_IHDR(w.png, w.info, static_cast<png_uint_32>(width), static_cast<png_uint_32>(height),
                 8, channels == 1 ? PNG_COLOR_TYPE_GRAY : PNG_COLOR_TYPE_RGB, PNG_INTERLACE_NONE,
                 PNG_COMPRESSION_TYPE_DEFAULT, PNG_FILTER_TYPE_DEFAULT);
    png_write_info(w.png, w.info);
    for (int j = 0; j < height; ++j) png_write_row(w.png, bytes.data() + row * j);
    png_write_end(w.png, nullptr);
  } catch (const PngError& error) {
    throw FileError("PNG", concat("cannot write: ", error.text));
  }
  return out;
}

void write_png(const std::string& path, int width, int height, int channels,
               const std::vector<std::uint8_t>& bytes) {
  write_file_atomically(path, encode_png(width, height, channels, bytes));
}

void write_gray_png(const std::string& path, int width, int height,
                    const std::vector<std::uint16_t>& pixels) {
  require(pixels.size() == static_cast<std::size_t>(width) * height,
          "write_gray_png: ", pixels.size(), " pixels for ", width, " x ", height);
  std::string text;
  try {
    const PngWriter w;
    png_set_write_fn(w.png, &text, append_bytes, flush_nothing);
    png_set_IHDR(w.png, w.info, static_cast<png_uint_32>(width), static_cast<png_uint_32>(height),
                 16, PNG_COLOR_TYPE_GRAY, PNG_INTERLACE_NONE, PNG_COMPRESSION_TYPE_DEFAULT,
                 PNG_FILTER_TYPE_DEFAULT);
    png_write_info(w.png, w.info);
    std::vector<std::uint8_t> row(2 * static_cast<std::size_t>(width));  // high byte first
    for (int j = 0; j < height; ++j) {
      for (int i = 0; i < width; ++i) {
        const std::uint16_t pixel = pixels[static_cast<std::size_t>(j) * width + i];
        row[2 * i] = static_cast<std::uint8_t>(pixel >> 8);
        row[2 * i + 1] = static_cast<std::uint8_t>(pixel & 0xff);
      }
      png_write_row(w.png, row.data());
    }
    png_write_end(w.png, nullptr);
  } catch (const PngError& error) {
    throw FileError(path, concat("cannot write: ", error.text));
  }
  write_file_atomically(path, text);
}
#else
GrayImage load_png(const std::string& path) {
  throw FileError(path, "cannot be read: camber was built without libpng");
}
std::string encode_png(int, int, int, const std::vector<std::uint8_t>&) {
  throw FileError("PNG", "cannot be written: camber was built without libpng");
}
void write_png(const std::string& path, int, int, int, const std::vector<std::uint8_t>&) {
  throw FileError(path, "cannot be written: camber was built without libpng");
}
void write_gray_png(const std::string& path, int, int, const std::vector<std::uint16_t>&) {
  throw FileError(path, "cannot be written: camber was built without libpng");
}
#endif

HeightGrid load_png_heights(const std::string& path, double spacing, double offset, double scale) {
  const GrayImage image = load_png(path);
  HeightGrid grid{image.width, image.height, spacing, 0.0, 0.0, {}};
  grid.heights.reserve(image.pixels.size());
  for (int j = image.height - 1; j >= 0; --j) {
    for (int i = 0; i < image.width; ++i) {
      const double pixel = image.pixels[static_cast<std::size_t>(j) * image.width + i];
      grid.heights.push_back(static_cast<float>(offset + scale * pixel / 65535.0));
    }
  }
  return grid;
}

// --- ESRI ASCII grid ---

namespace {

/// Words of a text one by one, with the line that each is in.
class Words {
 public:
  explicit Words(std::string_view text) : text_(text) {}
  /// Empty at the end.
  std::string_view next() {
    while (at_ < text_.size() && is_space(text_[at_])) line_ += text_[at_++] == '\n' ? 1 : 0;
    const std::size_t start = at_;
    while (at_ < text_.size() && !is_space(text_[at_])) ++at_;
    return text_.substr(start, at_ - start);
  }
  std::string_view peek() {
    const std::size_t at = at_;
    const int line = line_;
    const std::string_view word = next();
    at_ = at, line_ = line;
    return word;
  }
  int line() const { return line_; }

 private:
  static bool is_space(char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\n'; }
  std::string_view text_;
  std::size_t at_ = 0;
  int line_ = 1;
};

bool to_number(std::string_view word, double* value) {
  if (!word.empty() && word.front() == '+') word.remove_prefix(1);
  const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), *value);
  return error == std::errc() && end == word.data() + word.size();
}

std::string lower(std::string_view word) {
  std::string text(word.substr(0, 40));
  for (char& c : text) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return text;
}

struct EsriHeader {
  double ncols = 0, nrows = 0, x = 0, y = 0, cellsize = 0, nodata = -9999;
  bool corner_x = true, corner_y = true;
};

EsriHeader read_header(const std::string& name, Words* words) {
  EsriHeader h;
  const auto fail = [&](const std::string& what) -> FileError {
    return {name, concat("line ", words->line(), ": ", what)};
  };
  double first_height = 0;
  while (!words->peek().empty() && !to_number(words->peek(), &first_height)) {
    const std::string key = lower(words->next());
    double value = 0;
    const std::string_view word = words->next();
    if (!to_number(word, &value) || !std::isfinite(value)) {
      throw fail(concat("header: ", shown_word(key), " must be a number, got ", shown_word(word)));
    }
    if (key == "ncols") {
      h.ncols = value;
    } else if (key == "nrows") {
      h.nrows = value;
    } else if (key == "xllcorner" || key == "xllcenter") {
      h.x = value, h.corner_x = key == "xllcorner";
    } else if (key == "yllcorner" || key == "yllcenter") {
      h.y = value, h.corner_y = key == "yllcorner";
    } else if (key == "cellsize") {
      h.cellsize = value;
    } else if (key == "nodata_value") {
      h.nodata = value;
    } else {
      throw fail(concat("unknown key ", shown_word(key), " in the header of an ESRI ASCII grid"));
    }
  }
  if (!(h.ncols >= 1 && h.nrows >= 1) || h.ncols != std::floor(h.ncols) ||
      h.nrows != std::floor(h.nrows)) {
    throw FileError(name, "header: needs ncols and nrows, whole numbers >= 1");
  }
  if (!(h.cellsize > 0)) throw FileError(name, "header: needs cellsize > 0");
  require_raster_size(name, static_cast<std::int64_t>(std::min(h.ncols, 1e15)),
                      static_cast<std::int64_t>(std::min(h.nrows, 1e15)));
  return h;
}

}  // namespace

HeightGrid parse_esri_grid(std::string_view text, const std::string& name) {
  Words words(text);
  const EsriHeader h = read_header(name, &words);
  HeightGrid grid;
  grid.nx = static_cast<int>(h.ncols), grid.ny = static_cast<int>(h.nrows);
  grid.spacing = h.cellsize;
  // The height of a cell is that of its center.
  grid.origin_x = h.x + (h.corner_x ? 0.5 * h.cellsize : 0.0);
  grid.origin_y = h.y + (h.corner_y ? 0.5 * h.cellsize : 0.0);
  const auto count = static_cast<std::size_t>(grid.nx) * static_cast<std::size_t>(grid.ny);
  // Each height has at least two characters: checked before allocating what the header announces.
  if (count > text.size() / 2 + 1) {
    throw FileError(name, concat("is too short for ", grid.nx, " x ", grid.ny, " heights"));
  }
  grid.heights.resize(count);
  for (int row = 0; row < grid.ny; ++row) {
    for (int i = 0; i < grid.nx; ++i) {
      const std::string_view word = words.next();
      double value = 0;
      const auto fail = [&](const std::string& what) -> FileError {
        return {name,
                concat("line ", words.line(), ": height ", i + 1, " of row ", row + 1, ": ", what)};
      };
      if (word.empty()) throw fail("the file ends here");
      if (!to_number(word, &value)) {
        throw fail(concat("must be a number, got ", shown_word(word)));
      }
      if (value == h.nodata) throw fail("has no data (NODATA_value)");
      if (!std::isfinite(static_cast<float>(value))) throw fail("is not finite");
      grid.heights[static_cast<std::size_t>(grid.ny - 1 - row) * grid.nx + i] =
          static_cast<float>(value);
    }
  }
  if (!words.next().empty()) {
    throw FileError(
        name, concat("line ", words.line(), ": more than ", grid.nx, " x ", grid.ny, " heights"));
  }
  return grid;
}

HeightGrid load_esri_grid(const std::string& path) {
  return parse_esri_grid(read_file(path, std::size_t{2} << 30), path);
}

}  // namespace camber::terrain
