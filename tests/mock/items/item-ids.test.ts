import { expect, it } from 'vitest';
import { IdLedger } from '../../../mock/items/stored-item.ts';
import { compile } from '../../../openapi/index.ts';
import { blog as document } from '../../support/documents.ts';

const blog = compile(document);

function ledgerOf(name: string) {
  const resource = blog.resources.find((one) => one.name === name);
  if (!resource) throw new Error(`there is no ${name}`);
  return new IdLedger(resource);
}

it('notes ids that callers give below their parents', () => {
  const ids = ledgerOf('orgs/{org}/labels');
  expect(ids.note({ '{org}': 'a' }, 'bug', 0)).toEqual({ key: 'bug' });
  expect(ids.note({ '{org}': 'b' }, 'bug', 1)).toEqual({ key: 'b/bug' });
  expect(ids.note({ '{org}': 'a' }, 'bug', 2)).toEqual({ first: 0 });
  expect(ids.note({ '{org}': 'b' }, 'bug', 3)).toEqual({ first: 1 });
  expect(ids.note({ '{org}': 'b' }, 'new', 4)).toEqual({ key: 'new' });
});

it('notes ids that are counted once for all parents', () => {
  const ids = ledgerOf('users/{userId}/notes');
  expect(ids.note({ '{userId}': 'a' }, '1', 0)).toEqual({ key: '1' });
  expect(ids.note({ '{userId}': 'b' }, '1', 1)).toEqual({ first: 0 });
});
