import { expect, it } from 'vitest';
import { documentOf } from '../../support/document-of.ts';
import { serveDocument } from '../../support/serve-document.ts';

type Step = [method: string, path: string, body: unknown, expected: unknown];

/** What documents of services that nobody looked at before have in common, each with its calls. */
const cases: [name: string, lines: string, schemas: Record<string, string | object>, steps: Step[]][] = [
  [
    'one value for a list is the only one of it',
    `
    GET /mails/{id:text} -> Mail
    POST /mails { to: text | [text] } -> Mail`,
    { Mail: '{ id!, to: [text] }' },
    [['POST', '/mails', { to: 'a@example.com' }, { to: ['a@example.com'] }]],
  ],
  [
    'a batch takes what the create takes, and answers with the ids alone',
    `
    GET /mails/{id:text} -> Mail
    POST /mails NewMail -> Mail
    POST /mails/batch [NewMail] -> { data: [{ id }] }`,
    { Mail: '{ id!, to }', NewMail: '{ to, at, tags: [text], priority: int }' },
    [
      ['POST', '/mails/batch', [{ to: 'a' }, { to: 'b' }], { data: [{}, { to: 'b' }] }],
      ['GET', '/mails/4', undefined, { id: '4', to: 'b' }],
    ],
  ],
  [
    'a deletion says that it deletes, though it need not',
    `
    GET /mails/{id:text} -> { id, to }
    DELETE /mails/{id:text} -> { id, deleted: bool }`,
    {},
    [['DELETE', '/mails/1', undefined, { id: '1', deleted: true }]],
  ],
  [
    'a property that identifies most items identifies those without a path of one',
    `
    GET /cats/{acme_id:text} -> Cat
    GET /dogs/{acme_id:text} -> Cat
    GET /birds/{acme_id:text} -> Cat
    PATCH /cats/{acme_id:text} Cat -> Cat
    PATCH /dogs/{acme_id:text} Cat -> Cat
    PATCH /birds/{acme_id:text} Cat -> Cat
    GET /grants -> { grants: [Grant] }
    POST /grants { grant: { code } } -> { grant: Grant }`,
    { Cat: '{ acme_id!, name }', Grant: '{ acme_id!, code }' },
    [
      ['POST', '/grants', { grant: { code: 'a' } }, { grant: { code: 'a' } }],
      [
        'GET',
        '/grants',
        undefined,
        { grants: expect.arrayContaining([{ acme_id: '3', code: 'a' }]) },
      ],
    ],
  ],
  [
    'items are named without their noun, and are no objects that they list',
    `
    GET /customers -> { customers: [Customer] }
    POST /customers { customer!: { external_id! } } -> { customer: Customer }
    GET /customers/{external_customer_id:text} -> { customer: Customer }`,
    { Customer: '{ external_id!, links: [{ external_customer_id, kind }] }' },
    [
      [
        'POST',
        '/customers',
        { customer: { external_id: 'a' } },
        { customer: { external_id: 'a' } },
      ],
      ['GET', '/customers/a', undefined, { customer: { external_id: 'a' } }],
    ],
  ],
  [
    'an item of anything has the id that is sent, and is shown by its deletion',
    `
    POST /notes object -> 201 object
    PATCH /notes -> { count: int }
    GET /notes/{noteId:text} -> object
    DELETE /notes/{noteId:text} -> object`,
    {},
    [
      ['POST', '/notes', { id: 'a', text: 'b' }, { id: 'a', text: 'b' }],
      ['GET', '/notes/a', undefined, { text: 'b' }],
      ['DELETE', '/notes/a', undefined, { id: 'a', text: 'b' }],
    ],
  ],
  [
    'texts name the objects of a list, by which it is found',
    `
    GET /users?email_address -> [User]
    POST /users { email_address: [text] } -> User`,
    { User: '{ id!, email_addresses: [{ email_address!, verified: bool }] }' },
    [
      ['POST', '/users', { email_address: ['a@b.c'] }, { id: '3' }],
      [
        'GET',
        '/users?email_address=a@b.c',
        undefined,
        [{ email_addresses: [{ email_address: 'a@b.c' }] }],
      ],
    ],
  ],
];

it.each(cases)('%s', async (_, lines, schemas, steps) => {
  const { send } = await serveDocument(documentOf(lines, schemas));
  for (const [method, path, body, expected] of steps)
    expect((await send(method, path, body as object)).json).toMatchObject(expected as object);
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
