import { expect, it } from 'vitest';
import { builtInDocument } from '../../../common/built-in-document.ts';
import { createLinks } from '../../../contracts/verify/to-report.ts';
import { compile } from '../../../openapi/index.ts';

const document = await compile(builtInDocument);
const docs = 'https://docs.test/petstore/';
const pageSize = { id: 'page-size', basis: 'stated', source: '§4.1, §8' } as const;

it('leads to clauses and silences of the reference', () => {
  const links = createLinks(document, docs);
  expect(links.clause(pageSize)).toBe(`${docs}#page-size`);
  expect(links.silence('list-order')).toBe(`${docs}silences.html#list-order`);
});

it('leads to an RFC where one is the source, and nowhere without an address', () => {
  const links = createLinks(document, undefined);
  const challenge = {
    id: 'challenge',
    basis: 'standard',
    source: 'RFC 9110 §11.6.1, RFC 6750 §3',
  } as const;
  expect(links.clause(challenge)).toBe('https://www.rfc-editor.org/rfc/rfc9110#section-11.6.1');
  expect(links.clause(pageSize)).toBeUndefined();
  expect(links.silence('list-order')).toBeUndefined();
});

it('leads nowhere from what no clause of the document states', () => {
  const links = createLinks({ ...document, clauses: [] }, docs);
  expect(links.clause({ ...pageSize, source: '#/paths' })).toBeUndefined();
  expect(links.clause({ id: 'page-size', basis: 'none', source: 'no size' })).toBeUndefined();
});

it('lets no id of a document lead elsewhere', () => {
  const links = createLinks(document, docs);
  expect(links.silence('a#b')).toBe(`${docs}silences.html#a%23b`);
});
