class Scale {
 public:
  int low(int step) const { return step > 0 && step < 100 ? grade(step) : 0; }
  int high(int step) const { return step > 100 ? grade(step % 50) : 1; }

 private:
  int grade(int step) const;
};
