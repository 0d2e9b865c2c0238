#include "camber/terrain/raster_file.h"

#include <cmath>
#include <csignal>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "camber/core/file.h"
#include "camber/core/random.h"
#include "camber/core/temporary_folder.h"

namespace camber::terrain {
namespace {

const std::string kData = "camber/terrain/test/data/";

template <class F>
std::string error_of(const F& f) {
  try {
    f();
  } catch (const FileError& error) {
    return error.what();
  }
  return "no error";
}

// --- PNG ---

// heights16.png has (1811 i + 907 j + 13 i j) mod 65536 at column i of row j from the top.
TEST(PngHeights, ReadsSixteenBitsFromSouthToNorth) {
  const HeightGrid grid = load_png_heights(kData + "heights16.png", 0.5, -20, 131.07);
  ASSERT_EQ(grid.nx, 33);
  ASSERT_EQ(grid.ny, 21);
  for (int j = 0; j < 21; ++j) {
    for (int i = 0; i < 33; ++i) {
      const int pixel = (1811 * i + 907 * (20 - j) + 13 * i * (20 - j)) % 65536;
      EXPECT_NEAR(grid.heights[33 * j + i], -20 + 131.07 * pixel / 65535, 1e-5);
    }
  }
}

TEST(PngHeights, WidensEightBits) {
  const GrayImage image = load_png(kData + "soils8.png");
  EXPECT_EQ(image.pixels[4], 257);
  EXPECT_EQ(image.pixels[8], 514);
}

TEST(PngHeights, SaysWhatIsWrong) {
  EXPECT_EQ(error_of([] { load_png("no/such.png"); }),
            "no/such.png: cannot open: No such file or directory");
  EXPECT_EQ(error_of([] { load_png(kData + "color.png"); }),
            kData + "color.png: must be gray, without color, palette or transparency");
  // A megapixel by a megapixel in 70 bytes: refused before memory is asked for. libpng has a limit
  // of its own on the width, so that either may speak.
  EXPECT_NE(error_of([] { load_png(kData + "huge.png"); }).find("huge.png: "), std::string::npos);
  EXPECT_NE(error_of([] { load_png(kData + "huge.png"); }), "no error");
  const std::string whole = read_file(kData + "heights16.png", 1 << 20);
  const TemporaryFolder folder;
  const std::string path = (folder.path() / "camber_truncated.png").string();
  for (const std::size_t length :
       {std::size_t{0}, std::size_t{5}, std::size_t{30}, whole.size() / 2, whole.size() - 20}) {
    std::ofstream(path, std::ios::binary) << whole.substr(0, length);
    EXPECT_NE(error_of([&] { load_png(path); }).find("is not a readable PNG"), std::string::npos)
        << length;
  }
  std::filesystem::remove(path);
}

TEST(PngHeights, WritesWhatItReads) {
  const TemporaryFolder folder;
  const std::string path = (folder.path() / "camber_written.png").string();
  std::vector<std::uint8_t> bytes;
  for (int k = 0; k < 7 * 5; ++k) bytes.push_back(static_cast<std::uint8_t>(k * 7));
  write_png(path, 7, 5, 1, bytes);
  const GrayImage image = load_png(path);
  for (int k = 0; k < 7 * 5; ++k) EXPECT_EQ(image.pixels[k], 257 * bytes[k]);
  std::filesystem::remove(path);
}

// A disk that is full left half a picture in the place of the old one.
TEST(PngHeights, KeepsTheOldFileIfTheNewOneCannotBeWritten) {
  const std::string missing = "/dev/full";
  EXPECT_NE(error_of([&] { write_png(missing, 1, 1, 1, {7}); }).find("cannot write"),
            std::string::npos);
  EXPECT_NE(error_of([&] { write_gray_png(missing, 1, 1, {7}); }).find("cannot write"),
            std::string::npos);
  const TemporaryFolder folder;
  const std::string path = (folder.path() / "old.png").string();
  write_gray_png(path, 1, 1, {7});
  const std::string old = read_file(path, 1 << 20);
  const std::vector<std::uint8_t> noise = [] {
    RandomStream random(5);
    std::vector<std::uint8_t> bytes(1 << 20);
    for (std::uint8_t& b : bytes) b = static_cast<std::uint8_t>(random.integer(0, 255));
    return bytes;
  }();
  const pid_t child = ::fork();
  if (child == 0) {  // files of this process are at most 64 kB long
    ::signal(SIGXFSZ, SIG_IGN);
    const rlimit limit{1 << 16, 1 << 16};
    ::setrlimit(RLIMIT_FSIZE, &limit);
    const std::string message = error_of([&] { write_png(path, 1 << 10, 1 << 10, 1, noise); });
    ::_exit(message.find("cannot write") != std::string::npos ? 0 : 1);
  }
  int status = 0;
  ::waitpid(child, &status, 0);
  EXPECT_EQ(status, 0);
  EXPECT_EQ(read_file(path, 1 << 22), old);
}

// --- ESRI ASCII grid ---

const char* const kGrid =
    "ncols 4\nnrows 3\nxllcorner 100.5\nyllcorner -20\ncellsize 2\nNODATA_value -9999\n"
    "1 2 3 4\n5 6 7 8\n9 10 11 12.5\n";

TEST(EsriGrid, ReadsRowsFromNorthToSouth) {
  const HeightGrid grid = parse_esri_grid(kGrid, "a.asc");
  EXPECT_EQ(grid.nx, 4);
  EXPECT_EQ(grid.ny, 3);
  EXPECT_EQ(grid.origin_x, 101.5);  // the middle of the corner's cell
  EXPECT_EQ(grid.origin_y, -19);
  EXPECT_EQ(grid.heights[0], 9);
  EXPECT_EQ(grid.heights[3], 12.5F);
  EXPECT_EQ(grid.heights[11], 4);
  const std::string centered =
      "NCOLS 3 NROWS 3 XLLCENTER 1 YLLCENTER 2 CELLSIZE 1\r\n1 2 3\r\n1 2 3\r\n4 5 6";
  EXPECT_EQ(parse_esri_grid(centered, "b.asc").origin_x, 1);
}

TEST(EsriGrid, SaysWhatIsWrong) {
  const auto parse = [](std::string text, const std::string& from, const std::string& to) {
    text.replace(text.find(from), from.size(), to);
    return error_of([&] { parse_esri_grid(text, "a.asc"); });
  };
  EXPECT_EQ(parse(kGrid, "6", "x7"),
            "a.asc: line 8: height 2 of row 2: must be a number, got \"x7\"");
  // A NUL ended the message: "line 2: " and nothing.
  EXPECT_EQ(parse(kGrid, "nrows", std::string("\0\x1b[2J", 5)),
            "a.asc: line 2: unknown key \"??[2j\" in the header of an ESRI ASCII grid");
  EXPECT_EQ(parse(kGrid, "nrows 3", std::string("\0\1 \0\2", 5)),
            "a.asc: line 2: header: \"??\" must be a number, got \"??\"");
  EXPECT_EQ(parse(kGrid, "7", "nan"), "a.asc: line 8: height 3 of row 2: is not finite");
}

TEST(EsriGrid, RefusesMissingAndSurplusHeights) {
  const std::string text = kGrid;
  EXPECT_EQ(error_of([&] { parse_esri_grid(text.substr(0, text.size() - 6), "a.asc"); }),
            "a.asc: line 9: height 4 of row 3: the file ends here");
  EXPECT_EQ(error_of([&] { parse_esri_grid(text + " 13", "a.asc"); }),
            "a.asc: line 10: more than 4 x 3 heights");
  std::string empty = text;
  empty.replace(empty.find('8'), 1, "-9999");
  EXPECT_EQ(error_of([&] { parse_esri_grid(empty, "a.asc"); }),
            "a.asc: line 8: height 4 of row 2: has no data (NODATA_value)");
  EXPECT_EQ(error_of([&] {
              parse_esri_grid("ncols 99999999999 nrows 3 cellsize 1 1 2 3", "a.asc");
            }).substr(0, 36),
            "a.asc: has 99999999999 x 3 heights, ");
  EXPECT_EQ(error_of([&] { parse_esri_grid("ncols 9000 nrows 9000 cellsize 1 1 2 3", "a.asc"); }),
            "a.asc: is too short for 9000 x 9000 heights");
  EXPECT_EQ(error_of([&] { parse_esri_grid("nclos 4\n", "a.asc"); }),
            "a.asc: line 1: unknown key \"nclos\" in the header of an ESRI ASCII grid");
}

TEST(EsriGrid, SurvivesDamage) {
  int grids = 0;
  for (unsigned seed = 0; seed < 20000; ++seed) {
    RandomStream random(seed);
    std::string text = kGrid;
    for (int k = 0; k < 2; ++k) {
      const auto at =
          static_cast<std::size_t>(random.integer(0, static_cast<int>(text.size()) - 1));
      if (random.integer(0, 1) == 0) {
        text[at] = static_cast<char>(random.integer(0, 255));
      } else {
        text[at] = "0123456789.-e n"[random.integer(0, 14)];
      }
    }
    try {
      parse_esri_grid(text, "a.asc");
      ++grids;
    } catch (const FileError&) {
    }
  }
  EXPECT_GT(grids, 100);
}

// --- GDAL ---

// The same grid through GDAL, which reads ESRI ASCII grids as well as GeoTIFF.
TEST(GdalRaster, AgreesWithOurOwnReader) {
  const TemporaryFolder folder;
  const std::string path = (folder.path() / "camber_grid.asc").string();
  std::ofstream(path) << kGrid;
  if (!has_gdal()) {
    EXPECT_EQ(error_of([&] { load_gdal_raster(path); }),
              path + ": needs GDAL, whose library is not installed (Debian: libgdal32)");
  } else {
    const HeightGrid a = load_gdal_raster(path), b = parse_esri_grid(kGrid, path);
    EXPECT_EQ(a.heights, b.heights);
    EXPECT_EQ(a.origin_x, b.origin_x);
    EXPECT_EQ(a.origin_y, b.origin_y);
    EXPECT_EQ(a.spacing, b.spacing);
    EXPECT_NE(error_of([&] { load_gdal_raster("no/such.tif"); }).find("cannot be read"),
              std::string::npos);
  }
  std::filesystem::remove(path);
}

/// Values of GeoTIFF's keys; 0: the key is left out.
struct GeoKeys {
  std::uint16_t model = 0;       // 1024: 1 projected, 2 geographic
  std::uint16_t raster = 0;      // 1025: 1 PixelIsArea, 2 PixelIsPoint
  std::uint16_t geographic = 0;  // 2048: EPSG code
  std::uint16_t projected = 0;   // 3072
};

/// Little-endian TIFF of one strip of floats, written by the book: TIFF 6.0, and the tags
/// ModelPixelScale and ModelTiepoint of GeoTIFF, which tie the north-west corner to (x, y), or with
/// PixelIsPoint the middle of the north-western pixel, and GeoKeyDirectory.
std::string make_geotiff(const HeightGrid& grid, double x, double y, const GeoKeys& keys = {}) {
  std::vector<std::uint16_t> directory = {1, 1, 0, 0};
  for (const auto& [key, value] : {std::pair<int, int>{1024, keys.model},
                                   {1025, keys.raster},
                                   {2048, keys.geographic},
                                   {3072, keys.projected}}) {
    if (value == 0) continue;
    for (const int number : {key, 0, 1, value})
      directory.push_back(static_cast<std::uint16_t>(number));
    ++directory[3];
  }
  std::string bytes = "II";
  const auto put = [&bytes](auto value) {
    bytes.append(reinterpret_cast<const char*>(&value), sizeof(value));
  };
  struct Field {
    std::uint16_t tag, type;  // 3 a short, 4 a long, 12 a double
    std::uint32_t count, value;
  };
  const auto nx = static_cast<std::uint32_t>(grid.nx), ny = static_cast<std::uint32_t>(grid.ny);
  constexpr std::uint32_t kFields = 14, kScale = 8 + 2 + 12 * kFields + 4, kTie = kScale + 24,
                          kKeys = kTie + 48;
  const auto key_count = static_cast<std::uint32_t>(directory.size());
  const std::uint32_t kPixels = kKeys + 2 * key_count;
  const Field fields[kFields] = {{256, 4, 1, nx},          {257, 4, 1, ny},
                                 {258, 3, 1, 32},          {259, 3, 1, 1},
                                 {262, 3, 1, 1},           {273, 4, 1, kPixels},
                                 {277, 3, 1, 1},           {278, 4, 1, ny},
                                 {279, 4, 1, 4 * nx * ny}, {284, 3, 1, 1},
                                 {339, 3, 1, 3},           {33550, 12, 3, kScale},
                                 {33922, 12, 6, kTie},     {34735, 3, key_count, kKeys}};
  put(std::uint16_t{42});
  put(std::uint32_t{8});
  put(std::uint16_t{kFields});
  for (const Field& field : fields) {
    put(field.tag);
    put(field.type);
    put(field.count);
    put(field.value);
  }
  put(std::uint32_t{0});
  for (const double scale : {grid.spacing, grid.spacing, 0.0}) put(scale);
  for (const double tie : {0.0, 0.0, 0.0, x, y, 0.0}) put(tie);
  for (const std::uint16_t number : directory) put(number);
  for (int row = grid.ny - 1; row >= 0; --row)
    for (int i = 0; i < grid.nx; ++i) put(grid.heights[grid.nx * row + i]);
  return bytes;
}

TEST(GdalRaster, ReadsGeoTiff) {
  if (!has_gdal()) GTEST_SKIP() << "GDAL's library is not installed";
  RandomStream random(73);
  HeightGrid grid{.nx = 7, .ny = 5, .spacing = 2.5, .origin_x = 431.25, .origin_y = -90.5};
  for (int i = 0; i < 35; ++i) grid.heights.push_back(static_cast<float>(random.uniform(-9, 80)));
  const TemporaryFolder folder;
  const std::string path = (folder.path() / "camber_map.tif").string();
  const auto write = [&] {
    // Nodes are the middles of pixels.
    std::ofstream(path, std::ios::binary)
        << make_geotiff(grid, grid.origin_x - 1.25, grid.origin_y + 4.5 * 2.5);
  };
  write();
  const HeightGrid read = load_gdal_raster(path);
  EXPECT_EQ(read.nx, 7);
  EXPECT_EQ(read.ny, 5);
  EXPECT_EQ(read.spacing, 2.5);
  EXPECT_EQ(read.origin_x, 431.25);
  EXPECT_EQ(read.origin_y, -90.5);
  EXPECT_EQ(read.heights, grid.heights);
  // The same place, named by the middle of the pixel; and on earth, in UTM zone 32.
  for (const std::uint16_t projected : {std::uint16_t{0}, std::uint16_t{32632}}) {
    const GeoKeys point{.model = 1, .raster = 2, .projected = projected};
    std::ofstream(path, std::ios::binary)
        << make_geotiff(grid, grid.origin_x, grid.origin_y + 4 * 2.5, point);
    EXPECT_EQ(load_gdal_raster(path).origin_x, 431.25);
    EXPECT_EQ(load_gdal_raster(path).origin_y, -90.5);
    const GeoKeys area{.model = 1, .raster = 1, .projected = projected};
    std::ofstream(path, std::ios::binary)
        << make_geotiff(grid, grid.origin_x - 1.25, grid.origin_y + 4.5 * 2.5, area);
    EXPECT_EQ(load_gdal_raster(path).origin_x, 431.25);
    EXPECT_EQ(load_gdal_raster(path).heights, grid.heights);
  }
  // Cells of 2.5 degrees were taken for cells of 2.5 m. And feet: EPSG 2263 is New York's plane.
  std::ofstream(path, std::ios::binary)
      << make_geotiff(grid, 8, 50, {.model = 2, .raster = 1, .geographic = 4326});
  EXPECT_NE(error_of([&] { load_gdal_raster(path); }).find("is in degrees of longitude"),
            std::string::npos);
  std::ofstream(path, std::ios::binary)
      << make_geotiff(grid, 8, 50, {.model = 1, .raster = 1, .projected = 2263});
  EXPECT_NE(error_of([&] { load_gdal_raster(path); }).find("is in units of 0.3048"),
            std::string::npos);
  grid.heights[7 * 3 + 2] = NAN;
  write();
  EXPECT_NE(error_of([&] { load_gdal_raster(path); }).find("height 3 of row 2 has no data"),
            std::string::npos);
  std::filesystem::remove(path);
}

}  // namespace
}  // namespace camber::terrain
