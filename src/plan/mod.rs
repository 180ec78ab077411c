//! For every value a recipe.
