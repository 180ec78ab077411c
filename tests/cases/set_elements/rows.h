#pragma once
#include <cstdlib>

// A vector that aborts where an element is asked for that it has not, as libraries of numbers do.
template <class T>
class Row {
public:
    Row() = default;
    explicit Row(int size, bool clear = true) : size_(size < 0 ? 0 : size), all_(new T[size < 0 ? 1 : size + 1]) {
        for (int at = 0; clear && at < size_; ++at) all_[at] = T();
    }
    Row(const Row &other) : Row(other.size_) {
        for (int at = 0; at < size_; ++at) all_[at] = other.all_[at];
    }
    Row &operator=(const Row &) = delete;
    ~Row() { delete[] all_; }

    int size() const { return size_; }
    T &operator()(int at) {
        if (at < 0 || at >= size_) std::abort();
        return all_[at];
    }
    const T &operator()(int at) const {
        if (at < 0 || at >= size_) std::abort();
        return all_[at];
    }

private:
    int size_ = 0;
    T *all_ = nullptr;
};

// Only some orders have a row of their own.
Row<double> window_of_order(int order);

class Table {
public:
    Table(unsigned rows, unsigned columns) : rows_(rows), columns_(columns), all_(new int[rows * columns + 1]()) {}
    Table(const Table &) = delete;
    Table &operator=(const Table &) = delete;
    ~Table() { delete[] all_; }
    unsigned rows() const { return rows_; }
    unsigned columns() const { return columns_; }
    int &operator()(unsigned row, unsigned column) { return all_[row * columns_ + column]; }
    int operator()(unsigned row, unsigned column) const { return all_[row * columns_ + column]; }

private:
    unsigned rows_, columns_;
    int *all_;
};

double weighed(const Row<double> &values, const Row<double> &weights);
int trace(const Table &table);
