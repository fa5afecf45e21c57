import { expect, it } from 'vitest';
import { checksOfOneAnswer } from '../../../contracts/checks/index.ts';
import {
  createResponseJudge,
  type JudgeResponseOptions,
} from '../../../contracts/judging/judge-response.ts';
import { compile } from '../../../openapi/index.ts';
import { openDeployment } from '../../../tools/lab/deployment.ts';
import { documentOf } from '../../support/document-of.ts';
import { toDocument } from '../../support/serve-document.ts';
import { bearer, projectFile } from '../../support/twin.ts';

const judge = createResponseJudge(await compile(projectFile('contracts/openapi.yaml')));
const rex = { id: 1, name: 'Rex', categoryId: 1, status: 'available' };
const now = Date.UTC(2030, 0, 1);
const list = 'http://shop/v1/pets';

/**
 * An answer that keeps every clause, but for what is given; a header of `undefined` is left out.
 */
function answer(
  status: number,
  body: unknown,
  headers: Record<string, string | undefined> = {},
): Response {
  const all = {
    'Content-Type': 'application/json; charset=utf-8',
    'X-RateLimit-Limit': '60',
    'X-RateLimit-Remaining': '59',
    'X-RateLimit-Reset': String(now / 1000 + 30),
    ...(status === 401 && { 'WWW-Authenticate': 'Bearer realm="petstore"' }),
    ...headers,
  };
  const sent = Object.entries(all).filter(
    (entry): entry is [string, string] => entry[1] !== undefined,
  );
  return new Response(
    typeof body === 'string' || body instanceof ArrayBuffer ? body : JSON.stringify(body),
    { status, headers: sent },
  );
}

const error = (status: number) => ({ code: 'some_code', message: 'Some message.', status });

type Row = [check: string, operation: string, response: Response, options?: JudgeResponseOptions];

