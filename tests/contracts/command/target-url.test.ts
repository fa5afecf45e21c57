import { expect, it } from 'vitest';
import { toBaseUrl } from '../../../contracts/cli/base-url.ts';
import { UsageError } from '../../../contracts/cli/usage-error.ts';
import { builtInDocument } from '../../../contracts/description/document.ts';

const petStore = { file: builtInDocument, basePath: '/v1' };

const suggested = 'Did you mean http://localhost:4600/v1?';

it.each([
  ['localhost:4600/v1', `The target must begin with http:// or https://. ${suggested}`],
  ['localhost:4600/v1/', `The target must begin with http:// or https://. ${suggested}`],
  [
    '127.0.0.1:4600/v1',
    'The target must begin with http:// or https://. Did you mean http://127.0.0.1:4600/v1?',
  ],
  [
    'http://localhost:4600/v1?api_key=secret',
    `The target must have no query or fragment. ${suggested}`,
  ],
  ['http://localhost:4600/v1#pets', `The target must have no query or fragment. ${suggested}`],
  [
    'user:secret@localhost:4600/v1',
    'The target must not contain a user name or password. Give its key with --key.',
  ],
  [
    'ftp://localhost/v1',
    'The target "ftp://localhost/v1" must be an http or https URL that ends in /v1.',
  ],
  [
    'http://localhost:4600',
    `The target "http://localhost:4600" must be an http or https URL that ends in /v1. ${suggested}`,
  ],
  ['localhost', 'The target "localhost" is not a URL. Give one like https://host/v1.'],
])('refuses %s as a target', (target, message) => {
  expect(() => toBaseUrl(target, petStore, {})).toThrow(new UsageError(message));
});

it('takes a base URL, and leaves out the slash at its end', () => {
  expect(toBaseUrl('https://host:8443/shop/v1/', petStore, {})).toBe('https://host:8443/shop/v1');
});

it('takes any base URL of another document, whatever path its servers have', () => {
  const other = { file: 'parcels.yaml', basePath: '/v1' };
  for (const url of ['http://host', 'http://host/other', 'https://host/v1'])
    expect(toBaseUrl(`${url}/`, other, {})).toBe(url);
  expect(() => toBaseUrl('host/other', other, {})).toThrow(
    new UsageError(
      'The target must begin with http:// or https://. Did you mean http://host/other?',
    ),
  );
  expect(() => toBaseUrl('ftp://host/v1', other, {})).toThrow(
    new UsageError('The target "ftp://host/v1" must be an http or https URL.'),
  );
});
