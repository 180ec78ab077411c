#ifndef TREE_HPP
#define TREE_HPP
struct Item;
// Leads to what a document has, or nowhere.
class Mark {
  Item *item_;

 public:
  Mark();
  explicit Mark(Item *item);
  int grow(int by);
};
class Node {
 protected:
  Item *item_;

 public:
  Node();
  explicit Node(Item *item);
  int depth() const;
  Mark append_mark();
};
class Document : public Node {
  Document(const Document &);
  void operator=(const Document &);

 public:
  Document();
  ~Document();
  bool load(const char *text);
  Node root() const;
};
#endif
