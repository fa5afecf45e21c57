import { expect, it } from 'vitest';
import { applyChanges } from '../../../mock/json/listed-changes.ts';
import { serveEmpty } from '../../support/serve-document.ts';

const urn = 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User';
const work = { type: 'work', value: 'a@b.co' };
const home = { type: 'home', value: 'c@d.co' };

it.each<[string, object, object, object]>([
  ['sets a member', {}, { op: 'replace', path: 'active', value: false }, { active: false }],
  [
    'sets a member within, in capitals',
    { name: { family: 'A', given: 'B' } },
    { op: 'Replace', path: 'name.family', value: 'C' },
    { name: { family: 'C', given: 'B' } },
  ],
  [
    'sets members without a path',
    { name: { family: 'A', given: 'B' }, nick: 'n' },
    { op: 'add', value: { 'name.family': 'C', nick: 'm' } },
    { name: { family: 'C', given: 'B' }, nick: 'm' },
  ],
  [
    'removes a member',
    { a: 1, b: { c: 1, d: 2 } },
    { op: 'remove', path: '/b/c' },
    { a: 1, b: { d: 2 } },
  ],
  [
    'adds to a list',
    { emails: [work] },
    { op: 'add', path: 'emails', value: [home] },
    { emails: [work, home] },
  ],
  [
    'changes an element',
    { emails: [work, home] },
    { op: 'replace', path: 'emails[type eq "work"].value', value: 'x@y.co' },
    { emails: [{ ...work, value: 'x@y.co' }, home] },
  ],
  [
    'makes an element',
    {},
    { op: 'add', path: 'emails[type eq "work"].value', value: 'a@b.co' },
    { emails: [work] },
  ],
  [
    'removes an element',
    { emails: [work, home] },
    { op: 'remove', path: 'emails[type eq "home"]' },
    { emails: [work] },
  ],
  [
    'sets a member of an extension',
    {},
    { op: 'add', path: `${urn}:department`, value: 'D' },
    { [urn]: { department: 'D' } },
  ],
])('%s', (_, value, change, expected) => {
  expect(applyChanges(value, [change])).toEqual(expected);
});

it('changes an item by the changes that a body lists, all or none of them', async () => {
  const { send } = await serveEmpty(`
    POST /Users User -> 201 User
    GET /Users/{id:text} -> User
    PATCH /Users/{id:text} { schemas!: [text], Operations!: [{ op!, path, value: any }] } -> User, 400
    User: { schemas!: [text], readonly id!: text, userName!, active: bool }
  `);
  const user = { schemas: ['urn:user'], userName: 'ada', active: true };
  await send('POST', '/Users', user);
  const patch = (...Operations: object[]) =>
    send('PATCH', '/Users/1', { schemas: ['urn:patch'], Operations });
  const off = { op: 'replace', path: 'active', value: false };
  expect((await patch(off, { op: 'remove', path: 'userName' })).status).toBe(400);
  expect((await patch(...Array(101).fill(off))).status).toBe(400);
  expect((await send('GET', '/Users/1')).json).toEqual({ id: '1', ...user });
  expect((await patch(off)).json).toEqual({ id: '1', ...user, active: false });
});
