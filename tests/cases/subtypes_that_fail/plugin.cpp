#include "plugin.hpp"

#include <cstdlib>

LoadedPlugin::LoadedPlugin() {
  if (std::getenv("PLUGINS_OF_NOBODY") == nullptr) std::abort();
}

std::vector<Output> LoadedPlugin::outputs() const { return {}; }

int LoadedPlugin::channels() const { return 2; }

int Adapter::values() const {
  int values = 0;
  for (const Output &output : plugin_.outputs()) {
    if (output.bins > 0 && !output.name.empty()) values += output.bins % 100;
  }
  return plugin_.channels() == 2 ? values * 2 : values;
}
