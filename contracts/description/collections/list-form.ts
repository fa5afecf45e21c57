/** Where a list holds what: each a path of properties in the answer. */
export type ListForm = {
  /** The array of items. */
  pointer: readonly string[];
  /** How many items there are on all pages. */
  total?: readonly string[];
  /** How many items this page has. */
  count?: readonly string[];
  /** The number of this page, and how many pages there are. */
  page?: readonly string[];
  pages?: readonly string[];
  /** The next and the previous page, as a URL or as a cursor. */
  next?: readonly string[];
  previous?: readonly string[];
  /** Whether a page follows. */
  hasMore?: readonly string[];
};
