import {
  type ApiDocument,
  findResource,
  type Operation,
} from '../../../contracts/description/document.ts';

/**
 * A value that always gets the same answer: as an id where an item is read, as a text where one is
 * created. It gets a status, or the default answer after a delay in milliseconds.
 */
export type MagicValue =
  | { id: string; text: string; status: number; wait?: never }
  | { id: string; text: string; status?: never; wait: number };

/** Ids that fit 64 bits and that counting never reaches, and texts that nobody uses as a name. */
export const magicValues: readonly MagicValue[] = [
  { id: '9000000000000000404', text: 'magic:404', status: 404 },
  { id: '9000000000000000429', text: 'magic:429', status: 429 },
  { id: '9000000000000000500', text: 'magic:500', status: 500 },
  { id: '9000000000000000503', text: 'magic:503', status: 503 },
  { id: '9000000000000005000', text: 'magic:slow', wait: 5000 },
];

/** Finds the magic value of a valid call, or undefined. */
export type FindMagicValue = (call: {
  params: Readonly<Record<string, string>>;
  body: unknown;
}) => MagicValue | undefined;

/**
 * Makes the search for magic values by what an operation does: a read looks at its id, a create at
 * each text of its body that the document describes. Undefined for an operation that takes neither.
 */
export function createFindMagicValue(
  operation: Operation,
  document: ApiDocument,
): FindMagicValue | undefined {
  const resource = findResource(document, operation);
  const [parameter] = operation.path.match(/(?<=\{)[^{}]+(?=\}$)/) ?? [];
  if (operation.kind === 'read' && parameter !== undefined)
    return ({ params }) => byId.get(params[parameter] ?? '');
  if (operation.kind !== 'create' || !resource) return undefined;
  const fields = Object.keys(resource.item.properties).filter(
    (name) => name !== resource.idProperty,
  );
  return ({ body }) => {
    for (const field of fields) {
      const value = (body as Record<string, unknown> | undefined)?.[field];
      const found = typeof value === 'string' ? byText.get(value) : undefined;
      if (found) return found;
    }
    return undefined;
  };
}

const byId: ReadonlyMap<string, MagicValue> = new Map(
  magicValues.map((value) => [value.id, value]),
);
const byText: ReadonlyMap<string, MagicValue> = new Map(
  magicValues.map((value) => [value.text, value]),
);
