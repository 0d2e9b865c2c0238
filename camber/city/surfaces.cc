#include "camber/city/surfaces.h"

namespace camber::city {
namespace {

using scene::Texture;

/// Color, reflectivity at 905 nm [typical values of road and building materials], gloss.
struct Paint {
  const char* name;
  const char* label;
  double red, green, blue, infrared, roughness;
  Texture texture;
  double retroreflection = 0;
};

constexpr Paint kPaints[] = {
    {"city_asphalt", "road", 0.105, 0.105, 0.112, 0.17, 1, Texture::kAsphalt},
    {"white_paint", "road", 0.74, 0.74, 0.72, 0.60, 1, Texture::kAsphalt, 0.2},
    {"yellow_paint", "road", 0.72, 0.50, 0.10, 0.55, 1, Texture::kAsphalt, 0.2},
    {"kerb_stone", "sidewalk", 0.43, 0.42, 0.40, 0.35, 1, Texture::kAsphalt},
    {"sidewalk", "sidewalk", 0.33, 0.32, 0.30, 0.30, 1, Texture::kPaving},
    {"tactile_paving", "sidewalk", 0.52, 0.44, 0.22, 0.35, 1, Texture::kPaving},
    {"paving", "sidewalk", 0.42, 0.36, 0.29, 0.33, 1, Texture::kPaving},
    {"grass", "vegetation", 0.10, 0.19, 0.045, 0.45, 1, Texture::kVegetation},
    {"courtyard", "terrain", 0.22, 0.21, 0.18, 0.25, 1, Texture::kAsphalt},
    {"brick_red", "building", 0.32, 0.125, 0.085, 0.40, 1, Texture::kFacade},
    {"brick_brown", "building", 0.24, 0.155, 0.105, 0.38, 1, Texture::kFacade},
    {"plaster_white", "building", 0.62, 0.60, 0.55, 0.60, 1, Texture::kFacade},
    {"plaster_yellow", "building", 0.60, 0.47, 0.25, 0.55, 1, Texture::kFacade},
    {"plaster_gray", "building", 0.36, 0.37, 0.38, 0.45, 1, Texture::kFacade},
    {"sandstone", "building", 0.50, 0.40, 0.28, 0.50, 1, Texture::kFacade},
    {"office", "building", 0.40, 0.42, 0.44, 0.30, 1, Texture::kOffice},
    {"shopfront", "building", 0.20, 0.19, 0.18, 0.25, 1, Texture::kShopfront},
    {"trim", "building", 0.55, 0.53, 0.49, 0.50, 1, Texture::kPlain},
    {"flat_roof", "building", 0.23, 0.225, 0.22, 0.25, 1, Texture::kAsphalt},
    {"tile_roof", "building", 0.33, 0.125, 0.07, 0.35, 1, Texture::kTiles},
    {"bark", "vegetation", 0.13, 0.09, 0.06, 0.30, 1, Texture::kPlain},
    {"leaves", "vegetation", 0.10, 0.21, 0.045, 0.50, 1, Texture::kVegetation},
    {"dark_leaves", "vegetation", 0.055, 0.14, 0.035, 0.48, 1, Texture::kVegetation},
    {"metal", "pole", 0.22, 0.23, 0.24, 0.35, 0.7, Texture::kPlain},
    {"lamp", "pole", 0.75, 0.74, 0.66, 0.60, 0.6, Texture::kPlain},
    {"car_red", "car", 0.42, 0.025, 0.03, 0.45, 0.35, Texture::kPlain},
    {"car_blue", "car", 0.035, 0.09, 0.30, 0.40, 0.35, Texture::kPlain},
    {"car_white", "car", 0.72, 0.72, 0.71, 0.70, 0.35, Texture::kPlain},
    {"car_silver", "car", 0.40, 0.41, 0.42, 0.55, 0.35, Texture::kPlain},
    {"car_black", "car", 0.02, 0.02, 0.022, 0.10, 0.35, Texture::kPlain},
    {"car_green", "car", 0.05, 0.15, 0.09, 0.35, 0.35, Texture::kPlain},
    {"car_glass", "car", 0.02, 0.025, 0.03, 0.08, 0, Texture::kPlain},
    {"tire_rubber", "car", 0.02, 0.02, 0.02, 0.05, 1, Texture::kPlain},
    {"headlight", "car", 0.75, 0.75, 0.72, 0.60, 0.2, Texture::kPlain, 0.2},
    {"taillight", "car", 0.45, 0.02, 0.02, 0.40, 0.2, Texture::kPlain, 0.3},
    {"sign_red", "traffic sign", 0.50, 0.03, 0.03, 0.60, 0.8, Texture::kPlain, 0.6},
    {"sign_blue", "traffic sign", 0.03, 0.12, 0.42, 0.60, 0.8, Texture::kPlain, 0.6},
    {"sign_white", "traffic sign", 0.78, 0.78, 0.78, 0.80, 0.8, Texture::kPlain, 0.6},
    {"barrier_orange", "barrier", 0.70, 0.20, 0.03, 0.60, 0.9, Texture::kPlain, 0.2},
    {"post_yellow", "obstacle", 0.72, 0.52, 0.06, 0.60, 0.9, Texture::kPlain},
    {"wood", "furniture", 0.28, 0.17, 0.09, 0.40, 1, Texture::kPlain},
};
static_assert(std::size(kPaints) == static_cast<std::size_t>(Surface::kCount));

const Paint& paint_of(Surface surface) { return kPaints[static_cast<std::size_t>(surface)]; }

}  // namespace

std::vector<SurfaceNumbers> add_surfaces(double storey, scene::Scene* scene) {
  std::vector<SurfaceNumbers> numbers;
  for (const Paint& paint : kPaints) {
    scene::Material m;
    m.name = paint.name;
    m.color = {paint.red, paint.green, paint.blue};
    m.reflectivity = {{550e-9, (paint.red + paint.green + paint.blue) / 3},
                      {905e-9, paint.infrared}};
    m.roughness = paint.roughness;
    m.retroreflection = paint.retroreflection;
    m.texture = paint.texture;
    if (m.texture == Texture::kFacade) m.pattern = {2.4, storey};
    if (m.texture == Texture::kOffice) m.pattern = {1.5, storey};
    if (m.texture == Texture::kShopfront) m.pattern = {3.6, storey};
    numbers.push_back({scene->add_material(std::move(m)), scene->add_label(paint.label)});
  }
  return numbers;
}

const char* name_of(Surface surface) { return paint_of(surface).name; }
const char* label_of(Surface surface) { return paint_of(surface).label; }
Vector3 color_of(Surface surface) {
  const Paint& p = paint_of(surface);
  return {p.red, p.green, p.blue};
}

}  // namespace camber::city
