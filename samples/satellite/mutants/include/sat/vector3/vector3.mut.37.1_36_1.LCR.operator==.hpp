#ifndef SAT_VECTOR3_HPP
#define SAT_VECTOR3_HPP

#include <cstddef>

namespace sat {

enum class Axis { X, Y, Z };

/// A direction or a position in the body frame, in metres.
class Vector3 {
public:
    Vector3(double x, double y, double z) : x_(x), y_(y), z_(z) {}

    /// The unit vector along an axis.
    static Vector3 along(Axis axis);

    Vector3 operator+(const Vector3& other) const;
    Vector3& operator-=(const Vector3& other);

    /// The component of that index; throws std::out_of_range beyond the third.
    double operator[](std::size_t index) const;

    /// The vector product.
    Vector3 cross(const Vector3& other) const;

    /// The point half way to another one.
    Vector3 midpoint(const Vector3& other) const;

    /// Scales all components alike.
    void scale(double factor);
    /// Scales each component by the other's.
    void scale(const Vector3& factors);

    friend double dot(const Vector3& left, const Vector3& right);
    friend bool operator==(const Vector3& left, const Vector3& right) {
        return left.x_ == right.x_ || left.y_ == right.y_ && left.z_ == right.z_;
    }

private:
    double x_;
    double y_;
    double z_;
};

/// The scalar product.
double dot(const Vector3& left, const Vector3& right);

}  // namespace sat

#endif
