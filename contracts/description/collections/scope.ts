/** What a path parameter of a collection names: a nested collection has items for each value. */
export type Scope = {
  /** The name of the path parameter. */
  parameter: string;
  /** The collection that it names an item of; any text names a scope where undefined. */
  parent?: string;
  /** The property of the item that holds the value, e.g. `userId`. */
  property?: string;
};
