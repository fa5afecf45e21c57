import { createServer } from 'node:http';
import { expect, it, onTestFinished } from 'vitest';
import { listenOn } from '../../support/listen-on.ts';
import { verify, verifyWrites } from '../../support/verify-writes.ts';
import { writeJson } from '../../support/write-json.ts';

/** Its documents do not list every status. */
const skip = ['described-status'];

/** What a deployment does wrong with the posts of users. */
type Fault = 'shared' | 'lost' | 'anybody' | 'undeletable' | 'lacking';

const json = (schema: object) => ({ content: { 'application/json': { schema } } });
const schemaOf = (property: string) => ({
  type: 'object',
  required: ['id', property],
  properties: { id: { type: 'integer', readOnly: true }, [property]: { type: 'string' } },
});
const parameter = (name: string) => ({
  name,
  in: 'path',
  required: true,
  schema: { type: 'integer' },
});

/** A collection, whose operations are named after it. */
function collection(noun: string, schema: object) {
  const none = { 404: { description: 'none' } };
  const ok = (inner: object) => ({ description: 'ok', ...json(inner) });
  return {
    all: {
      get: {
        operationId: `list${noun}`,
        responses: {
          200: ok({ type: 'array', items: schema }),
          400: { description: 'invalid' },
          ...none,
        },
      },
      post: {
        operationId: `add${noun}`,
        requestBody: { required: true, ...json(schema) },
        responses: { 201: ok(schema), ...none },
      },
    },
    one: {
      get: { operationId: `read${noun}`, responses: { 200: ok(schema), ...none } },
      delete: {
        operationId: `remove${noun}`,
        responses: { 204: { description: 'gone' }, ...none },
      },
    },
  };
}

function writePosts({ isSecured = false, isRead = true } = {}) {
  const users = collection('User', schemaOf('name'));
  const posts = collection('Post', schemaOf('title'));
  const [user, post, owner] = ['userId', 'postId', 'owner'].map(parameter);
  return writeJson({
    openapi: '3.1.0',
    info: { title: 'Posts', version: '1' },
    ...(isSecured && {
      components: { securitySchemes: { key: { type: 'http', scheme: 'bearer' } } },
      security: [{ key: [] }],
    }),
    paths: {
      '/users': users.all,
      '/users/{userId}': { parameters: [user], ...users.one },
      '/users/{userId}/posts': { parameters: [user], ...posts.all },
      '/users/{owner}/posts/{postId}': {
        parameters: [owner, post],
        ...(isRead ? posts.one : { delete: posts.one.delete }),
      },
    },
  });
}

type Stored = { id: number; of: string; fields: object; looks?: number };

/** What a deployment does that nobody forbids. */
type Habit = 'late' | 'one of each' | 'form of ids' | 'apart';

