import { expect, it } from 'vitest';
import { documentOf } from '../../support/document-of.ts';
import { startServer } from '../../support/start-server.ts';
import { keptBy, resultOf, verifyWrites } from '../../support/verify-writes.ts';

/** Its documents do not list every status. */
const skip = ['described-status'];

/** Describes what a deployment does wrong with the posts of users. */
type Fault = 'shared' | 'lost' | 'anybody' | 'undeletable' | 'lacking';

/** Users, and the posts below each of them. */
const toPosts = (isRead = true) =>
  documentOf(`
    User: { readonly id!: int, name! }
    Post: { readonly id!: int, title! }
    listUser: GET /users -> [User], 400, 404
    addUser: POST /users User! -> 201 User, 404
    readUser: GET /users/{userId} -> User, 404
    removeUser: DELETE /users/{userId} -> 204, 404
    listPost: GET /users/{userId}/posts -> [Post], 400, 404
    addPost: POST /users/{userId}/posts Post! -> 201 Post, 404
    ${isRead ? 'readPost: GET /users/{owner}/posts/{postId} -> Post, 404' : ''}
    removePost: DELETE /users/{owner}/posts/{postId} -> 204, 404
  `);

type Stored = { id: number; of: string; fields: object; looks?: number };

/** Describes what a deployment does that nobody forbids. */
type Habit = 'late' | 'one of each' | 'form of ids';

async function startPosts(fault?: Fault | Habit) {
  const first: Stored = { id: 1, of: '/users', fields: { name: 'first' } };
  const calls: string[] = [];
  let stored = [first];
  let last = 1;
  const url = await startServer(({ method, path: asked, sent }) => {
    const send = (status: number, body?: unknown) => ({ status, body });
    calls.push(`${method} ${asked}`);
    const [, path = '', id] = /^(.*?)(?:\/(\d+))?$/.exec(asked) ?? [];
    const owner = /^\/users\/(\d+)\/posts$/.exec(path)?.[1];
    const isThere = stored.some((one) => one.of === '/users' && String(one.id) === owner);
    if (path !== '/users' && owner === undefined) return send(404);
    if (fault === 'form of ids' && Number(owner) > 1_000_000) return send(400);
    if (owner !== undefined && !isThere && fault !== 'anybody') return send(404);
    const shown = ({ id: own, fields }: Stored) => ({ id: own, ...fields });
    const isIn = ({ of }: Stored) =>
      fault === 'shared' && owner !== undefined ? of !== '/users' : of === path;
    if (id === undefined && method !== 'POST') return send(200, stored.filter(isIn).map(shown));
    if (id === undefined) {
      const name = owner === undefined ? 'name' : 'title';
      const value = sent?.[name];
      if (typeof value !== 'string') return send(400);
      if (fault === 'one of each' && owner === undefined) return send(201, shown(first));
      last += 1;
      const added = { id: last, of: path, fields: { [name]: value } };
      stored.push(added);
      const isLacking = fault === 'lacking' && owner !== undefined;
      return send(201, isLacking ? { id: last } : shown(added));
    }
    const found = stored.find((one) => one.of === path && String(one.id) === id);
    if (found && fault === 'late' && owner !== undefined) {
      found.looks = (found.looks ?? 0) + 1;
      if (found.looks === 1) return send(404);
    }
    if (!found || (fault === 'lost' && owner !== undefined)) return send(404);
    if (method !== 'DELETE') return send(200, shown(found));
    if (fault === 'one of each' && found === first) return send(409);
    if (fault !== 'undeletable' || owner === undefined)
      stored = stored.filter((one) => one !== found && !one.of.startsWith(`${path}/${id}/`));
    return send(204);
  });
  return { url, left: () => stored.length, sent: calls };
}

it('creates parents and what is below them, finds nothing wrong, and deletes all of it', async () => {
  const { url, left } = await startPosts();
  const report = await verifyWrites(url, toPosts(), { skip });
  expect(report.findings).toEqual([]);
  expect(report.notCalled).toEqual([]);
  expect(keptBy(report)).toEqual(expect.arrayContaining(['nested', 'deleted']));
  expect([left(), report.residue]).toEqual([1, []]);
});

it.each([
  ['shared', 'nested', 'drift', /^listPost shows an item of another parent$/],
  ['lost', 'success-status', 'drift', /^readPost answers 404 to a valid call$/],
  ['anybody', 'nested', 'drift', /^listPost answers 200 below a parent that is not there$/],
  ['undeletable', 'deleted', 'drift', /answers 200 for an item that removePost deleted$/],
] as const)('finds the fault "%s" of nested items', async (fault, check, verdict, text) => {
  const { url } = await startPosts(fault);
  const { findings } = await verifyWrites(url, toPosts(), { skip });
  const found = findings.map((one) => [one.check, one.verdict]);
  expect(new Set(found.map(String))).toEqual(new Set([`${check},${verdict}`]));
  expect(findings[0]?.message).toMatch(text);
});

it.each(['shared', undefined] as const)(
  'looks for nested items that cannot be read in lists, and finds the fault "%s"',
  async (fault) => {
    const { url } = await startPosts(fault);
    const report = await verifyWrites(url, toPosts(false), { skip });
    const found = report.findings.map(({ check, message }) => [check, message]);
    const shared = [['nested', 'listPost shows an item of another parent']];
    expect(found).toEqual(fault ? shared : []);
    expect(resultOf(report, 'nested')?.verdict).toBe(fault ? 'drift' : 'kept');
    expect(report.residue).toEqual([]);
  },
);

it.each(['late', 'one of each', 'form of ids'] as const)(
  'blames no deployment of nested items for the habit "%s"',
  async (habit) => {
    const { url } = await startPosts(habit);
    const { findings } = await verifyWrites(url, toPosts(), { skip });
    expect(findings.filter(({ check }) => check === 'nested')).toEqual([]);
  },
);

it('adds nothing below a parent that was there before, though a create answers with it', async () => {
  const { url, sent } = await startPosts('one of each');
  await verifyWrites(url, toPosts(), { skip });
  expect(sent).toContain('POST /users');
  expect(sent.filter((call) => call === 'POST /users/1/posts')).toEqual([]);
});
