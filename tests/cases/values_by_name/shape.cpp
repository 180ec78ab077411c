#include "shape.hpp"

std::string ellipse(const Attributes &attributes) {
  if (!attributes["svg:cx"] || !attributes["svg:cy"] || !attributes["svg:rx"] || !attributes["svg:ry"]) return "";
  std::string out = "<ellipse cx=\"" + *attributes["svg:cx"] + "\" cy=\"" + *attributes["svg:cy"] + "\"";
  if (attributes["draw:rotate"] && *attributes["draw:rotate"] != "0") out += " rotate=\"" + *attributes["draw:rotate"] + "\"";
  return out + "/>";
}

int fill(const Attributes &attributes) {
  const std::string *style = attributes["draw:fill"];
  if (style && *style == "bitmap") return attributes["draw:fill-image"] ? 2 : 1;
  if (style && *style == "gradient") return attributes["draw:angle"] ? 4 : 3;
  return 0;
}
