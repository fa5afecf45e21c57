import { isPagingName } from './collections/list-parameters.ts';
import type { Parameter } from './model/operation.ts';
import { flatten, type RawDocument, resolve } from './schema.ts';

/** Keywords by which an object has further members, or needs some of several. */
const openings = ['additionalProperties', 'oneOf', 'anyOf', 'minProperties'];

/**
 * Returns the members of an object whose members are parameters of a query each, such as a
 * `pageable` with page and size, or those of a `page` in brackets; any other parameter itself.
 */
export function membersInQuery(raw: RawDocument, parameter: Parameter): Parameter[] {
  const { in: place, name: outer, schema, explode, content, required: isRequired } = parameter;
  const isDeep = parameter.style === 'deepObject' && isPagingName(outer);
  const isExploded = isDeep || (explode && parameter.style === 'form');
  if (place !== 'query' || !isExploded || content) return [parameter];
  const { type = 'object', ...others } = resolve(raw, schema) ?? {};
  const isObject = [type].flat().every((one) => one === 'object' || one === 'null');
  const { properties, required } = flatten(raw, schema);
  const isOpen = openings.some((keyword) => ![undefined, false].includes(others[keyword]));
  // Where all may be left out, some of it may need the rest.
  const isWhole = isOpen || !isObject || (!isRequired && required.length > 0);
  if (isWhole || Object.keys(properties).length === 0) return [parameter];
  return Object.entries(properties).map(([name, member]) => ({
    ...parameter,
    ...(isDeep ? { name: `${outer}[${name}]`, style: 'form', explode: true } : { name }),
    required: isRequired && required.includes(name),
    schema: member,
    examples: {},
  }));
}
