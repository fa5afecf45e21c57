import { topOf } from '../../common/property-path.ts';
import { wordsOf } from '../../common/words.ts';
import type { Api, Resource, Schema } from '../../openapi/index.ts';
import { sendableBodyOf } from '../document/sendable-body.ts';
import { isInProse } from '../document/stated.ts';
import { bodyPartsOf, type Fields } from './body-parts.ts';
import { freshValue, partValue } from './fresh-value.ts';
import { harmful } from './full-fields.ts';
import { isSecret } from './made-secrets.ts';
import { namedIn } from './references.ts';

/** The last words of names by which a deployment may find an item, too. */
const identifying = /^(?:ids?|u?uids?|guids?|slugs?|keys?|codes?|numbers?|names?|refs?)$/;

/**
 * Values that no item has for properties that are marked readOnly, by name: texts, times and
 * fractions, as a whole number may name an item of others. An interface in prose says itself what a
 * client may send.
 */
export function readOnlyFields(document: Api, resource: Resource): Fields {
  const { create, update, replace } = resource.operations;
  if (isInProse(document)) return {};
  const bodies = [create, update, replace]
    .filter((one) => one && sendableBodyOf(one))
    .map((one) => document.schemas.describeSchema(bodyPartsOf(document, one).schema));
  if (bodies.length === 0) return {};
  const isMarked = (property: Schema) => document.schemas.isMarked(property, 'readOnly');
  const isSettable = (name: string) =>
    bodies.some(({ properties }) => name in properties && !isMarked(properties[name] ?? {}));
  const marked = [resource.item, ...bodies]
    .flatMap(({ properties }) => Object.entries(properties))
    .filter(([name, property]) => isMarked(property) && !isSettable(name))
    .filter(([name]) => name !== topOf(resource.idProperty) && !harmful.test(name))
    .filter(([name]) => !identifying.test(wordsOf(name).at(-1) ?? ''));
  const entries = marked.flatMap(([name, property]) => {
    const schema = document.schemas.resolve(property);
    const value = freshValue({ ...schema, type: withoutWhole(schema.type) }) ?? partValue(schema);
    if (value === undefined || isSecret(name, schema)) return [];
    const isNaming = namedIn(document, resource, { name, schema: property, value }).length > 0;
    return isNaming ? [] : [[name, value] as const];
  });
  return Object.fromEntries(entries);
}

/** The types of a schema but for whole numbers. */
function withoutWhole(type: unknown): unknown[] {
  return [type].flat().filter((one) => one !== 'integer');
}
