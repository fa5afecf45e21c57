import { membersOf, toJson } from '../../common/json.ts';
import type { Api, Resource } from '../../openapi/index.ts';
import type { Case } from './case.ts';
import type { ItemChange, ItemFacts } from './item-change.ts';
import { plainCase } from './read-cases.ts';
import { readOnlyFields } from './read-only.ts';
import { replacementOf } from './replacement.ts';
import { updatesOf } from './updates.ts';

/**
 * The changes that the document describes for an item, in the order in which they can be made; none
 * where no value is known that it could be changed to.
 */
export function changesOf(document: Api, resource: Resource, known: ItemFacts): ItemChange[] {
  const replacement = replacementOf(document, resource, known);
  // A replacement leaves little of an item that an update could lose.
  const changes = [...updatesOf(document, resource, known), ...(replacement ? [replacement] : [])];
  return [...withReadOnly(document, resource, changes), ...changes];
}

/** A change by plain JSON that also sends what is marked readOnly; none where nothing is. */
function withReadOnly(
  document: Api,
  resource: Resource,
  changes: readonly ItemChange[],
): ItemChange[] {
  const fields = readOnlyFields(document, resource);
  const plain = changes.find(({ how, body }) => how !== 'json-patch' && body && !body.form);
  const value = membersOf(plain?.body?.value);
  if (!plain?.body || !value || Object.keys(fields).length === 0) return [];
  const [wrapper] = resource.bodyForm?.[plain.operation.kind ?? 'update']?.pointer ?? [];
  const whole =
    wrapper === undefined
      ? { ...value, ...fields }
      : { ...value, [wrapper]: { ...membersOf(value[wrapper]), ...fields } };
  const body = { ...plain.body, value: whole };
  return [{ ...plain, how: 'read-only', body, expected: { changed: {}, same: {} } }];
}

/** The deletion of an item. */
export function deletionOf({ operations }: Resource): ItemChange | undefined {
  return (
    operations.delete && {
      how: 'delete',
      operation: operations.delete,
      expected: { changed: {}, same: {} },
    }
  );
}

/** The case of a change. `path` is the item's, and `number` that of the try, from 1. */
export function changeCase(
  change: ItemChange,
  { id, path, number = 1 }: { id: string; path: string; number?: number },
): Case {
  const { how, operation, body, expected } = change;
  return {
    ...plainCase(operation, `${how} ${id}${number === 1 ? '' : `, ${number}`}`),
    path,
    ...(body && { headers: { 'Content-Type': body.mediaType }, body: toJson(body.value) }),
    ...(body?.form && { form: body.form }),
    purpose: { kind: 'change', how, id, expected },
    writes: true,
  };
}
