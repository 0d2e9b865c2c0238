#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "camber/terrain/elevation_map.h"

namespace camber::terrain {

/// Readers that hold a file in memory reject more nodes than this (400 MB of heights); larger
/// ground comes as raw heights, which are read in tiles.
inline constexpr std::int64_t kMaxRasterNodes = 100'000'000;
/// Throws FileError for fewer nodes than one, and for more than kMaxRasterNodes.
void require_raster_size(const std::string& path, std::int64_t nx, std::int64_t ny);

/// A gray picture. Rows go from top to bottom.
struct GrayImage {
  int width = 0, height = 0;
  std::vector<std::uint16_t> pixels = {};  // 8-bit files are widened: 255 becomes 65535
};

/// All functions throw FileError, with what is wrong in the file. The first row of a picture or
/// raster is the northern one, of largest y.

/// Gray PNG of 8 or 16 bits.
GrayImage load_png(const std::string& path);
/// RGB or gray bytes as the bytes of a PNG file; channels is 1 or 3.
std::string encode_png(int width, int height, int channels, const std::vector<std::uint8_t>& bytes);
/// The same to a file.
void write_png(const std::string& path, int width, int height, int channels,
               const std::vector<std::uint8_t>& bytes);

/// Writes a gray PNG of 16 bits.
void write_gray_png(const std::string& path, int width, int height,
                    const std::vector<std::uint16_t>& pixels);

/// Heights from a PNG: offset + scale * pixel / 65535.
HeightGrid load_png_heights(const std::string& path, double spacing, double offset, double scale);

/// ESRI ASCII grid: the header's six lines, then rows from north to south. NODATA is an error,
/// reported with its place: a vehicle cannot drive on ground without height.
HeightGrid load_esri_grid(const std::string& path);
HeightGrid parse_esri_grid(std::string_view text, const std::string& name);

/// GeoTIFF and other formats that GDAL reads; north up, square cells in meters. Pixels are areas in
/// most files: nodes are their centers. Throws FileError also when its library is not installed.
HeightGrid load_gdal_raster(const std::string& path);
bool has_gdal();

}  // namespace camber::terrain
