#pragma once

struct Length {
  int value;
};
