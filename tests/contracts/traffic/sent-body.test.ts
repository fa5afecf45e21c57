import { expect, it } from 'vitest';
import { sentBodyOf } from '../../../contracts/traffic/sent-body.ts';

const form = 'application/x-www-form-urlencoded';

const multipart = 'multipart/form-data; boundary=X';

/** A form with fields that have these parameters. */
function toParts(...fields: string[]): string {
  const parts = fields.map((one) => `--X\r\nContent-Disposition: form-data; ${one}\r\n\r\n1\r\n`);
  return `${parts.join('')}--X--\r\n`;
}

const read = (text: string, type: string) =>
  sentBodyOf({
    method: 'POST',
    url: 'https://host/',
    headers: [['content-type', type]],
    body: { bytes: Buffer.from(text) },
  });

it.each([
  ['{"a":[1]}', 'application/json', { a: [1] }],
  ['no JSON', 'application/json', undefined],
  ['a=1&b=x+y', form, { a: '1', b: 'x y' }],
  ['a[b]=1&a[c][d]=2', `${form}; charset=utf-8`, { a: { b: '1', c: { d: '2' } } }],
  ['a[]=1&a[]=2', form, { a: ['1', '2'] }],
  ['a[0]=1&a[1]=2', form, { a: ['1', '2'] }],
  ['__proto__[x]=1', form, JSON.parse('{"__proto__":{"x":"1"}}')],
  ['=1&[=2', form, { '': '1', '[': '2' }],
  [toParts('name="a"', 'name="b[c]"'), multipart, { a: '1', b: { c: '1' } }],
  [toParts('name="f"; filename="x.txt"'), multipart, { f: { 'filename*': 'x.txt' } }],
  [toParts('name="f"; filename*=utf-8\'\'x'), multipart, { f: { 'filename*': "utf-8''x" } }],
  ['no parts', multipart, {}],
])('reads %s as %s', (text, type, body) => {
  expect(read(text, type)).toEqual(body);
});

it('reads no body where there is none', () => {
  expect(sentBodyOf({ method: 'GET', url: 'https://host/', headers: [] })).toBeUndefined();
});
