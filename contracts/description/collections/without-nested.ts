import { heldSchemaOf } from '../content.ts';
import type { Operation } from '../operation.ts';
import { takesOtherBodiesAlone } from '../sendable-body.ts';
import { isSuccess } from '../success.ts';
import type { Resource } from './resource.ts';

type Described = { operations: Operation[]; resources: Resource[]; nested?: readonly Resource[] };

/**
 * A document with the collections alone that have one path, for those who compare all lists of a
 * collection: of nested ones, and of views, each list shows a part. Those with answers in XML alone are
 * left out too, as JSON is compared, and operations that take neither JSON nor a form. Operations of
 * what is left out have no kind. The nested ones are in `nested`.
 */
export function withoutNested<Document extends Described>(document: Document): Document {
  const resources = document.resources
    .filter(({ scope, operations }) => scope === undefined && !isXmlAlone(operations))
    .map(({ views: _, ...resource }): Resource => withSendable(resource));
  if (
    resources.length === document.resources.length &&
    !document.resources.some(({ views }) => views) &&
    !document.operations.some(takesOtherBodiesAlone)
  )
    return document;
  const whole = new Set(resources.flatMap(({ operations }) => Object.values(operations)));
  const operations = document.operations.map((operation): Operation => {
    if (whole.has(operation)) return operation;
    const { kind: _, resource: __, itemsAt: ___, ...others } = operation;
    return others;
  });
  const nested = document.resources
    .filter(({ scope, operations }) => scope !== undefined && !isXmlAlone(operations))
    .map(withSendable);
  return { ...document, operations, resources, nested };
}

function withSendable(resource: Resource): Resource {
  const sendable = Object.entries(resource.operations).filter(
    ([, operation]) => !takesOtherBodiesAlone(operation),
  );
  return { ...resource, operations: Object.fromEntries(sendable) };
}

function isXmlAlone(operations: Resource['operations']): boolean {
  const successes = Object.values(operations).flatMap(({ responses }) =>
    responses.filter(isSuccess),
  );
  return successes.some((one) => one.schema === undefined && heldSchemaOf(one) !== undefined);
}
