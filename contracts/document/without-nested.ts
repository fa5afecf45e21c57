import { copyLate } from '../../common/late.ts';
import { isSuccess } from '../../common/success.ts';
import type { Operation, Resource, Schemas } from '../../openapi/index.ts';
import { heldSchemaOf } from '../../openapi/model/content.ts';
import { takesOtherBodiesAlone } from './sendable-body.ts';

type DocumentParts = {
  schemas: Schemas;
  operations: Operation[];
  resources: Resource[];
  nested?: readonly Resource[];
};

/**
 * Reduces a document to collections with one path, for comparisons of whole lists. Nested
 * collections, and operations at views, are left out, because each of their lists shows a part. So are collections
 * with XML answers only, and operations that take neither JSON nor a form, show items without
 * ids, or are read as others. Excluded operations have no kind, and `nested` lists the nested collections.
 */
export function withoutNested<Document extends DocumentParts>(document: Document): Document {
  const described = new Set(document.operations);
  const withSendable = (resource: Resource): Resource => {
    const sendable = Object.entries(resource.operations).filter(
      ([kind, operation]) =>
        described.has(operation) &&
        !takesOtherBodiesAlone(operation) &&
        showsId(document.schemas, kind, { resource, operation }),
    );
    return { ...resource, operations: Object.fromEntries(sendable) };
  };
  const inJson = document.resources.filter(({ operations }) => !isXmlAlone(operations));
  const resources = inJson.filter(({ scope }) => scope === undefined).map(withSendable);
  const nested = inJson.filter(({ scope }) => scope !== undefined).map(withSendable);
  const whole = new Set(resources.flatMap(({ operations }) => Object.values(operations)));
  const operations = document.operations.map((operation) =>
    whole.has(operation) ? operation : copyLate(operation, ofKinds),
  );
  return { ...document, operations, resources, nested };
}

/** The members of an operation that its kind has. */
const ofKinds = ['kind', 'resource', 'itemsAt', 'fieldsAt', 'keyedBy', 'listRules'] as const;

/** Whether items are found in the answers of an operation that shows some. */
function showsId(
  schemas: Schemas,
  kind: string,
  { resource: { idProperty }, operation }: { resource: Resource; operation: Operation },
): boolean {
  if (kind !== 'list' && kind !== 'read') return true;
  if (operation.keyedBy !== undefined) return true;
  const shown = kind === 'list' ? schemas.itemsOf(operation) : schemas.itemOf(operation);
  return (
    shown !== undefined &&
    schemas.describedAt(schemas.describeShown(shown), idProperty) !== undefined
  );
}

function isXmlAlone(operations: Resource['operations']): boolean {
  const successes = Object.values(operations).flatMap(({ responses }) =>
    responses.filter(isSuccess),
  );
  return successes.some((one) => one.schema === undefined && heldSchemaOf(one) !== undefined);
}
