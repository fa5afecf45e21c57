import { expect, it } from 'vitest';
import { readText } from '../../../contracts/document/text-values.ts';
import { compile } from '../../../openapi/index.ts';
import { documentOf, schemaOf } from '../../support/document-of.ts';
import { startServer } from '../../support/start-server.ts';
import { verifyWrites } from '../../support/verify-writes.ts';

/** The headers that findings blame where an answer has one of a schema and a value. */
async function blamed(name: string, schema: string, value: string | string[]) {
  const url = await startServer(() => ({ status: 200, body: {}, headers: { [name]: value } }));
  const headers = { [name]: { schema: schemaOf(schema) } };
  const document = documentOf('GET /me -> object');
  Object.assign(document.paths['/me']?.get.responses[200], { headers });
  const { findings } = await verifyWrites(url, document, { allowWrites: false });
  return findings.filter(({ check }) => check === 'header-values').map(({ actual }) => actual);
}

it.each<[string, string, schema: string, string | string[]]>([
  ['a date of HTTP', 'Last-Modified', 'date-time', 'Sun, 06 Nov 1994 08:49:37 GMT'],
  ['a list of times', 'X-Times', '[date-time]', '2030-01-01T00:00:00Z, 2030-01-02T00:00:00Z'],
  ['a time', 'X-At', 'date-time', '2026-01-02T03:04:05Z'],
  ['an integer', 'X-Count', 'int', '-1'],
  ['a large integer', 'X-Id', 'int64', '9223372036854775807'],
  ['numbers without a type', 'X-Level', '1 | 2', '2'],
  ['flags without a type', 'X-On', 'true | false', 'true'],
  ['a boolean', 'X-On', 'bool', 'true'],
  ['one of a few texts', 'X-Kind', '"hit" | "miss"', 'hit'],
  ['a list', 'X-Tags', '[int]', '1,2, 3'],
  ['a list of one', 'X-Tags', '[int]', '7'],
  ['an address', 'X-Url', 'uri', 'https://a.test/'],
  ['an address below the host', 'Location', 'uri', '/pets/1'],
  ['an address beside', 'Content-Location', 'uri', '../pets/1'],
  ['links', 'Link', 'text', '</pets?page=2>; rel="next", </pets?page=9>; rel="last"'],
  ['links as a list', 'Link', '[text]', '</pets?page=2>; rel="next"'],
  [
    ...(['two cookies', 'Set-Cookie', 'text(pattern="^[a-z]+=\\\\d")'] as const),
    ['a=1; Path=/', 'b=2; Expires=Sun, 06 Nov 1994 08:49:37 GMT'],
  ],
  ['an empty list', 'X-Tags', '["a" | "b"]', ''],
  ['a number as a text', 'X-Code', 'text', '0012'],
  ['one of two types', 'X-Code', 'any(type=["integer", "string"])', 'abc'],
  ['a tag in quotes', 'ETag', 'text', '"abc"'],
  ['a tag of a format', 'ETag', 'uuid', '"7d444840-9dc0-41d1-b245-5ffdce74fad2"'],
  ['a tag of a pattern', 'ETag', 'text(pattern="^[0-9a-f]+$")', 'W/"abc"'],
  ['a list in two lines', 'X-Tags', '[any](minItems=2)', ['a', 'b']],
  ['an object', 'X-Point', '{ x: int }', 'x,1'],
  ['an expired time', 'Expires', 'date-time', '0'],
  ['the same number twice', 'X-Count', 'int', ['3', '3']],
  ['seconds of a wait', 'Retry-After', 'date-time', '120'],
])('blames nobody for %s', async (_, name, schema, value) => {
  expect(await blamed(name, schema, value)).toEqual([]);
});

it.each<[string, schema: string, string]>([
  ['X-Count', 'int', 'many'],
  ['X-Count', 'int', ''],
  ['X-Count', 'int', '1.5'],
  ['X-Url', 'uri', 'http://['],
  ['X-Level', 'int(maximum=3)', '4'],
  ['X-On', 'bool', 'yes'],
  ['X-Kind', '"a" | "b"', 'c'],
  ['X-At', 'date-time', 'soon'],
  ['X-Tags', '[int]', '1, b'],
])('blames a %s that breaks %s', async (name, schema, value) => {
  expect(await blamed(name, schema, value)).toEqual([`${name}: ${JSON.stringify(value)}`]);
});

it('reads the elements of a list by their places, and none of a list without types', () => {
  const document = compile({ openapi: '3.1.0', paths: {} });
  const prefixItems = [{ type: 'integer' }, { type: 'boolean' }];
  const tuple = { type: 'array', prefixItems, items: { type: 'string' } };
  expect(readText(document, tuple, '1,true,2')).toEqual([1, true, '2']);
  expect(readText(document, { type: 'array' }, 'a,b')).toBeUndefined();
});
