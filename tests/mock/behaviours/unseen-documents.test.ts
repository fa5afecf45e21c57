import { expect, it } from 'vitest';
import { documentOf } from '../../support/document-of.ts';
import { serveDocument, serveEmpty } from '../../support/serve-document.ts';

/** Lists calls such as `POST /a {"b":1}`, and what their answers have. */
type Calls = Record<string, unknown>;

/** Lists what documents have in common that nobody had looked at before, each with its calls. */
const cases: Record<string, [lines: string, calls: Calls]> = {
  'one value for a list is the only one of it': [
    `
    GET /mails/{id:text} -> Mail
    POST /mails { to: text | [text] } -> Mail
    Mail: { id!, to: [text] }`,
    { 'POST /mails {"to":"a@example.com"}': { to: ['a@example.com'] } },
  ],
  'a batch takes what the create takes, and answers with the ids alone': [
    `
    GET /mails/{id:text} -> Mail
    POST /mails NewMail -> Mail
    POST /mails/batch [NewMail] -> { data: [{ id }] }
    Mail: { id!, to }
    NewMail: { to, at, tags: [text], priority: int }`,
    {
      'POST /mails/batch [{"to":"a"},{"to":"b"}]': { data: [{}, { to: 'b' }] },
      'GET /mails/4': { id: '4', to: 'b' },
    },
  ],
  'a deletion says that it deletes, though it need not': [
    `
    GET /mails/{id:text} -> { id, to }
    DELETE /mails/{id:text} -> { id, deleted: bool }`,
    { 'DELETE /mails/1': { id: '1', deleted: true } },
  ],
  'a property that identifies most items identifies those without a path of one': [
    `
    GET /cats/{acme_id:text} -> Cat
    GET /dogs/{acme_id:text} -> Cat
    GET /birds/{acme_id:text} -> Cat
    PATCH /cats/{acme_id:text} Cat -> Cat
    PATCH /dogs/{acme_id:text} Cat -> Cat
    PATCH /birds/{acme_id:text} Cat -> Cat
    GET /grants -> { grants: [Grant] }
    POST /grants { grant: { code } } -> { grant: Grant }
    Cat: { acme_id!, name }
    Grant: { acme_id!, code }`,
    {
      'POST /grants {"grant":{"code":"a"}}': { grant: { code: 'a' } },
      'GET /grants': { grants: expect.arrayContaining([{ acme_id: '3', code: 'a' }]) },
    },
  ],
  'items are named without their noun, and are no objects that they list': [
    `
    GET /customers -> { customers: [Customer] }
    POST /customers { customer!: { external_id! } } -> { customer: Customer }
    GET /customers/{external_customer_id:text} -> { customer: Customer }
    Customer: { external_id!, links: [{ external_customer_id, kind }] }`,
    {
      'POST /customers {"customer":{"external_id":"a"}}': { customer: { external_id: 'a' } },
      'GET /customers/a': { customer: { external_id: 'a' } },
    },
  ],
  'an item of anything has the id that is sent, and is shown by its deletion': [
    `
    POST /notes object -> 201 object
    PATCH /notes -> { count: int }
    GET /notes/{noteId:text} -> object
    DELETE /notes/{noteId:text} -> object`,
    {
      'POST /notes {"id":"a","text":"b"}': { id: 'a', text: 'b' },
      'GET /notes/a': { text: 'b' },
      'DELETE /notes/a': { id: 'a', text: 'b' },
    },
  ],
  'texts name the objects of a list, by which it is found': [
    `
    GET /users?email_address -> [User]
    POST /users { email_address: [text] } -> User
    User: { id!, email_addresses: [{ email_address!, verified: bool }] }`,
    {
      'POST /users {"email_address":["a@b.c"]}': { id: '3' },
      'GET /users?email_address=a@b.c': [{ email_addresses: [{ email_address: 'a@b.c' }] }],
    },
  ],
  'filters find items by what they hold, with its noun between the words of its id': [
    `
    GET /customers -> [Customer]
    POST /customers Customer -> Customer
    GET /customers/{external_customer_id:text} -> Customer
    GET /bills?external_customer_id -> [Bill]
    GET /bills/{id:text} -> Bill
    POST /bills { external_customer_id, sum: int } -> Bill
    Customer: { external_id!, name, mail }
    Bill: { id!, sum: int, customer: Customer }`,
    {
      'POST /customers {"external_id":"a","name":"Io","mail":"m"}': { external_id: 'a' },
      'POST /bills {"external_customer_id":"a","sum":5}': { customer: { name: 'Io' } },
      'GET /bills?external_customer_id=a': [{ id: '3', sum: 5 }],
    },
  ],
  'the id before another id is that of the service': [
    `
    GET /wallets/{acme_id:text} -> { acme_id!, acme_owner_id }
    POST /wallets { owner_id } -> { acme_id!, acme_owner_id }`,
    { 'POST /wallets {"owner_id":"x"}': { acme_id: '3', acme_owner_id: 'x' } },
  ],
  'a path links an item, and answers with the ids in it': [
    `
    GET /tags/{id:text} -> { id!, name }
    POST /tags { name } -> { id!, name }
    GET /pets/{pet_id:text} -> { id!, name }
    GET /pets -> [{ id!, name }]
    GET /pets/{pet_id:text}/tags -> { data: [{ id!, name }] }
    POST /pets/{pet_id:text}/tags/{tag_id:text} -> { pet_id, tag_id }`,
    {
      'POST /tags {"name":"a"}': { id: '3' },
      'POST /pets/1/tags/3': { pet_id: '1', tag_id: '3' },
      'GET /pets/1/tags': { data: expect.arrayContaining([{ id: '3', name: 'a' }]) },
    },
  ],
};

