// GeoTIFF and the other formats of GDAL. Its C interface has been the same for many years, so the
// library is loaded when a file needs it, and whoever builds camber need not have it.

#include <array>
#include <cmath>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>

#include "camber/core/file.h"
#include "camber/core/require.h"
#include "camber/core/shared_object.h"
#include "camber/core/shown_word.h"
#include "camber/core/text.h"
#include "camber/terrain/raster_file.h"

namespace camber::terrain {
namespace {

/// Functions of gdal.h and ogr_srs_api.h, by their names; handles are void*.
class Gdal {
 public:
  explicit Gdal(const std::string& library) : library_(library) {
    load("GDALAllRegister", &register_all);
    load("GDALOpen", &open);
    load("GDALClose", &close);
    load("GDALGetRasterXSize", &width);
    load("GDALGetRasterYSize", &height);
    load("GDALGetGeoTransform", &geo_transform);
    load("GDALGetRasterBand", &band);
    load("GDALGetRasterNoDataValue", &no_data);
    load("GDALGetRasterScale", &scale);
    load("GDALGetRasterOffset", &offset);
    load("GDALGetRasterUnitType", &unit);
    load("GDALRasterIO", &read);
    load("GDALGetSpatialRef", &reference);
    load("OSRIsGeographic", &is_geographic);
    load("OSRGetLinearUnits", &linear_unit);
    load("CPLGetLastErrorMsg", &last_error);
    load("CPLSetErrorHandler", &set_error_handler);
    set_error_handler(reinterpret_cast<void*>(symbol("CPLQuietErrorHandler")));
    register_all();
  }

  void (*register_all)() = nullptr;
  void* (*open)(const char* path, int access) = nullptr;
  void (*close)(void* data) = nullptr;
  int (*width)(void* data) = nullptr;
  int (*height)(void* data) = nullptr;
  int (*geo_transform)(void* data, double* six) = nullptr;
  void* (*band)(void* data, int number) = nullptr;
  double (*no_data)(void* band, int* has) = nullptr;
  double (*scale)(void* band, int* has) = nullptr;
  double (*offset)(void* band, int* has) = nullptr;
  const char* (*unit)(void* band) = nullptr;
  int (*read)(void* band, int is_write, int x, int y, int nx, int ny, void* to, int to_nx,
              int to_ny, int type, int pixel_space, int line_space) = nullptr;
  void* (*reference)(void* data) = nullptr;
  int (*is_geographic)(void* reference) = nullptr;
  double (*linear_unit)(void* reference, char** name) = nullptr;
  const char* (*last_error)() = nullptr;
  void* (*set_error_handler)(void* handler) = nullptr;

 private:
  void* symbol(const char* name) const { return library_.symbol(name); }
  template <class F>
  void load(const char* name, F* function) {
    *function = reinterpret_cast<F>(symbol(name));
  }

  SharedObject library_;
};

/// Null if there is none. It stays loaded: GDAL does not like to be unloaded.
const Gdal* find_gdal() {
  static const Gdal* const gdal = []() -> const Gdal* {
    constexpr int kOldest = 20, kNewest = 60;  // versions of the interface: 32 is Debian 12's
    for (int version = kNewest; version >= kOldest; --version) {
      try {
        return new Gdal(concat("libgdal.so.", version));
      } catch (const std::runtime_error&) {  // not this one
      }
    }
    return nullptr;
  }();
  return gdal;
}

/// Grids are in meters: a map in degrees would be a few thousandths of its size.
void check_reference(const Gdal& gdal, const std::string& path, void* data) {
  void* reference = gdal.reference(data);
  if (reference == nullptr) return;  // a plane without a place on earth
  if (gdal.is_geographic(reference) != 0)
    throw FileError(path,
                    "is in degrees of longitude and latitude, expected a projection in meters; "
                    "gdalwarp -t_srs EPSG:32632 makes one (the UTM zone of the place)");
  char* name = nullptr;
  const double unit = gdal.linear_unit(reference, &name);
  if (std::abs(unit - 1) > 1e-9)
    throw FileError(path,
                    concat("is in units of ", unit, " m (", shown_word(name == nullptr ? "" : name),
                           "), expected a projection in meters"));
}

/// In meters, or without a unit.
void check_height_unit(const Gdal& gdal, const std::string& path, void* band) {
  const std::string unit = gdal.unit(band);
  for (const char* meters : {"", "m", "metre", "meter", "metres", "meters"})
    if (unit == meters) return;
  throw FileError(path, concat("has heights in ", shown_word(unit), ", expected meters"));
}

}  // namespace

bool has_gdal() { return find_gdal() != nullptr; }

HeightGrid load_gdal_raster(const std::string& path) {
  const Gdal* gdal = find_gdal();
  if (gdal == nullptr)
    throw FileError(path, "needs GDAL, whose library is not installed (Debian: libgdal32)");
  const std::unique_ptr<void, void (*)(void*)> data(gdal->open(path.c_str(), 0), gdal->close);
  if (!data) throw FileError(path, concat("cannot be read: ", gdal->last_error()));
  note_reading(path);
  HeightGrid grid;
  grid.nx = gdal->width(data.get()), grid.ny = gdal->height(data.get());
  require_raster_size(path, grid.nx, grid.ny);
  // From pixels to the map, of their corners also where a file names their middles (PixelIsPoint).
  std::array<double, 6> t{};
  if (gdal->geo_transform(data.get(), t.data()) != 0)
    throw FileError(path, "has no position (no geotransform)");
  if (t[2] != 0 || t[4] != 0 || t[5] >= 0 || std::abs(t[1] + t[5]) > 1e-6 * std::abs(t[1])) {
    throw FileError(path, concat("must be north up with square cells, got cells of ", t[1], " x ",
                                 -t[5], " and rotation ", t[2], ", ", t[4]));
  }
  check_reference(*gdal, path, data.get());
  grid.spacing = t[1];
  grid.origin_x = t[0] + 0.5 * t[1];
  grid.origin_y = t[3] + (grid.ny - 0.5) * t[5];
  void* band = gdal->band(data.get(), 1);
  if (band == nullptr) throw FileError(path, "has no band");
  check_height_unit(*gdal, path, band);
  const auto width = static_cast<std::size_t>(grid.nx);
  grid.heights.resize(width * static_cast<std::size_t>(grid.ny));
  int has_no_data = 0, has_scale = 0, has_offset = 0;
  const auto no_data = static_cast<float>(gdal->no_data(band, &has_no_data));
  const double scale = gdal->scale(band, &has_scale), offset = gdal->offset(band, &has_offset);
  constexpr int kFloat32 = 6;
  for (int row = 0; row < grid.ny; ++row) {
    float* to = grid.heights.data() + static_cast<std::size_t>(grid.ny - 1 - row) * width;
    if (gdal->read(band, 0, 0, row, grid.nx, 1, to, grid.nx, 1, kFloat32, 0, 0) != 0)
      throw FileError(path, concat("row ", row + 1, " cannot be read: ", gdal->last_error()));
    for (int i = 0; i < grid.nx; ++i) {
      if (!std::isfinite(to[i]) || (has_no_data != 0 && to[i] == no_data))
        throw FileError(path, concat("height ", i + 1, " of row ", row + 1, " has no data"));
      if (has_scale != 0 || has_offset != 0)  // heights as whole numbers of decimeters, say
        to[i] = static_cast<float>((has_offset != 0 ? offset : 0) +
                                   (has_scale != 0 ? scale : 1) * to[i]);
    }
  }
  return grid;
}

}  // namespace camber::terrain
