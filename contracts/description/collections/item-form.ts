/** Where an item is in what holds it, e.g. `['article']` for `{"article": {...}}`. */
export type ItemForm = { pointer: readonly string[] };