async function startPosts(fault?: Fault | Habit) {
  const first = { id: 1, of: '/users', fields: { name: 'first' } };
  const ofKeys = new Map<string, Stored[]>();
  const sent: string[] = [];
  let calls = 0;
  let last = 1;
  const server = createServer(async (request, response) => {
    const text = Buffer.concat(await request.toArray()).toString();
    const send = (status: number, body?: unknown) =>
      response
        .writeHead(status, body === undefined ? {} : { 'Content-Type': 'application/json' })
        .end(body === undefined ? undefined : JSON.stringify(body));
    const { authorization = '' } = request.headers;
    const key = fault === 'apart' ? authorization.replace(/^b/, 'B') : '';
    if (fault === 'apart' && !/^[Bb]earer [abc]1234567$/.test(key)) {
      response.setHeader('WWW-Authenticate', 'Bearer realm="posts"');
      return send(401);
    }
    // What is left of each key is another number after each call.
    calls += 1;
    sent.push(`${request.method} ${request.url}`);
    const left =
      key === '' ? {} : { 'X-RateLimit-Limit': 5000, 'X-RateLimit-Remaining': 4000 - calls };
    for (const [name, value] of Object.entries(left)) response.setHeader(name, value);
    let stored: Stored[] = ofKeys.get(key) ?? [first];
    ofKeys.set(key, stored);
    const [, path = '', id] = /^(.*?)(?:\/(\d+))?$/.exec(request.url ?? '') ?? [];
    const owner = /^\/users\/(\d+)\/posts$/.exec(path)?.[1];
    const isThere = stored.some((one) => one.of === '/users' && String(one.id) === owner);
    if (path !== '/users' && owner === undefined) return send(404);
    if (fault === 'form of ids' && Number(owner) > 1_000_000) return send(400);
    if (owner !== undefined && !isThere && fault !== 'anybody') return send(404);
    const shown = ({ id: own, fields }: Stored) => ({ id: own, ...fields });
    const isIn = ({ of }: Stored) =>
      fault === 'shared' && owner !== undefined ? of !== '/users' : of === path;
    if (id === undefined && request.method !== 'POST')
      return send(200, stored.filter(isIn).map(shown));
    if (id === undefined) {
      const name = owner === undefined ? 'name' : 'title';
      const value = readMember(text, name);
      if (value === undefined) return send(400);
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
    if (request.method !== 'DELETE') return send(200, shown(found));
    if (fault === 'one of each' && found === first) return send(409);
    if (fault !== 'undeletable' || owner === undefined)
      stored = stored.filter((one) => one !== found && !one.of.startsWith(`${path}/${id}/`));
    ofKeys.set(key, stored);
    return send(204);
  });
  onTestFinished(() => void server.close());
  return { url: await listenOn(server), left: () => ofKeys.get('')?.length ?? 0, sent };
}

function readMember(text: string, name: string): string | undefined {
  try {
    const value = JSON.parse(text)[name];
    return typeof value === 'string' ? value : undefined;
  } catch {
    return undefined;
  }
}

it('creates parents and what is below them, finds nothing wrong, and deletes all of it', async () => {
  const { url, left } = await startPosts();
  const report = await verify({
    allowWrites: true,
    target: { url, keys: [] },
    twin: false,
    spec: await writePosts(),
    skip,
  });
  expect(report.findings).toEqual([]);
  expect(report.notCalled).toEqual([]);
  const kept = report.clauses.filter(({ results }) => results.target?.verdict === 'kept');
  expect(kept.map(({ id }) => id)).toEqual(expect.arrayContaining(['nested', 'deleted']));
  expect([left(), report.residue]).toEqual([1, []]);
});

it.each([
  ['shared', 'nested', 'drift', /^listPost shows an item of another parent$/],
  ['lost', 'success-status', 'drift', /^readPost answers 404 to a valid call$/],
  ['anybody', 'nested', 'drift', /^listPost answers 200 below a parent that is not there$/],
  ['undeletable', 'deleted', 'drift', /answers 200 for an item that removePost deleted$/],
] as const)('finds the fault "%s" of nested items', async (fault, check, verdict, text) => {
  const { url } = await startPosts(fault);
  const spec = await writePosts();
  const { findings } = await verifyWrites(url, spec, { skip });
  const found = findings.map((one) => [one.check, one.verdict]);
  expect(new Set(found.map(String))).toEqual(new Set([`${check},${verdict}`]));
  expect(findings[0]?.message).toMatch(text);
});

it.each(['shared', undefined] as const)(
  'looks for nested items that cannot be read in lists, and finds the fault "%s"',
  async (fault) => {
    const { url } = await startPosts(fault);
    const spec = await writePosts({ isRead: false });
    const report = await verifyWrites(url, spec, { skip });
    const found = report.findings.map(({ check, message }) => [check, message]);
    const shared = [['nested', 'listPost shows an item of another parent']];
    expect(found).toEqual(fault ? shared : []);
    expect(report.clauses.find(({ id }) => id === 'nested')?.results.target?.verdict).toBe(
      fault ? 'drift' : 'kept',
    );
    expect(report.residue).toEqual([]);
  },
);

it.each(['late', 'one of each', 'form of ids'] as const)(
  'blames no deployment of nested items for the habit "%s"',
  async (habit) => {
    const { url } = await startPosts(habit);
    const spec = await writePosts();
    const { findings } = await verifyWrites(url, spec, { skip });
    expect(findings.filter(({ check }) => check === 'nested')).toEqual([]);
  },
);

it('adds nothing below a parent that was there before, though a create answers with it', async () => {
  const { url, sent } = await startPosts('one of each');
  await verify({
    allowWrites: true,
    target: { url, keys: [] },
    twin: false,
    spec: await writePosts(),
    skip,
  });
  expect(sent).toContain('POST /users');
  expect(sent.filter((call) => call === 'POST /users/1/posts')).toEqual([]);
});
