import fc from 'fast-check';
import { expect, it } from 'vitest';
import { withSlashes } from '../../../contracts/transcript/items.ts';
import { compile, type Operation } from '../../../openapi/index.ts';
import { pathParameter, toDocument } from '../../support/serve-document.ts';

const get = { responses: { 200: { description: 'Fine.' } } };
const text = { type: 'string' };
const memo = { type: 'string', example: 'memos/1' };
const at = (schema: object = text, more: object = {}) => ({
  parameters: [{ ...pathParameter('id', schema), ...more }],
  get,
});
const document = compile(
  toDocument({
    '/users/{id}': at(),
    '/memos/{id}': at(memo),
    '/memos/{id}/comments': at(memo),
    '/memos/{id}/comments/{comment}': {
      parameters: [
        pathParameter('id', memo),
        { ...pathParameter('comment', text), example: 'memos/1/comments/1' },
      ],
      get,
    },
    '/items/{id}': at(),
    '/projects/{id}': at({ ...text, example: 'group/name' }),
    '/{id}': at(text, { allowReserved: true }),
    '/files/{id}': at({ ...text, pattern: '^[a-z]+/.+$' }),
    '/notes/{id}': at({ ...text, pattern: '^[^/]{1,60}$' }),
  }),
);

const operationAt = (path: string): Operation => {
  const found = document.operations.find((one) => one.path === path);
  if (!found) throw new Error(`no operation at ${path}`);
  return found;
};

it.each([
  ['/memos/{id}', '/memos/memos%2Fa%20b?x=memos%2Fa', '/memos/a%20b?x=memos%2Fa'],
  ['/memos/{id}', '/memos/users%2F1', '/memos/users%2F1'],
  ['/memos/{id}', '/memos/memos%2F..', '/memos/memos%2F..'],
  ['/memos/{id}', '/memos/memos%2F', '/memos/memos%2F'],
  ['/memos/{id}', '/memos/%2Fmemos%2F1', '/memos/%2Fmemos%2F1'],
  ['/memos/{id}', '/memos/memos%2F%2F1', '/memos/memos%2F%2F1'],
  ['/memos/{id}', '/memos/memos', '/memos/memos'],
  ['/memos/{id}', '/memos/$KEY', '/memos/$KEY'],
  ['/memos/{id}/comments', '/memos/memos%2F1/comments', '/memos/1/comments'],
  [
    '/memos/{id}/comments/{comment}',
    '/memos/memos%2F1/comments/memos%2F1%2Fcomments%2F2',
    '/memos/1/comments/2',
  ],
  ['/items/{id}', '/items/items%2F1', '/items/items%2F1'],
  ['/projects/{id}', '/projects/projects%2F1', '/projects/projects%2F1'],
  ['/{id}', '/docs%2Fa%3Fb', '/docs/a%3Fb'],
  ['/files/{id}', '/files/files%2Fa', '/files/files/a'],
  ['/{id}', '/users%2F1', '/users%2F1'],
  ['/{id}', '/docs%2F..%2Fusers%2F1', '/docs%2F..%2Fusers%2F1'],
  ['/files/{id}', '/files/docs%2Fa', '/files/docs/a'],
  ['/notes/{id}', '/notes/docs%2Fa', '/notes/docs%2Fa'],
])('writes the ids of %s in %s as %s', (template, path, sent) => {
  expect(withSlashes(document, operationAt(template), path)).toBe(sent);
});

it('names with any id nothing outside of the collection', () => {
  const part = fc.constantFrom('memos', 'users', '.', '..', '', 'a', '%2F', '?', '#', '\\');
  fc.assert(
    fc.property(fc.array(part, { minLength: 1, maxLength: 5 }), (parts) => {
      const path = `/memos/${encodeURIComponent(parts.join('/'))}`;
      const sent = withSlashes(document, operationAt('/memos/{id}'), path);
      const { pathname, search, hash } = new URL(sent, 'http://localhost');
      if (sent !== path) expect(pathname + search + hash).toMatch(/^\/memos\/[^/?#]+$/);
    }),
  );
});