const breaches: Record<string, Row> = {
  'the target answers with a server error (1 of 1 calls)': [
    'reliable-answers',
    'listPets',
    answer(500, error(500)),
  ],
  'listPets answers 418, which the interface does not state for it': [
    'reliable-answers',
    'listPets',
    answer(418, {}),
  ],
  'createPet answers 200, which the interface does not state for it': [
    'reliable-answers',
    'createPet',
    answer(200, rex),
  ],
  'getPet answers 404 with a body that breaks its schema: code is missing; Error requires it (§2, §7) (and 2 more)':
    ['error-shape', 'getPet', answer(404, { error: 'none' })],
  'getPet answers 404 with an Error whose status is 400': [
    'error-status',
    'getPet',
    answer(404, error(400)),
  ],
  'listPets sends the body of a 200 as text/html': [
    'media-type',
    'listPets',
    answer(200, [], { 'Content-Type': 'text/html' }),
  ],
  'getPet answers 200 with a body that breaks its schema': [
    'body-schema',
    'getPet',
    answer(200, { ...rex, categoryId: '1' }),
  ],
  'listPets lists more items than the limit that was sent': [
    'page-size',
    'listPets',
    answer(200, [rex, { ...rex, id: 2 }]),
    { sent: { url: `${list}?limit=1` } },
  ],
  'listPets lists more items than the maximum of 100': [
    'page-size',
    'listPets',
    answer(
      200,
      Array.from({ length: 101 }, (_, id) => ({ ...rex, id })),
    ),
  ],
  'listPets lists more items than the default of 20': [
    'page-size',
    'listPets',
    answer(
      200,
      Array.from({ length: 21 }, (_, id) => ({ ...rex, id })),
    ),
    { sent: { url: list } },
  ],
  'listPets lists items that its filter excludes': [
    'filter',
    'listPets',
    answer(200, [rex]),
    { sent: { url: new URL(`${list}?status=sold`) } },
  ],
  'createPet does not return "name" as it was sent': [
    'created-as-sent',
    'createPet',
    answer(201, rex),
    { sent: { body: { ...rex, name: 'Ada' } } },
  ],
  'createPet does not return "categoryId" as it was sent': [
    'created-as-sent',
    'createPet',
    answer(201, rex),
    { sent: { body: '{"name":"Rex","categoryId":9223372036854775807}' } },
  ],
  'getPet answers with a different item than the one requested': [
    'read-back',
    'getPet',
    answer(200, rex),
    { sent: { url: `${list}/2` } },
  ],
  'listPets lists the same id twice': ['unique-ids', 'listPets', answer(200, [rex, rex])],
  'getPet announces a removal date (Sunset) other than the stated one': [
    'sunset-date',
    'getPet',
    answer(200, rex, { Sunset: 'Thu, 06 Dec 2029 00:00:00 GMT' }),
  ],
  'listPets answers without X-RateLimit-Reset': [
    'rate-limit-headers',
    'listPets',
    answer(200, [], { 'X-RateLimit-Reset': undefined }),
  ],
  'listPets shows more requests left than the limit allows': [
    'rate-limit-form',
    'listPets',
    answer(200, [], { 'X-RateLimit-Remaining': '61' }),
  ],
  'X-RateLimit-Reset is not a Unix time within the next day (it looks like a number of seconds from now)':
    ['rate-limit-reset', 'listPets', answer(200, [], { 'X-RateLimit-Reset': '30' })],
  'a key of plan pro gets a limit that its plan does not have': [
    'rate-limit-plan',
    'listPets',
    answer(200, []),
    { plan: 'pro' },
  ],
  'listPets answers 429 without Retry-After': ['retry-after', 'listPets', answer(429, error(429))],
  'Retry-After is neither whole seconds nor an HTTP date': [
    'retry-after',
    'listPets',
    answer(429, error(429), { 'Retry-After': 'Tue, 32 Jan 2030 00:00:30 GMT' }),
  ],
  'Retry-After looks like a point in time instead of a number of seconds': [
    'retry-after',
    'listPets',
    answer(429, error(429), { 'Retry-After': String(now / 1000 + 30) }),
  ],
  'Retry-After looks like milliseconds': [
    'retry-after',
    'listPets',
    answer(429, error(429), { 'Retry-After': '30000' }),
  ],
  'listPets answers 401 without WWW-Authenticate': [
    'challenge',
    'listPets',
    answer(401, error(401), { 'WWW-Authenticate': undefined }),
  ],
  'getPet sends a Deprecation header that is not a date': [
    'deprecation-form',
    'getPet',
    answer(200, rex, { Deprecation: 'true' }),
  ],
  'listPets starts its JSON with a byte order mark': [
    'no-byte-order-mark',
    'listPets',
    answer(200, Uint8Array.of(0xef, 0xbb, 0xbf, 0x5b, 0x5d).buffer),
  ],
};

it('has a breach of each check that it claims to hold', () => {
  // The Pet Store Service describes no header but in words; those breaches follow.
  const ids = checksOfOneAnswer
    .map(({ id }) => id)
    .filter((id) => !['required-headers', 'header-values'].includes(id));
  expect([...new Set(Object.values(breaches).map(([check]) => check))]).toEqual(ids);
});

it('finds a success without a header that another document requires, or with another value', async () => {
  const headers = { 'X-Need': { required: true, schema: { type: 'integer' } }, 'X-May': {} };
  const responses = { 200: { description: 'Fine.', headers } };
  const judgeOther = createResponseJudge(
    compile(toDocument({ '/a': { get: { operationId: 'a', responses } } })),
  );
  const found = async (sent: Record<string, string>) =>
    (await judgeOther(new Response(null, { headers: sent }), 'a')).findings;
  expect(await found({ 'x-need': '5' })).toEqual([]);
  expect(await found({ 'x-may': '5' })).toMatchObject([
    { check: 'required-headers', message: 'a answers 200 without the header X-Need' },
  ]);
  const message = 'a answers 200 with a header X-Need that breaks its schema';
  expect(await found({ 'x-need': 'five' })).toMatchObject([{ check: 'header-values', message }]);
});

