//! Compiler command lines, caching, linking.
