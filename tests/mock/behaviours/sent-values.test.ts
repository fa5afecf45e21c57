import { expect, it } from 'vitest';
import { documentOf } from '../../support/document-of.ts';
import { serveDocument, serveEmpty } from '../../support/serve-document.ts';

/** Returns what is read at the path of an item after a body created it there. */
async function readCreated(document: ReturnType<typeof documentOf>, body: object) {
  const { send } = await serveDocument(document);
  const [made = ''] = Object.keys(document.paths);
  const path = made.replace('{team}', '7');
  const { json } = await send('POST', path, body);
  return (await send('GET', `${path}/${json.id ?? json.Data.PaymentId}`)).json;
}

const data = { Amount: '10.00', Note: 'Rent' };

it.each<[what: string, lines: string, body: object, shown?: object]>([
  [
    'words of an operation that look as if it asked for something',
    `createVerifyProfile: POST /verify_profiles { name } -> { id: int, name }
    GET /verify_profiles/{id} -> { id: int, name }`,
    { name: 'Two' },
  ],
  [
    'another object beside the one that answers hold too',
    `POST /payments { Data: { Amount, Note }, Risk: { Code } } -> 201 Payment
    GET /payments/{PaymentId:text} -> Payment
    Payment: { Data: { PaymentId, Amount, Note }, Links: { Self } }`,
    { Data: data, Risk: { Code: 'x' } },
    { Data: data },
  ],
  [
    'a value beside the only object that is what answers show',
    `POST /cmsBlock { block: Block, force: bool } -> Block
    GET /cmsBlock/{id} -> Block
    Block: { id: int, title }`,
    { block: { title: 'News' }, force: true },
    { title: 'News' },
  ],
  [
    'a parameter at its path that lists what is below it',
    `POST /categories/{team} { name } -> { id: int, name }
    GET /categories/{team} -> [{ id: int, name }]
    GET /categories/{team}/{id} -> { id: int, name }`,
    { name: 'Alerts' },
  ],
])('stores what a create sends in spite of %s', async (_, lines, body, shown = body) => {
  expect(await readCreated(documentOf(lines), body)).toMatchObject(shown);
});

it('stores what schemas require and do not describe', async () => {
  const Rule = { type: 'object', properties: { id: { type: 'integer' } }, required: ['name'] };
  const document = documentOf('POST /rules Rule -> Rule\nGET /rules/{id} -> Rule', { Rule });
  const read = await readCreated(document, { name: 'Mine', other: 1 });
  expect(read).toEqual({ id: expect.any(Number), name: 'Mine' });
});

it('stores what an example of a body has and its schema does not describe', async () => {
  const example = { name: 'One', status: 'Draft' };
  const document = documentOf(`
    POST /rules { name } -> Rule
    GET /rules/{id} -> Rule
    Rule: { id: int, name, status, owner }
  `);
  const { requestBody } = document.paths['/rules']?.post ?? {};
  Object.assign(requestBody.content['application/json'], { example });
  const read = await readCreated(document, { ...example, status: 'Sent', owner: 'Ann' });
  expect(read.status).toBe('Sent');
  expect(read.owner).not.toBe('Ann');
});

it('stores what a body of another media type has, and answers of that type show', async () => {
  const document = documentOf(`
    POST /rules application/vnd.a.v1+json V1 -> 201 V1
    GET /rules/{id} -> application/vnd.a.v1+json V1
    V1: { id: int, name! }
    V2: { id: int, fullName! }
  `);
  const V2 = { schema: { $ref: '#/components/schemas/V2' } };
  const type = 'application/vnd.a.v2+json';
  for (const { get, post } of Object.values(document.paths))
    for (const one of [post?.requestBody, get?.responses[200]]) if (one) one.content[type] = V2;
  const { call } = await serveDocument(document);
  const body = JSON.stringify({ fullName: 'Ada L' });
  const headers = { 'content-type': type };
  const { json } = await call('/rules', { method: 'POST', headers, body });
  const read = await call(`/rules/${json.id}`, { headers: { accept: type } });
  expect(read.json).toMatchObject({ id: json.id, fullName: 'Ada L' });
});

it('knows items below others by an Id in any case, and lists them', async () => {
  const { send } = await serveDocument(`
    GET /customers/{id} -> { Id: int }
    GET /customers/{id}/addresses -> [{ Id: int, City }]
    POST /customers/{id}/addresses { Id: int, City } -> { Id: int, City }
  `);
  await send('POST', '/customers/1/addresses', { City: 'Oslo' });
  const { json } = await send('GET', '/customers/1/addresses');
  expect(json.map(({ City }: { City: string }) => City)).toContain('Oslo');
});

it('keeps the object of an item where a body has a text that names none', async () => {
  const { call, send } = await serveDocument(`
    GET /jobs -> [Job]
    POST /jobs { role: text } -> 201 Job
    GET /jobs/{id} -> Job
    PATCH /jobs/{id} { role: text } -> Job
    Job: { id: int, role!: { title!, since!: date } }
  `);
  const role = { title: expect.any(String), since: expect.any(String) };
  const { json: before } = await call('/jobs/1');
  expect((await send('PATCH', '/jobs/1', { role: 'Cook' })).json.role).toEqual(before.role);
  expect((await send('POST', '/jobs', { role: 'Cook' })).json.role).toEqual(role);
});

it('adds to new objects of a list ids, stated defaults, and counts that begin', async () => {
  const { send } = await serveEmpty(`
    POST /polls { choices!: [{ text!, weight: int(default=1) }] } -> 201 Poll
    GET /polls/{id} -> Poll
    PATCH /polls/{id} { choices: [{ id: int, text!, weight: int(default=1) }] } -> Poll
    Poll: { id!: int, choices!: [Choice] }
    Choice: { id!: int, text!, weight!: int, votes!: int }
  `);
  const of = (id: number, text: string, weight = 1) => ({ id, text, weight, votes: 0 });
  const sent = [{ text: 'a' }, { text: 'b', weight: 5 }];
  const made = [of(1, 'a'), of(2, 'b', 5)];
  expect(await send('POST', '/polls', { choices: sent })).toMatchObject({
    json: { choices: made },
  });
  const changed = [made[1], { text: 'c' }];
  await send('PATCH', '/polls/1', { choices: changed });
  expect((await send('GET', '/polls/1')).json.choices).toMatchObject([
    made[1],
    { text: 'c', votes: 0 },
  ]);
});

it.each([
  ['may set none', 'Poll', 'readonly '],
  ['set none', '{ choices: [{ id: int, text! }] }', ''],
])('gives each new object of a list an id of its own where clients %s', async (_, body, mark) => {
  const { send } = await serveEmpty(`
    POST /polls ${body} -> 201 Poll
    GET /polls/{id} -> Poll
    PATCH /polls/{id} ${body} -> Poll
    Poll: { readonly id!: int, choices!: [Choice] }
    Choice: { ${mark}id!: int, text! }
  `);
  const texts = (all: string) => [...all].map((text) => ({ text }));
  const idsOf = async (method: string, path: string, choices: object[]) =>
    (await send(method, path, { choices })).json.choices.map(({ id }: { id: number }) => id);
  expect(await idsOf('POST', '/polls', texts('abc'))).toEqual([1, 2, 3]);
  const changed = [{ id: 3, text: 'c' }, ...texts('xyz')];
  expect(await idsOf('PATCH', '/polls/1', changed)).toEqual([3, 2, 4, 5]);
});