it.each<[answers: string, status: number, shown: object, isWrong: boolean]>([
  ['201 User', 201, { name: 'Bo' }, true],
  ['200 User, 201 User', 201, { name: 'Bo' }, true],
  ['201 User, 202 User', 202, { name: 'Bo' }, false],
  ['201 User', 201, { name: 'Ada', role: 'none' }, false],
])('compares what a create sent with an answer of %s: %i %j', async (answers, ...row) => {
  const [status, shown, isWrong] = row;
  const judgeOther = createResponseJudge(
    compile(
      documentOf(
        `
        add: POST /users User -> ${answers}
        GET /users/{id} -> User
        User: { readonly id: int, readonly role, writeonly secret, name! }
        `,
        {},
        { 'x-clauses': [{ id: 'created-as-sent', source: '§1', text: 'It is so.' }] },
      ),
    ),
  );
  const sent = { body: { name: 'Ada', role: 'admin', secret: 'x' } };
  const { findings } = await judgeOther(answer(status, { id: 1, ...shown }), 'add', { sent });
  const checks = findings.map(({ check }) => check);
  expect(checks).toEqual(isWrong ? ['created-as-sent'] : []);
});

it.each(Object.entries(breaches))(
  'finds a breach: %s',
  async (message, [check, operation, response, options = {}]) => {
    const { findings, held } = await judge(response, operation, { now, ...options });
    expect(findings.map((finding) => finding.check)).toEqual([check]);
    expect(findings[0]?.message).toContain(message);
    expect(held).toContain(check);
  },
);

it.each<[operation: string, response: Response, options?: JudgeResponseOptions]>([
  [
    'listPets',
    answer(200, [rex]),
    { sent: { url: `${list}?limit=5&status=available&colour=red` }, plan: 'free' },
  ],
  ['listPets', answer(400, error(400)), { sent: { url: `${list}?limit=0` } }],
  [
    'listPets',
    answer(400, [rex, { ...rex, id: 2 }]),
    { sent: { url: `${list}?status=sold&limit=1` } },
  ],
  ['listPets', answer(200, [rex]), { sent: { url: `${list}?limit=0` } }],
  ['listPets', answer(200, [rex, { ...rex, id: 2 }]), { sent: { url: `${list}?limit=1&limit=2` } }],
  ['listPets', answer(200, [rex]), { sent: { url: `${list}?status=unknown` } }],
  ['listPets', answer(200, ''), { sent: { method: 'head' } }],
  ['listPets', answer(429, 'Slow down', { 'Content-Type': 'text/plain', 'Retry-After': '30' })],
  ...['Tue, 01 Jan 2030 00:00:30 GMT', 'Tuesday, 01-Jan-30 00:00:30 GMT', '10000'].map(
    (wait): [string, Response] => ['listPets', answer(429, error(429), { 'Retry-After': wait })],
  ),
  [
    'createPet',
    answer(201, rex),
    { sent: { body: { name: 'Rex', categoryId: 1, id: 7, colour: 'red' } } },
  ],
  ['createPet', answer(201, rex), { sent: { body: 'no JSON' } }],
  ['createPet', answer(201, rex)],
  ['createPet', answer(400, error(400)), { sent: { body: {} } }],
  ['getPet', answer(200, rex), { sent: { url: `${list}/1` } }],
  ['getPet', answer(200, rex), { sent: { url: `${list}/001` } }],
  ['getPet', answer(410, 'Gone', { 'Content-Type': 'text/plain' })],
  ['listOrders', answer(200, { any: 'thing' })],
])(
  'finds nothing wrong with an answer of %s that keeps the contract',
  async (operation, response, options = {}) => {
    const { findings, held } = await judge(response, operation, { now, ...options });
    expect(findings).toEqual([]);
    expect(held).toEqual(
      expect.arrayContaining([
        'reliable-answers',
        'rate-limit-headers',
        'rate-limit-form',
        'rate-limit-reset',
      ]),
    );
  },
);

