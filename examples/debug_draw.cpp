// SPDX-License-Identifier: MIT
// A world drawn by a renderer of one's own: here strokes on a page of SVG, seen from the side.
#include <cstdio>
#include <string>

#include <abut/abut.hpp>
#include <abut/io/debug_draw.hpp>

namespace {

/// Looks along a fixed direction; 200 pixels a metre.
class SvgDraw final : public abut::DebugDraw {
public:
  void line(const Eigen::Vector3d& from, const Eigen::Vector3d& to,
            const abut::DebugColor& color) override {
    const Eigen::Vector2d a = onPage(from), b = onPage(to);
    text += "<line x1='" + number(a.x()) + "' y1='" + number(a.y()) + "' x2='" + number(b.x()) +
            "' y2='" + number(b.y()) + "' stroke='" + name(color) + "'/>\n";
    ++lines;
  }
  void triangle(const Eigen::Vector3d&, const Eigen::Vector3d&, const Eigen::Vector3d&,
                const abut::DebugColor&) override {}  // Strokes only.
  void point(const Eigen::Vector3d& at, double size, const abut::DebugColor& color) override {
    const Eigen::Vector2d p = onPage(at);
    text += "<circle cx='" + number(p.x()) + "' cy='" + number(p.y()) + "' r='" + number(size / 2) +
            "' fill='" + name(color) + "'/>\n";
    ++points;
  }

  std::string text;
  int lines = 0, points = 0;

private:
  static Eigen::Vector2d onPage(const Eigen::Vector3d& p) {
    return {400 + 200 * (p.x() - 0.4 * p.y()), 500 - 200 * (p.z() + 0.3 * p.y())};
  }
  static std::string number(double x) { return std::to_string(x); }
  static std::string name(const abut::DebugColor& c) {
    const auto part = [](float x) { return std::to_string(static_cast<int>(255 * x)); };
    return "rgb(" + part(c.r) + "," + part(c.g) + "," + part(c.b) + ")";
  }
};

}  // namespace

int main() {
  abut::World world;
  world.addBody({.type = abut::BodyType::Static}, abut::PlaneShape({0, 0, 1}));
  for (int i = 0; i < 3; ++i)
    world.addBody({.position = {0.05 * i, 0, 0.25 + 0.5 * i}}, abut::BoxShape({0.25, 0.25, 0.25}));
  world.addBody({.position = {1, 0, 0.2}}, abut::SphereShape(0.2));
  for (int i = 0; i < 120; ++i) world.step(1.0 / 120).orThrow();

  SvgDraw svg;
  abut::drawWorld(world, svg, {.axes = true, .forceScale = 5e-4, .planeSize = 3});
  std::FILE* const file = std::fopen("debug_draw.svg", "w");
  if (file == nullptr) return 1;
  std::fprintf(file,
               "<svg xmlns='http://www.w3.org/2000/svg' width='800' height='600'>\n%s</svg>\n",
               svg.text.c_str());
  std::fclose(file);
  std::printf("debug_draw.svg: %d lines, %d points\n", svg.lines, svg.points);
  // Three boxes of 12 edges at least, and a point for each contact and body.
  return svg.lines > 36 && svg.points == 4 + static_cast<int>(world.getContacts().size()) ? 0 : 1;
}
