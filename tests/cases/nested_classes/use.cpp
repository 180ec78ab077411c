#include "doc.h"
int use(n::Doc<> doc, n::View<n::Doc<>> view) { return doc.shared(view) + doc.put("a", 1); }
