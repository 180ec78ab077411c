struct JointDef {
  float length;
  int kind;
};
class Joint {
 protected:
  explicit Joint(const JointDef *def) : kind(def->kind) {}
  virtual ~Joint() {}
  int kind;
};
class Rope : public Joint {
 public:
  int rank(int by) const;
 protected:
  explicit Rope(const JointDef *def) : Joint(def), length(def->length) {}
  float length;
};
int Rope::rank(int by) const {
  return kind / 2 + by % 10;
}
