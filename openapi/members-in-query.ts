import { flatten, type RawDocument, resolve, type Schema } from './schema.ts';

type Described = {
  name: string;
  in: string;
  required: boolean;
  schema: Schema;
  style: string;
  explode: boolean;
  content?: unknown;
  examples: Record<string, unknown>;
};

/** Keywords by which an object has further members, or needs some of several. */
const openings = ['additionalProperties', 'oneOf', 'anyOf', 'minProperties'];

/**
 * Returns the members of an object whose members are parameters of a query each, such as a
 * `pageable` with page and size; any other parameter itself.
 */
export function membersInQuery<One extends Described>(raw: RawDocument, parameter: One): One[] {
  const { in: place, schema, explode, style, content, required: isRequired } = parameter;
  if (place !== 'query' || !explode || style !== 'form' || content) return [parameter];
  const { type = 'object', ...others } = resolve(raw, schema) ?? {};
  const isObject = [type].flat().every((one) => one === 'object' || one === 'null');
  const { properties, required } = flatten(raw, schema);
  const isOpen = openings.some((keyword) => ![undefined, false].includes(others[keyword]));
  // Where all may be left out, some of it may need the rest.
  const isWhole = isOpen || !isObject || (!isRequired && required.length > 0);
  if (isWhole || Object.keys(properties).length === 0) return [parameter];
  return Object.entries(properties).map(([name, member]) => ({
    ...parameter,
    name,
    required: isRequired && required.includes(name),
    schema: member,
    examples: {},
  }));
}