it('reads what was asked for from the URL of a response, and leaves the body to be read', async () => {
  const { url, close } = await openDeployment();
  try {
    const response = await fetch(`${url}/pets?limit=3&status=sold`, {
      headers: bearer('k-free-1'),
    });
    const { operation, status, findings, held } = await judge(response, 'listPets', {
      plan: 'free',
    });
    expect({ operation, status, findings }).toEqual({
      operation: 'listPets',
      status: 200,
      findings: [],
    });
    expect(held).toEqual(expect.arrayContaining(['page-size', 'filter', 'rate-limit-plan']));
    expect(await response.json()).toHaveLength(3);
  } finally {
    await close();
  }
});

it.each<
  [
    what: string,
    response: unknown,
    operation: string,
    message: string,
    options?: JudgeResponseOptions,
  ]
>([
  [
    'an unknown operation',
    answer(200, []),
    'listPet',
    '"listPet" is not an operation of Pet Store Service. Its operations are listPets, createPet, getPet, listOrders.',
  ],
  [
    'an unknown plan',
    answer(200, []),
    'listPets',
    '"gold" is not a plan. Plans are free, pro, business, enterprise.',
    { plan: 'gold' },
  ],
  [
    'a body alone',
    [rex],
    'listPets',
    'Only a Response, as fetch returns it, can be checked against the contract.',
  ],
  [
    'nothing',
    undefined,
    'listPets',
    'Only a Response, as fetch returns it, can be checked against the contract.',
  ],
])('refuses to judge %s', async (_, response, operation, message, options) => {
  await expect(judge(response as Response, operation, options)).rejects.toThrow(
    new TypeError(message),
  );
});

it('judges the body of a 429 that another document describes', async () => {
  const lines = 'Error: { code!: int }\nGET /pets -> [text], 404 Error, 429 Error';
  const judgeOther = createResponseJudge(compile(documentOf(lines)));
  const judged = async (path: string, body: object) => {
    const { findings } = await judgeOther(answer(429, body), path);
    return findings.map(({ check, message }) => [check, message]);
  };
  const message =
    'GET /pets answers 429 with a body that breaks its schema: code is missing; Error requires it';
  expect(await judged('GET /pets', { error: 'slow' })).toEqual([['error-shape', message]]);
  expect(await judged('GET /pets', { code: 7 })).toEqual([]);
});

it('judges no error by a default that describes the success, and another one by it', async () => {
  const lines = `
    Pet: { name! }
    GET /pets -> default Pet
    PUT /pets -> Pet, default Pet
    GET /owners -> Pet, default { code!: int }
  `;
  const judgeOther = createResponseJudge(compile(documentOf(lines)));
  const judged = async (operation: string, status: number) =>
    (await judgeOther(answer(status, { oops: 1 }), operation)).findings.map(({ check }) => check);
  expect(await judged('GET /pets', 400)).toEqual([]);
  expect(await judged('PUT /pets', 404)).toEqual([]);
  expect(await judged('GET /owners', 404)).toEqual(['error-shape']);
});

it('refuses to judge a response whose body was read', async () => {
  const response = answer(200, []);
  await response.text();
  await expect(judge(response, 'listPets')).rejects.toThrow(
    'The body of the response was read already.',
  );
});

it.each([400, 500])(
  'judges a %i with a web page that is labelled JSON, whatever stands in it',
  async (status) => {
    const page = `<!doctype html><script>f({${'a:1,'.repeat(6000)}})</script>`;
    const { findings } = await judge(answer(status, page), 'createPet', { now });
    const check = status === 400 ? 'error-shape' : 'reliable-answers';
    expect(findings).toContainEqual(expect.objectContaining({ verdict: 'drift', check }));
  },
);

it('refuses to judge a response whose body is too much to be read', async () => {
  const message =
    'The body of this 200 of listPets cannot be judged, as JSON nested more than 500 levels deep is not read.';
  const body = `${'['.repeat(600)}${']'.repeat(600)}`;
  await expect(judge(answer(200, body), 'listPets', { now })).rejects.toThrow(
    new TypeError(message),
  );
});
