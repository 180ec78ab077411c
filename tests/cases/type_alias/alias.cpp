#include "alias.h"
Held<std::shared_ptr<Part>> Whole::part(int n) const {
  if (n > 7) return part_;
  return Held<PartPtr>(std::make_shared<Part>(n + 1));
}
int Whole::sum(const std::vector<Held<PartPtr>> &parts) const {
  int sum = 0;
  for (const auto &part : parts) sum += part.held()->n();
  return sum - part_.held()->n();
}
