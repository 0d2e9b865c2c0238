#include "camber/scene/scene_file.h"

#include <algorithm>
#include <string>

#include <gtest/gtest.h>

#include "camber/core/diagnostics.h"
#include "camber/core/file.h"
#include "camber/core/temporary_folder.h"
#include "camber/scene/render.h"

namespace camber::scene {
namespace {

TEST(SceneFile, ReadsTheYard) {
  const SceneFile yard = load_scene("scenes/yard.toml");
  EXPECT_EQ(yard.name, "yard");
  EXPECT_TRUE(yard.scene.has_ground());
  const int house = yard.scene.find_instance("house");
  ASSERT_GE(house, 0);
  EXPECT_EQ(yard.scene.label_name(yard.scene.instance(house).label), "building");
  // From above: the roof, of the file's material, which the scene defines.
  const Vector3 p = yard.scene.instance(house).X_WS.translation();
  const Hit hit = yard.scene.cast(Ray{p + Vector3(0.7, 0.4, 60), {0, 0, -1}, 100});
  EXPECT_EQ(hit.instance, house);
  EXPECT_EQ(yard.scene.material(hit.material).name, "roof");
  EXPECT_NEAR(yard.scene.material(yard.scene.find_material("grass")).reflectivity_at(905e-9), 0.45,
              1e-12);
  EXPECT_NEAR(yard.scene.material(yard.scene.find_material("grass")).reflectivity_at(727.5e-9),
              0.285, 1e-12);
}

std::string message_of(const std::string& text) {
  const TemporaryFolder folder;
  const std::string path = (folder.path() / "s.toml").string();
  write_file_atomically(path, text);
  try {
    load_scene(path);
  } catch (const ModelFileError& error) {
    std::string what = error.what();
    for (std::size_t at; (at = what.find(folder.path().string() + "/")) != std::string::npos;) {
      what.erase(at, folder.path().string().size() + 1);
    }
    return what;
  }
  return "no error";
}

TEST(SceneFile, NamesLineAndKeyOfMistakes) {
  const std::string head = "kind = \"scene\"\nname = \"a\"\n";
  EXPECT_EQ(
      message_of(head + "[[instance]]\nshape = \"sphere\"\nradius = -1\nposition = [1, 2, 3]\n"),
      "s.toml:5:10: instance[0].radius: must be > 0 m, got -1");
  EXPECT_EQ(
      message_of(head + "[[instance]]\nshape = \"mesh\"\nmesh = \"x\"\nposition = [1, 2, 3]\n"),
      "s.toml:5:8: instance[0].mesh: there is no such [[mesh]]");
  EXPECT_EQ(message_of(head + "[[material]]\nname = \"m\"\ncolor = [0.5, 2, 0.5]\n"),
            "s.toml:5:9: material[0].color: must be in 0..1");
  EXPECT_NE(message_of(head + "[sun]\nelevation = 3\n").find("sun.elevation: unknown key"),
            std::string::npos);
}

// All at once and at the line that names each; the instance of one of them is not to blame.
TEST(SceneFile, NamesEveryMeshThatCannotBeRead) {
  const TemporaryFolder folder;
  const auto path = [&](const char* name) { return (folder.path() / name).string(); };
  write_file_atomically(path("nan.obj"), "v 0 0 0\nv 1 nan 0\nv 0 1 0\nf 1 2 3\n");
  write_file_atomically(path("far.obj"), "v 0 0 0\nf 1 2 99999999999\n");
  write_file_atomically(path("s.toml"),
                        "kind = \"scene\"\nname = \"a\"\n"
                        "[[mesh]]\nname = \"m\"\nfile = \"nan.obj\"\n"
                        "[[mesh]]\nname = \"n\"\nfile = \"far.obj\"\n"
                        "[[instance]]\nshape = \"mesh\"\nmesh = \"m\"\nposition = [1, 2, 3]\n");
  try {
    load_scene(path("s.toml"));
    FAIL();
  } catch (const ModelFileError& error) {
    const std::string what = error.what();
    EXPECT_NE(what.find("s.toml:5:8: mesh[0].file: "), std::string::npos) << what;
    EXPECT_NE(what.find("nan.obj: line 2: a vertex is not finite"), std::string::npos) << what;
    EXPECT_NE(what.find("s.toml:8:8: mesh[1].file: "), std::string::npos) << what;
    EXPECT_EQ(what.find("instance"), std::string::npos) << what;
  }
}

// A sphere over a plane, the sun overhead and to the side: known places are lit, shaded, and sky.
TEST(Render, PutsLightAndShadowWhereTheyBelong) {
  Scene scene;
  const int gray = scene.add_material({.name = "gray", .color = {0.5, 0.5, 0.5}});
  const int ball_label = scene.add_label("ball");
  scene.set_ground(std::make_shared<terrain::Terrain>(), {.material = gray});
  Instance ball;
  ball.shape = Sphere{1.0};
  ball.material = gray;
  ball.label = ball_label;
  ball.X_WS.translation() = Vector3(0.3, 0.2, 5);
  const int number = scene.add_instance(ball);
  scene.commit();
  Lighting light;
  light.sun_direction = Vector3(1, 0, 1).normalized();
  // The shadow of the ball's center is 5 m towards -x.
  const std::vector<Ray> rays = {{{-4.7, 0.2, 8}, {0, 0, -1}},
                                 {{3.0, 0.2, 8}, {0, 0, -1}},
                                 {{0.3, 0.2, 9}, {0, 0, -1}},
                                 {{0, 0, 8}, {0, 0, 1}}};
  std::vector<Pixel> pixels(rays.size());
  render(scene, light, rays, pixels);
  EXPECT_LT(pixels[0].rgb.sum(), 0.5 * pixels[1].rgb.sum());
  EXPECT_NEAR(pixels[0].range, 8, 1e-9);
  EXPECT_EQ(pixels[2].instance, number);
  EXPECT_EQ(pixels[2].label, ball_label);
  EXPECT_NEAR(pixels[2].range, 3, 1e-9);
  EXPECT_EQ(pixels[3].instance, kNothing);
  // Lambert's law: sun and sky on a gray face, by hand.
  const double sky = 0.5 * (light.sky_zenith[1] + light.sky_horizon[1]);
  EXPECT_NEAR(pixels[1].rgb[1], 0.5 * (sky + std::sqrt(0.5) * light.sun_color[1]) / 1.6, 1e-9);

  View view;
  view.eye = Vector3(0.3, 0.2, 12), view.target = Vector3(0.3, 0.2, 0);
  view.width = 64, view.height = 48;
  const Picture picture = draw_scene(scene, light, view);
  const std::size_t middle = 24 * 64 + 32;
  EXPECT_EQ(picture.instance[middle], number);
  EXPECT_NEAR(picture.depth[middle], 6, 0.02);
  EXPECT_NEAR(picture.depth[0], 12, 1e-5);  // along the axis, not along the ray
  EXPECT_EQ(to_srgb(0.0), 0);
  EXPECT_EQ(to_srgb(1.0), 255);
  EXPECT_EQ(to_srgb(0.2140), 127);
}

}  // namespace
}  // namespace camber::scene