it.each(Object.entries(cases))('%s', async (_, [lines, calls]) => {
  const { send } = await serveDocument(documentOf(lines));
  for (const [line, expected] of Object.entries(calls)) {
    const [, method = '', path = '', body = 'null'] = /^(\S+) (\S+)(?: (.+))?$/.exec(line) ?? [];
    const sent = JSON.parse(body) ?? undefined;
    expect((await send(method, path, sent)).json).toMatchObject(expected as object);
  }
});

it('shows of what type an object is where its description says so, in items and lists', async () => {
  const toType = (example: string) => ({
    ...{ type: 'string', example },
    description: 'The type of object.',
  });
  const { send } = await serveEmpty(
    documentOf(
      `
      GET /mails -> { object: List, data: [Mail] }
      POST /mails { to } -> Mail
      GET /mails/{id:text} -> Mail`,
      { List: toType('list'), One: toType('mail'), Mail: '{ object: One, id!, to, seen: text }' },
    ),
  );
  const mail = { object: 'mail', id: '1', to: 'a' };
  expect((await send('POST', '/mails', { to: 'a' })).json).toEqual(mail);
  expect((await send('GET', '/mails')).json).toEqual({ object: 'list', data: [mail] });
});

it('begins with the first state that a filter of the list knows, and sets those of actions', async () => {
  const Status = { enum: ['all', 'revoked', 'pending', 'accepted'] };
  const { send } = await serveDocument(
    documentOf(
      `
      GET /invites?status:Status -> [Invite]
      POST /invites { mail } -> 201 Invite
      POST /invites/{id:text}/revoke -> Invite`,
      { Status, Invite: '{ id!, mail, status }' },
    ),
  );
  const { json } = await send('POST', '/invites', { mail: 'a' });
  expect(json).toEqual({ id: '3', mail: 'a', status: 'pending' });
  expect((await send('POST', '/invites/3/revoke')).json.status).toBe('revoked');
  expect((await send('GET', '/invites?status=revoked')).json).toContainEqual({
    ...json,
    status: 'revoked',
  });
});

it('takes an id for the cursor where the parameter has the form of ids', async () => {
  const form = { type: 'string', pattern: '^pet_[0-9]{4}$' };
  const document = documentOf(
    `
    GET /pets?limit:int&iterator:Id -> { data: [Pet], iterator: Id, done: bool }
    GET /pets/{id:Id} -> Pet`,
    { Pet: '{ id!: Id }', Id: form },
  );
  const { send } = await serveDocument(document);
  const { json } = await send('GET', '/pets?limit=1');
  expect(json).toEqual({ data: [{ id: 'pet_0001' }], iterator: 'pet_0001', done: false });
  const next = await send('GET', '/pets?limit=1&iterator=pet_0001');
  expect(next.json).toMatchObject({ data: [{ id: 'pet_0002' }], done: true });
});

it('changes what is there where a create says that it updates, too', async () => {
  const document = documentOf(
    `
    GET /customers/{code:text} -> Customer
    POST /customers Customer -> Customer`,
    { Customer: '{ code!, name, mail }' },
    { operations: { 'POST /customers': { summary: 'Create or update a customer' } } },
  );
  const { send } = await serveDocument(document);
  await send('POST', '/customers', { code: 'a', name: 'Io', mail: 'm' });
  const { json } = await send('POST', '/customers', { code: 'a', name: 'Bo' });
  expect(json).toEqual({ code: 'a', name: 'Bo', mail: 'm' });
});

it('answers an action with the id of its item, as the description of the id says', async () => {
  const id = { type: 'string', description: 'The ID of the mail.' };
  const sent = { type: 'object', properties: { id: { ...id, example: 'x' } } };
  const { send } = await serveDocument(
    documentOf(`GET /mails -> [{ id!, to }]\nPOST /mails/{id:text}/send -> Sent`, { Sent: sent }),
  );
  expect((await send('POST', '/mails/1/send')).json).toMatchObject({ id: '1' });
});

it('merges the objects of an item where an action says so, and removes what is null', async () => {
  const document = documentOf(
    `
    POST /users { meta: Meta } -> User
    GET /users/{id:text} -> User
    PATCH /users/{id:text}/meta { meta: Meta } -> User`,
    { User: '{ id!, name, meta: Meta }', Meta: { type: 'object' } },
    { operations: { 'PATCH /users/{id}/meta': { summary: 'Merge and update metadata' } } },
  );
  const { send } = await serveDocument(document);
  await send('POST', '/users', { meta: { a: 1, b: 2 } });
  const { json } = await send('PATCH', '/users/3/meta', { meta: { b: null, c: 3 } });
  expect(json.meta).toEqual({ a: 1, c: 3 });
});
