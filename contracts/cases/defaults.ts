import { isScalar } from '../../common/json.ts';
import type { Api, Operation, Resource } from '../../openapi/index.ts';
import { isInProse } from '../document/stated.ts';
import { bodyPartsOf, type Fields } from './body-parts.ts';
import { type Case, type DescribedResource, plainCase } from './case.ts';

/** How many parameters of a list are sent with their defaults. */
const maxSent = 4;

/** The defaults of optional query parameters of an operation, by name; simple values alone. */
export function parameterDefaults(document: Api, { parameters }: Operation): Fields {
  if (isInProse(document)) return {};
  return Object.fromEntries(
    parameters
      .filter(({ in: place, required }) => place === 'query' && !required)
      .map(({ name, schema }) => [name, document.schemas.resolve(schema).default] as const)
      .filter(([, value]) => isSimple(value))
      .slice(0, maxSent),
  );
}

/**
 * The defaults that a create gives to members of an item, by name; simple values alone. None where the
 * body has alternatives, as another one may be meant.
 */
export function memberDefaults(document: Api, { operations }: Resource): Fields {
  if (isInProse(document)) return {};
  const { schema, isOpen } = bodyPartsOf(document, operations.create);
  const { properties, required } = document.schemas.describeSent(schema);
  const entries = Object.entries(isOpen ? {} : properties)
    .filter(([name]) => !required.includes(name))
    .map(([name, property]) => [name, document.schemas.resolve(property).default] as const);
  return Object.fromEntries(entries.filter(([, value]) => isSimple(value)));
}

function isSimple(value: unknown): boolean {
  return isScalar(value) && value !== '';
}

/** A list with each parameter that has a default, and before and after these without any. */
export function defaultCases({ document, resource }: DescribedResource): Case[] {
  const { list } = resource.operations;
  const given = Object.entries(list?.method === 'GET' ? parameterDefaults(document, list) : {});
  if (!list || given.length === 0) return [];
  const build = (name: string, query: string, parameter?: string): Case => ({
    ...plainCase(list, name),
    path: list.path + query,
    purpose: { kind: 'default', ...(parameter !== undefined && { parameter }) },
    ...(parameter !== undefined && { isMadeUp: true }),
  });
  return [
    build('before defaults', ''),
    ...given.map(([name, value]) => {
      const query = new URLSearchParams({ [name]: String(value) });
      return build(`the default ${query}`, `?${query}`, name);
    }),
    build('after defaults', ''),
  ];
}
