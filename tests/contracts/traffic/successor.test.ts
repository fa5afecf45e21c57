import { expect, it } from 'vitest';
import type { ApiDocument, Operation } from '../../../contracts/description/document.ts';
import { findSuccessor } from '../../../contracts/traffic/client-faults.ts';
import type { Exchange } from '../../../contracts/transcript/exchange.ts';

const operation = (id: string, path: string) => ({ id, method: 'GET', path }) as Operation;
const old = operation('old_list', '/old');
const operations = [old, operation('new_list', '/new')];

/** What is to be called in the place of the old list, as the description and the headers say. */
function successorBy(description: string | undefined, headers: [string, string][] = []) {
  const raw = { paths: { '/old': { get: { description } } } } as unknown as ApiDocument['raw'];
  const exchange = { response: { status: 200, headers } } as unknown as Exchange;
  return findSuccessor(old, { raw, operations }, exchange);
}

const link: [string, string] = ['Link', '</v2/new>; rel="successor-version"'];

it('names the sentence of the description that names another operation', () => {
  expect(successorBy('Lists. **Deprecated**: use `GET /new` instead.\nSlow.')).toBe(
    'Deprecated: use GET /new instead.',
  );
  expect(successorBy('It was replaced by new_list.', [link])).toBe('It was replaced by new_list.');
});

it('names what the response links to where the description names none', () => {
  const linked = '/v2/new, as Link in the response says';
  expect(successorBy(undefined, [link])).toBe(linked);
  expect(successorBy('Use something else instead of old_list.', [link])).toBe(linked);
  expect(successorBy('GET /new is faster.', [link])).toBe(linked);
  expect(successorBy('Deprecated.', [['Link', '</a>; rel="next"']])).toBe(undefined);
});
