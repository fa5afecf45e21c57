import { expect, it } from 'vitest';
import { builtInDocument } from '../../../common/built-in-document.ts';
import { UsageError } from '../../../common/cli/usage-error.ts';
import { toBaseUrl } from '../../../contracts/base-url.ts';

const petStore = { file: builtInDocument, basePath: '/v1' };

const noUrl = 'The target must be an http or https URL that ends in /v1, such as https://host/v1.';
const more =
  'The target must have no user name, password, query or fragment. Give its key with --key.';

it.each([
  ['localhost:4600/v1', noUrl],
  ['http://localhost:4600/v1?api_key=secret', more],
  ['http://localhost:4600/v1#pets', more],
  ['http://user:secret@localhost:4600/v1', more],
  ['ftp://localhost/v1', noUrl],
  ['http://localhost:4600', noUrl],
  ['localhost', noUrl],
])('refuses %s as a target', (target, message) => {
  expect(() => toBaseUrl(target, petStore, {})).toThrow(new UsageError(message));
});

it('takes an address from the environment', () => {
  const env = { STAGING_BASE_URL: 'https://host/v1' };
  expect(toBaseUrl('staging', petStore, env)).toBe('https://host/v1');
  expect(() => toBaseUrl('production', petStore, env)).toThrow('takes its address from BASE_URL');
});

it('takes a base URL, and leaves out the slash at its end', () => {
  expect(toBaseUrl('https://host:8443/shop/v1/', petStore, {})).toBe('https://host:8443/shop/v1');
});

it('takes any base URL of another document, whatever path its servers have', () => {
  const other = { file: 'parcels.yaml', basePath: '/v1' };
  for (const url of ['http://host', 'http://host/other', 'https://host/v1'])
    expect(toBaseUrl(`${url}/`, other, {})).toBe(url);
  expect(() => toBaseUrl('ftp://host/v1', other, {})).toThrow(
    new UsageError('The target must be an http or https URL, such as https://host/v1.'),
  );
});
