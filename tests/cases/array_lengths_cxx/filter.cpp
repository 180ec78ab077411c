class Filter {
 public:
  explicit Filter(double gain) : gain_(gain) {}
  double peak(const double *samples, double least, unsigned till) const {
    double most = least;
    for (unsigned n = 0; n != till; ++n)
      if (samples[n] * gain_ > most) most = samples[n] * gain_;
    return most;
  }
  void scale(unsigned till, float *all) const {
    for (unsigned n = 0; n < till; ++n) all[n] *= static_cast<float>(gain_);
  }

 private:
  double gain_;
};
