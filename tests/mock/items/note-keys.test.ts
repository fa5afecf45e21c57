import { expect, it } from 'vitest';
import { loadDocument } from '../../../contracts/description/document.ts';
import { createIdLedger, createNoteKey } from '../../../mock/items/item-ids.ts';
import { projectFile } from '../../support/twin.ts';

const blog = await loadDocument(projectFile('tests/support/blog.yaml'));

function noteKeyOf(name: string) {
  const resource = blog.resources.find((one) => one.name === name);
  if (!resource) throw new Error(`there is no ${name}`);
  return createNoteKey(resource, createIdLedger(resource.idSchema));
}

it('notes ids that callers give below their parents', () => {
  const note = noteKeyOf('orgs/{org}/labels');
  expect(note({ '{org}': 'a' }, 'bug', 0)).toEqual({ key: 'bug' });
  expect(note({ '{org}': 'b' }, 'bug', 1)).toEqual({ key: 'b/bug' });
  expect(note({ '{org}': 'a' }, 'bug', 2)).toEqual({ first: 0 });
  expect(note({ '{org}': 'b' }, 'bug', 3)).toEqual({ first: 1 });
  expect(note({ '{org}': 'b' }, 'new', 4)).toEqual({ key: 'new' });
});

it('notes ids that are counted once for all parents', () => {
  const note = noteKeyOf('users/{userId}/notes');
  expect(note({ '{userId}': 'a' }, '1', 0)).toEqual({ key: '1' });
  expect(note({ '{userId}': 'b' }, '1', 1)).toEqual({ first: 0 });
});
