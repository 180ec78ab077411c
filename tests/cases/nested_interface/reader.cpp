class Reader {
 public:
  class Reporter {
   public:
    virtual ~Reporter() = default;
    virtual void lost(int bytes) = 0;
  };
  explicit Reader(Reporter *reporter) : reporter_(reporter) {}
  int take(int bytes) {
    if (reporter_ != nullptr && bytes > 8) reporter_->lost(bytes - 8);
    return bytes > 8 ? 8 : bytes;
  }

 private:
  Reporter *reporter_;
};
int at(Reader &r) { return r.take(1); }
