#pragma once

#include <string>
#include <string_view>

#include "camber/sensors/scan_file.h"

namespace camber::sensors {

/// Layers of a camera's pictures, in files that write_image() wrote.
enum class Layer { kColor, kRight, kDepth, kClass, kInstance, kFlow };
inline constexpr std::string_view kLayerWords[] = {"color", "right",    "depth",
                                                   "class", "instance", "flow"};

/// The bytes of a PNG that shows a layer of the picture `path` (without its ending): color and the
/// right picture as they are; depth from red (near) to blue (100 m, on a logarithmic scale), sky
/// gray; classes and objects each in a color of its own; flow with its direction as hue and its size,
/// up to 50 pixels, as brightness. Throws FileError.
std::string draw_layer(const std::string& path, Layer layer);

}  // namespace camber::sensors
