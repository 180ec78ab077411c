#include "plan.hpp"

Hold<Step> readStep(const std::string &text) {
  if (text == "<plan version=\"1\"><turn/></plan>") return Turn::create();
  return Hold<Step>();
}

int energy(const Hold<Step> &step) {
  if (!step.get()) return -1;
  if (step->kind() == 1) return static_cast<const Burn *>(step.get())->seconds() * 40;
  if (step->kind() == 2) return static_cast<const Turn *>(step.get())->degrees() + 5;
  return 0;
}
