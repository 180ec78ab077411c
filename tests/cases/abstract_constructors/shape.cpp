#include "shape.h"

Shape::Shape(int sides) : corners(0) { corners = sides + 1; }
