import { expect, it } from 'vitest';
import { documentOf, schemaOf } from '../../support/document-of.ts';
import { serveDocument } from '../../support/serve-document.ts';
import { withJson } from '../../support/with-json.ts';

const user = schemaOf(`{
  readonly id!: int, email!: email(x-unique=true), nick: text(x-unique=true),
  role: text(enum=["admin", "member"], default="member"), level: int(default="high"),
  readonly state: text(default="new"), writeonly secret: text(default="none")
}`);
const content = {
  'application/merge-patch+json': { schema: { type: 'object', properties: user.properties } },
  'application/json-patch+json': { schema: { type: 'array', items: {} } },
};
const document = documentOf(
  `
  GET /users?role -> [User]
  POST /users User -> 201 User
  POST /users/bulk [User] -> [User], 422
  GET /users/{id} -> User
  PUT /users/{id} User -> User
  PATCH /users/{id} -> User
  `,
  { User: user },
  { operations: { 'PATCH /users/{id}': { requestBody: { content } } } },
);

const sent = (method: string, value: unknown, type = 'application/json') =>
  withJson(method, value, { 'Content-Type': type });

it('stores the defaults that the document states, where they are valid and a body leaves them out', async () => {
  const { call } = await serveDocument(document);
  const stated = { role: 'member', state: 'new' };
  const made = await call('/users', sent('POST', { email: 'a@b.example' }));
  expect(made.json).toEqual({ id: 3, email: 'a@b.example', ...stated });
  expect((await call('/users?role=member')).json).toContainEqual(made.json);
  const own = { email: 'b@b.example', role: 'admin', level: 2 };
  expect((await call('/users', sent('POST', own))).json).toEqual({ id: 4, ...own, state: 'new' });
  const replaced = await call('/users/4', sent('PUT', { email: 'c@b.example' }));
  expect(replaced.json).toEqual({ id: 4, email: 'c@b.example', ...stated });
});

it('takes the default of a body before the example of a property that items require', async () => {
  const tags = { type: 'array', items: { type: 'string' } };
  const { call } = await serveDocument(
    documentOf('GET /notes -> [Note]\nPOST /notes NewNote -> 201 Note', {
      Note: '{ readonly id!: int, text!, tags!: Shown }',
      NewNote: '{ text!, tags: Sent }',
      ...{ Shown: { ...tags, example: ['web'] }, Sent: { ...tags, default: [] } },
    }),
  );
  const { json } = await call('/notes', sent('POST', { text: 'a' }));
  expect(json).toMatchObject({ text: 'a', tags: [] });
});

it('begins with the state that the description names first, or else with the first one', async () => {
  const status = { type: 'string', enum: ['canceled', 'open', 'paid'], readOnly: true };
  const described = { ...status, description: 'One of `open`, `paid` or `canceled`.' };
  const { call } = await serveDocument(
    documentOf('GET /bills -> [Bill]\nPOST /bills Bill -> 201 Bill', {
      Bill: '{ readonly id!: int, status!: Status, stage!: Stage }',
      ...{ Status: described, Stage: status },
    }),
  );
  const { json } = await call('/bills', sent('POST', {}));
  expect(json).toMatchObject({ status: 'open', stage: 'canceled' });
});

it('gives no two items the same value of a property that is marked as unique', async () => {
  const { call } = await serveDocument(document, { pets: 60 });
  const list = (await call('/users')).json as { email: string; nick?: string }[];
  const [first, second] = list as [{ email: string }, { email: string }];
  expect(new Set(list.map(({ email }) => email)).size).toBe(60);
  const nicks = list.flatMap(({ nick }) => (nick === undefined ? [] : [nick]));
  expect(new Set(nicks).size).toBe(nicks.length);
  const taken = await call('/users', sent('POST', { email: first.email }));
  expect(taken).toMatchObject({ status: 409, json: { code: 'value_taken' } });
  expect(taken.json.message).toContain(`"email"`);
  const merge = 'application/merge-patch+json';
  const patch = 'application/json-patch+json';
  const operations = [{ op: 'replace', path: '/email', value: first.email }];
  const refused = [
    await call('/users/2', sent('PUT', { email: first.email })),
    await call('/users/2', sent('PATCH', { email: first.email }, merge)),
    await call('/users/2', sent('PATCH', operations, patch)),
  ];
  expect(refused.map(({ status }) => status)).toEqual([409, 409, 409]);
  expect((await call('/users/2')).json).toMatchObject({ email: second.email });
  const kept = [
    await call('/users/2', sent('PUT', { email: second.email })),
    await call('/users/2', sent('PATCH', { email: second.email }, merge)),
    await call('/users/2', sent('PATCH', { nick: 'two' }, merge)),
  ];
  expect(kept.map(({ status }) => status)).toEqual([200, 200, 200]);
  const twice = [{ email: 'x@y.example' }, { email: 'x@y.example' }];
  expect((await call('/users/bulk', sent('POST', twice))).status).toBe(422);
  expect((await call('/users')).json).toHaveLength(60);
});

it('begins with the first state, where the service alone sets it', async () => {
  const { call } = await serveDocument(`
    POST /issues { title } -> 201 Issue
    GET /issues/{id} -> Issue
    PATCH /issues/{id} Issue -> Issue
    Issue: { readonly id: int, title, state: "open" | "closed" }
  `);
  const { json: made } = await call('/issues', sent('POST', { title: 'T' }));
  expect(made.state).toBe('open');
  await call(`/issues/${made.id}`, sent('PATCH', { state: 'closed' }));
  const { json: changed } = await call(`/issues/${made.id}`, sent('PATCH', { title: 'U' }));
  expect(changed).toEqual({ id: made.id, title: 'U', state: 'closed' });
});

it('takes the default of an item where that of the body has none', async () => {
  const { send } = await serveDocument(`
    POST /jobs { text!, priority: int, tries: int(default=3) } -> 201 Job
    Job: { readonly id!: int, text!, priority: int(default=5), tries: int(default=1) }
  `);
  const { json } = await send('POST', '/jobs', { text: 'a' });
  expect(json).toEqual({ id: json.id, text: 'a', priority: 5, tries: 3 });
});

it('gives an object by default the defaults of its parts', async () => {
  const { send } = await serveDocument(`
    POST /jobs { text!, retry: Retry, spare: Retry | null } -> 201 Job
    PATCH /jobs/{id} { spare: Retry | null } -> Job
    Job: { readonly id!: int, text!, retry: Retry, spare: Retry | null }
    Retry: { times: int(default=3), wait: { seconds: int(default=9) }(default={}) }(default={})
  `);
  const retry = { times: 3, wait: { seconds: 9 } };
  const { json } = await send('POST', '/jobs', { text: 'a', spare: null });
  expect(json).toMatchObject({ retry, spare: null });
  const changed = await send('PATCH', `/jobs/${json.id}`, { spare: {} });
  expect(changed.json).toEqual({ ...json, spare: retry });
});
