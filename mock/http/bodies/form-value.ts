import type { Content } from '../../../contracts/description/content.ts';
import {
  type ApiDocument,
  describeSchema,
  type Schema,
} from '../../../contracts/description/document.ts';
import { toDeepMembers } from '../parameters/read-written.ts';
import { type ToTyped, typesIn } from '../parameters/typed-value.ts';

/**
 * Makes an object of the texts of a form, and of values that are read already; undefined where a
 * name is a text and has members.
 */
export type ToFormValue = (
  texts: readonly (readonly [name: string, text: string])[],
  values?: readonly (readonly [name: string, value: unknown])[],
) => Record<string, unknown> | undefined;

const delimiters: Readonly<Record<string, string>> = {
  form: ',',
  spaceDelimited: ' ',
  pipeDelimited: '|',
};

/**
 * Makes what reads the texts of a form by the types of its schema. Lists are written by repeating a
 * name, with brackets or with the delimiter of their style, and objects with brackets or as JSON.
 */
export function createToFormValue(
  document: ApiDocument,
  { schema = {}, encoding }: Pick<Content, 'schema' | 'encoding'>,
  toTyped: ToTyped,
): ToFormValue {
  const { properties } = describeSchema(document, schema);
  const typesOf = typesIn(document);
  const split = (name: string, text: string): string[] => {
    const { style = 'form', explode = style === 'form' } = encoding[name] ?? {};
    const isList = typesOf(properties[name] ?? {}).has('array');
    return isList && !explode ? text.split(delimiters[style] ?? ',') : [text];
  };
  return (texts, values = []) => {
    const entries = texts.flatMap(([name, text]) => {
      const isWhole = Object.hasOwn(properties, name) || !/^[^[]+\[.*\]$/.test(name);
      if (!isWhole) return [[name.replace(/^[^[]+/, '[$&]'), text] as const];
      const key = `[${name.replaceAll('[', '\0').replaceAll(']', '\u0001')}]`;
      return split(name, text).map((part) => [key, part] as const);
    });
    const tree = toDeepMembers(entries);
    if (tree === undefined) return undefined;
    const members = Object.entries(tree).map(([key, inner]) => {
      const name = key.replaceAll('\0', '[').replaceAll('\u0001', ']');
      return [name, toTyped(propertySchema(name), inner)] as const;
    });
    return Object.fromEntries([...members, ...gather(values)]);
  };

  function propertySchema(name: string): Schema {
    return Object.hasOwn(properties, name) ? (properties[name] as Schema) : {};
  }

  /** What is given once is a value, unless its schema wants a list. */
  function gather(values: readonly (readonly [string, unknown])[]): [string, unknown][] {
    const byName = Map.groupBy(values, ([name]) => name);
    return [...byName].map(([name, all]) => {
      const given = all.map(([, value]) => value);
      const isList = given.length > 1 || typesOf(propertySchema(name)).has('array');
      return [name, isList ? given : given[0]];
    });
  }
}
