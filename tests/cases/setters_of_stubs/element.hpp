#pragma once

namespace ebml {

// Only subclasses exist, and the project has none.
class Element {
public:
    virtual ~Element() {}
    virtual int width() const = 0;
    // Hides `load(long)` in whatever overrides it.
    virtual void load(const char *text) = 0;

    void load(long value);
    void setValue(long value);
    bool isDefault() const;
    long padded(long unit) const;

private:
    long value_ = 0;
    bool has_value_ = false;
};

// Reads an element that it is given.
long weight(const Element &element);

}  // namespace ebml
