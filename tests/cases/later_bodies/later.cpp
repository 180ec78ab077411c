#include "view.hpp"

namespace later {

int both(int one, int other) {
  View<char> view("abc", one > 0 ? 3u : 1u);
  return weight(view, other) + one;
}

}  // namespace later
