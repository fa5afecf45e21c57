import { isSuccess } from '../../common/success.ts';
import { heldSchemaOf } from '../content.ts';
import { describedAt } from '../described-at.ts';
import { shownOf } from '../marks.ts';
import type { Operation } from '../operation.ts';
import { flatten, type RawDocument } from '../schema.ts';
import { takesOtherBodiesAlone } from '../sendable-body.ts';
import { type Sourced, source } from '../source.ts';
import type { Resource } from './resource.ts';
import { itemOf, itemsOf } from './success.ts';

type Described = Sourced & {
  operations: Operation[];
  resources: Resource[];
  nested?: readonly Resource[];
};

/**
 * A document with the collections alone that have one path, for those who compare all lists of a
 * collection: of nested ones, and of views, each list shows a part. Those with answers in XML alone are
 * left out too, as JSON is compared, and operations that take neither JSON nor a form, or show items
 * without their id. Operations of what is left out have no kind. The nested ones are in `nested`.
 */
export function withoutNested<Document extends Described>(document: Document): Document {
  const withSendable = ({ views: _, ...resource }: Resource): Resource => {
    const sendable = Object.entries(resource.operations).filter(
      ([kind, operation]) =>
        !takesOtherBodiesAlone(operation) &&
        showsId(document[source].raw, kind, { resource, operation }),
    );
    return { ...resource, operations: Object.fromEntries(sendable) };
  };
  const inJson = document.resources.filter(({ operations }) => !isXmlAlone(operations));
  const resources = inJson.filter(({ scope }) => scope === undefined).map(withSendable);
  const nested = inJson.filter(({ scope }) => scope !== undefined).map(withSendable);
  const whole = new Set(resources.flatMap(({ operations }) => Object.values(operations)));
  const operations = document.operations.map((operation): Operation => {
    if (whole.has(operation)) return operation;
    const { kind: _, resource: __, itemsAt: ___, ...others } = operation;
    return others;
  });
  return { ...document, operations, resources, nested };
}

/** Whether items are found in the answers of an operation that shows some. */
function showsId(
  raw: RawDocument,
  kind: string,
  { resource: { idProperty }, operation }: { resource: Resource; operation: Operation },
): boolean {
  if (kind !== 'list' && kind !== 'read') return true;
  const shown = kind === 'list' ? itemsOf(raw, operation) : itemOf(raw, operation);
  return describedAt(raw, shownOf(raw, flatten(raw, shown)), idProperty) !== undefined;
}

function isXmlAlone(operations: Resource['operations']): boolean {
  const successes = Object.values(operations).flatMap(({ responses }) =>
    responses.filter(isSuccess),
  );
  return successes.some((one) => one.schema === undefined && heldSchemaOf(one) !== undefined);
}
