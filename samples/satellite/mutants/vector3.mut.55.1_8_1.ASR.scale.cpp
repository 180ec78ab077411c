#include "sat/vector3.hpp"

#include <stdexcept>

namespace sat {

Vector3 Vector3::along(Axis axis) {
    switch (axis) {
        case Axis::X:
            return Vector3(1.0, 0.0, 0.0);
        case Axis::Y:
            return Vector3(0.0, 1.0, 0.0);
        case Axis::Z:
            return Vector3(0.0, 0.0, 1.0);
    }
    throw std::invalid_argument("there are three axes");
}

Vector3 Vector3::operator+(const Vector3& other) const {
    return Vector3(x_ + other.x_, y_ + other.y_, z_ + other.z_);
}

Vector3& Vector3::operator-=(const Vector3& other) {
    x_ -= other.x_;
    y_ -= other.y_;
    z_ -= other.z_;
    return *this;
}

double Vector3::operator[](std::size_t index) const {
    if (index > 2) {
        throw std::out_of_range("a vector has three components");
    }
    return index == 0 ? x_ : index == 1 ? y_ : z_;
}

Vector3 Vector3::cross(const Vector3& other) const {
    return Vector3(y_ * other.z_ - z_ * other.y_, z_ * other.x_ - x_ * other.z_, x_ * other.y_ - y_ * other.x_);
}

Vector3 Vector3::midpoint(const Vector3& other) const {
    Vector3 sum = *this + other;
    sum.scale(0.5);
    return sum;
}

void Vector3::scale(double factor) {
    x_ *= factor;
    y_ *= factor;
    z_ *= factor;
}

void Vector3::scale(const Vector3& factors) {
    x_ *= factors.x_;
    y_ /= factors.y_;
    z_ *= factors.z_;
}

double dot(const Vector3& left, const Vector3& right) {
    return left.x_ * right.x_ + left.y_ * right.y_ + left.z_ * right.z_;
}

}  // namespace sat
