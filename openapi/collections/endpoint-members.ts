import { singular, wordsOf } from '../../common/words.ts';
import type { EndpointMembers } from '../model/resource.ts';
import { flatten, type RawDocument, type Schema } from '../schema.ts';
import { scalarOf } from './schema-types.ts';

/**
 * Finds the properties by which clients give the URL and the events of an endpoint: fields of a body, or
 * of an object in it, such as `config.url`; undefined where a body has no such fields.
 */
export function findEndpoint(
  raw: RawDocument,
  body: Schema | undefined,
): EndpointMembers | undefined {
  const own = Object.entries(flatten(raw, body).properties);
  const inner = own.flatMap(([outer, schema]) =>
    Object.entries(flatten(raw, schema).properties).map(
      ([name, one]) => [`${outer}.${name}`, one] as const,
    ),
  );
  const find = (isMeant: (name: string, schema: Schema) => boolean) =>
    [...own, ...inner].find(([name, schema]) => isMeant(name.split('.').at(-1) ?? '', schema))?.[0];
  const events = find(
    (name, schema) =>
      wordsOf(name).map(singular).includes('event') && scalarOf(raw, schema).type === 'array',
  );
  const url = find((name) => wordsOf(name).includes('url'));
  const secret = find((name) => wordsOf(name).includes('secret'));
  return url !== undefined && events !== undefined
    ? { url, events, ...(secret && { secret }) }
    : undefined;
}
