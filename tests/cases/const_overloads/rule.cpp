class Rule {
 public:
  int n = 1;
};
const Rule &usual() {
  static Rule rule;
  return rule;
}
