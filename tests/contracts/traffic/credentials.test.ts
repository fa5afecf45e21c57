import { expect, it } from 'vitest';
import { readCredential } from '../../../contracts/traffic/credentials.ts';
import { createKeyBook } from '../../../contracts/traffic/key-book.ts';
import type { RawHeader } from '../../../contracts/transcript/exchange.ts';

const keys = createKeyBook([{ secret: 'secret-key-1' }]);
const authorized = (value: string): RawHeader[] => [['authorization', value]];

it.each<[headers: RawHeader[], query: string, form: string]>([
  [authorized('Bearer secret-key-1'), '', 'token'],
  [authorized('bearer secret-key-1'), '', 'token'],
  [authorized('Bearer somebody-elses'), '', 'token'],
  [authorized('Bearer undefined'), '', 'unknown'],
  [authorized('Bearer'), '', 'scheme-only'],
  [authorized(''), '', 'empty'],
  [authorized('secret-key-1'), '', 'no-scheme'],
  [authorized('Token secret-key-1'), '', 'other-scheme'],
  [authorized(`Basic ${btoa('secret-key-1:')}`), '', 'basic'],
  [authorized(`Basic ${btoa('user:password')}`), '', 'basic'],
  [[], '', 'none'],
  [[], 'limit=3', 'none'],
  [[], 'access_token=anything', 'in-query'],
  [[], 'k=secret-key-1', 'in-query'],
  [[['X-API-Key', 'anything']], '', 'unclear'],
  [[['Cookie', 'session=1']], '', 'unclear'],
])('reads the credential of %j ?%s as %s', (headers, query, form) => {
  expect(readCredential(headers, new URLSearchParams(query), keys).form).toBe(form);
});

it('names keys in the order in which they are seen, and no more than it can remember', () => {
  const book = createKeyBook([{ plan: 'free', secret: 'a' }, { secret: 'b' }]);
  expect(['a', 'b', 'c', 'a'].map(book.nameOf)).toEqual(['free-1', 'key-1', 'key-2', 'free-1']);
  for (let number = 0; number < 600; number++) book.nameOf(`wrong-${number}`);
  expect(book.nameOf('one-more')).toBeUndefined();
  expect(book.nameOf('c')).toBe('key-2');
});
