#include "../route.hpp"
#include <fstream>
int main() {
  std::ifstream weights("../shelf/first.weights");
  const std::string route =
      "route-v2\n"
      "north gate 0900\n"
      "by the mill 0915\n"
      "old harbour 0940\n"
      "upper town 0955\n"
      "end of route\n";
  return parse_route(route) < 0 || load_weights(weights) < 0;
}
