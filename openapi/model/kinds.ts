/** A kind as others see it: whether it works on a whole collection, its effects, and what shows it. */
type Row = {
  onCollection?: true;
  adds?: true;
  stores?: true;
  /** The kinds of what it does to each of many items, in this order. */
  each?: readonly ('read' | 'replace' | 'update' | 'delete')[];
  evidence: string;
};

const creates = { onCollection: true, adds: true, stores: true } as const;
const changes = { onCollection: true, stores: true } as const;
const rows = {
  list: { onCollection: true, evidence: 'its success holds the items' },
  create: { ...creates, evidence: 'its success holds the item that it creates' },
  createMany: { ...creates, evidence: 'it takes a list of items' },
  replaceMany: {
    ...changes,
    each: ['replace', 'read'],
    evidence: 'it takes a list of items with ids',
  },
  updateMany: { ...changes, each: ['update'], evidence: 'it takes a list of changes with ids' },
  deleteMany: {
    onCollection: true,
    each: ['read', 'delete'],
    evidence: 'its query names the items in a list of ids',
  },
  read: { evidence: 'its success holds the item' },
  replace: { stores: true, evidence: 'it takes a body for the item in the path' },
  update: { stores: true, evidence: 'it takes changes of the item in the path' },
  delete: { evidence: 'it names the item in the path' },
} satisfies Record<string, Row>;

/** The effect of an operation on a collection, or on an item of it. */
export type Kind = keyof typeof rows;

/** A kind that does to each of many items what others do to one. */
type KindOfMany = {
  [One in Kind]: (typeof rows)[One] extends { each: unknown } ? One : never;
}[Kind];

/** The kinds that behaviours of their own are bound to. */
export type BoundKind = Exclude<Kind, KindOfMany>;

/** The kinds of operations; what each does is bound to it, so no name of the document matters. */
export const kinds = Object.keys(rows) as readonly Kind[];

/** Returns what is known of a kind; nothing without one. */
export function rowOf(kind: Kind | 'none' | undefined): Partial<Row> {
  return kind === undefined || kind === 'none' ? {} : rows[kind];
}

/** Whether an operation of a kind works on a whole collection, not on one item. */
export function isOnCollection(kind: Kind | 'none' | undefined): boolean {
  return rowOf(kind).onCollection === true;
}

/** Whether one of the operations of a collection adds items. */
export function addsItems(operations: Partial<Record<Kind, unknown>>): boolean {
  return Object.keys(operations).some((kind) => rowOf(kind as Kind).adds);
}
