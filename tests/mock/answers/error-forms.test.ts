import { expect, it } from 'vitest';
import type { Entry } from '../../../mock/journal/entry.ts';
import { documentOf, schemaOf } from '../../support/document-of.ts';
import { sendRaw } from '../../support/raw-socket.ts';
import { jsonOf, serveDocument } from '../../support/serve-document.ts';

/** A document whose errors have a form, with an operation that a body and a parameter may break. */
function withErrors(schema: object | string, { type = 'application/json', status = '4XX' } = {}) {
  return documentOf(
    `addOrder: POST /orders/{id:text}?limit:int { size: int, name! } -> true, ${status} ${type} Error`,
    { Error: schema },
  );
}

const post = (body: string, type = 'application/json', more: object = {}) => ({
  ...{ method: 'POST', body },
  headers: { 'Content-Type': type, ...more },
});

const wrongBody =
  'The body is not valid. "name" is required. "size" must be an integer, but is "x".';
const nowhere = expect.stringMatching(/^There is no operation at \/nowhere\./);

const noName = '"name" is required.';
const noInteger = '"size" must be an integer, but is "x".';
const uri = { type: 'string', format: 'uri-reference' };

const text = { type: 'string' };

/** Describes members of an error that none of its facts fills. */
const shownParts = schemaOf(`{
  msg, hint!, since!: date-time, help!: uri, trace!, label!, count!: int, retryable!: bool,
  tags!: [text], meta!: { region! }, either!: { place! } | text
}`);
shownParts.properties.trace = { ...text, examples: ['t-1'] };
shownParts.properties.label = { ...text, minLength: 1 };

type Row = { schema: object | string; type?: string; body: unknown; path: unknown };

const blank = { type: 'about:blank' };
const parts = [
  { pointer: '/name', detail: noName },
  { pointer: '/size', detail: noInteger },
];
const ofBody = { status: '400', code: 'invalid_body', title: 'Bad Request' };

const rows: Record<string, Row> = {
  'problem+json': {
    schema: {
      ...schemaOf(
        '{ type!, title!, status!: int, detail, instance, errors: [{ pointer, detail }] }',
      ),
      ...{ allOf: [{ properties: { type: uri, instance: uri } }] },
    },
    type: 'application/problem+json',
    body: {
      ...{ ...blank, title: 'Bad Request', status: 400, detail: wrongBody },
      ...{ instance: '/orders/1', errors: parts },
    },
    path: { ...blank, title: 'Not Found', status: 404, detail: nowhere, instance: '/nowhere' },
  },
  'a list of errors with a source': {
    schema: schemaOf(
      `{ errors!: [{ id, status!, code, title!, detail, source: { pointer, parameter } }](minItems=1) }`,
    ),
    type: 'application/vnd.api+json',
    body: {
      errors: parts.map(({ pointer, detail }) => ({ ...ofBody, detail, source: { pointer } })),
    },
    path: {
      errors: [{ status: '404', code: 'unknown_path', title: 'Not Found', detail: nowhere }],
    },
  },
  'an error in an object, with its status in words': {
    schema: '{ error!: { code!: int, message!, status } }',
    body: { error: { code: 400, message: wrongBody, status: 'BAD_REQUEST' } },
    path: { error: { code: 404, message: nowhere, status: 'NOT_FOUND' } },
  },
  'messages by the fields that they are about': {
    schema: {
      ...schemaOf('{ message, errors: object }'),
      properties: {
        message: text,
        errors: { type: 'object', additionalProperties: schemaOf('[text]') },
      },
    },
    body: { message: wrongBody, errors: { name: [noName], size: [noInteger] } },
    path: { message: nowhere },
  },
  'the place of each mistake in a list': {
    schema: '{ detail: [{ loc!: [text | int], msg!, type! }] }',
    body: {
      detail: [
        { loc: ['body', 'name'], msg: noName, type: 'invalid_body' },
        { loc: ['body', 'size'], msg: noInteger, type: 'invalid_body' },
      ],
    },
    path: { detail: [{ loc: [], msg: nowhere, type: 'unknown_path' }] },
  },
  'a timestamp, a phrase and the path': {
    schema: '{ timestamp: date-time, status: int, error, message, path }',
    body: {
      ...{ status: 400, error: 'Bad Request', message: wrongBody, path: '/orders/1' },
      timestamp: expect.stringMatching(/^\d{4}-\d\d-\d\dT/),
    },
    path: {
      ...{ status: 404, error: 'Not Found', message: nowhere, path: '/nowhere' },
      timestamp: expect.any(String),
    },
  },
  'a code of a list, and what has to be there without a name that says what it is': {
    schema:
      '{ success!: bool, code!: "OTHER" | "NOT_FOUND" | "VALIDATION_ERROR", reference!: uuid, hint }',
    body: {
      success: false,
      code: 'VALIDATION_ERROR',
      reference: expect.stringMatching(/^[\da-f-]{36}$/),
    },
    path: { success: false, code: 'NOT_FOUND', reference: expect.any(String) },
  },
  'an optional code of a list that has other words for what is not there': {
    schema: '{ code: "parameter_missing" | "resource_missing", message }',
    body: { message: wrongBody },
    path: { code: 'resource_missing', message: nowhere },
  },
  'lists whose entries have to name a part of the request': {
    schema: schemaOf(`{ message!,
      errors!: [{ pointer!, field!, parameter!: text | null, in: "body" | "query", message! }] }`),
    body: {
      message: wrongBody,
      errors: [
        { pointer: '/name', field: 'name', parameter: null, in: 'body', message: noName },
        { pointer: '/size', field: 'size', parameter: null, in: 'body', message: noInteger },
      ],
    },
    path: { message: nowhere, errors: [] },
  },
  'such lists that hold at least one': {
    schema: schemaOf(
      '{ detail, problems!: [{ pointer!, source!: { line: int, file! }, detail! }](minItems=1) }',
    ),
    body: {
      detail: wrongBody,
      problems: [
        { pointer: '/name', source: { file: '' }, detail: noName },
        { pointer: '/size', source: { file: '' }, detail: noInteger },
      ],
    },
    path: { detail: nowhere, problems: [{ pointer: '', source: { file: '' }, detail: nowhere }] },
  },
  'lists of objects of any members': {
    schema: '{ messages!: [object] }',
    body: {
      messages: [
        { code: 'invalid_body', message: noName, pointer: '/name' },
        { code: 'invalid_body', message: noInteger, pointer: '/size' },
      ],
    },
    path: { messages: [{ code: 'unknown_path', message: nowhere }] },
  },
  'what has to be there and is no part of an error': {
    schema: shownParts,
    body: {
      ...{ msg: wrongBody, hint: '', help: 'about:blank', trace: 't-1', label: wrongBody },
      ...{ count: 0, retryable: false, tags: [], meta: { region: '' }, either: { place: '' } },
      since: expect.stringMatching(/^\d{4}-\d\d-\d\dT/),
    },
    path: expect.objectContaining({ hint: '', label: nowhere }),
  },
  'an error without what it may be about': {
    schema: {
      type: 'object',
      required: ['error'],
      properties: {
        error: {
          type: 'object',
          properties: {
            ...schemaOf(`{
              type: "api_error" | "invalid_request_error", message,
              payment: { status, amount!: int, description }
            }`).properties,
            source: {
              anyOf: [{ ...schemaOf('{ id, status }'), required: ['id', 'status', 'amount'] }],
            },
          },
        },
      },
    },
    body: { error: { type: 'invalid_request_error', message: wrongBody } },
    path: { error: { type: 'invalid_request_error', message: nowhere } },
  },
  'an optional error whose members are required': {
    schema: '{ error: { amount!: int, message! } }',
    body: { error: { amount: expect.any(Number), message: wrongBody } },
    path: { error: { amount: expect.any(Number), message: nowhere } },
  },
  'one of several forms': {
    schema: {
      oneOf: [
        { ...schemaOf('{ errorCode: 7 }'), required: ['errorCode', 'x'] },
        schemaOf('{ msg! }'),
      ],
    },
    body: { msg: wrongBody },
    path: { msg: nowhere },
  },
  'issues with diagnostics, as in FHIR': {
    schema: `{
      schemas!: [text](example=["urn:error"]),
      issue!: [{ severity!: "fatal" | "error", diagnostics }](minItems=1)
    }`,
    body: {
      schemas: ['urn:error'],
      issue: [noName, noInteger].map((diagnostics) => ({ severity: 'error', diagnostics })),
    },
    path: { schemas: ['urn:error'], issue: [{ severity: 'error', diagnostics: nowhere }] },
  },
  'an object of one text': {
    schema: '{ err: text }',
    body: { err: wrongBody },
    path: { err: nowhere },
  },
  'a mere text': { schema: 'text', body: wrongBody, path: nowhere },
  'any object': {
    schema: 'object',
    body: { code: 'invalid_body', message: wrongBody, status: 400 },
    path: { code: 'unknown_path', message: nowhere, status: 404 },
  },
};

it.each(Object.entries(rows))('answers errors as %s', async (_, { schema, type, body, path }) => {
  const { call } = await serveDocument(withErrors(schema, type === undefined ? {} : { type }));
  const refused = await call('/orders/1', post('{"size":"x"}'));
  expect(refused).toMatchObject({ status: 400, type: type ?? 'application/json' });
  expect(refused.json).toEqual(body);
  const saysIt = JSON.stringify(body).includes(JSON.stringify(noName).slice(1, -1));
  expect(refused.headers.has('X-Problem')).toBe(!saysIt);
  const unknown = await call('/nowhere');
  expect(unknown).toMatchObject({ status: 404, type: type ?? 'application/json' });
  expect(unknown.json).toEqual(path);
});

const problem = '{ title!, status!: int, detail }';

it('names a parameter as it is sent, and says which item of a list is wrong', async () => {
  const { call } = await serveDocument(
    documentOf(
      'GET /a?industry:[Industry] -> true, 400 { errors: [{ parameter, field, message }] }',
      { Industry: { enum: ['food', 'metal'] } },
    ),
  );
  const { errors } = (await call('/a?industry=wood')).json;
  const message = '"industry" (item 1) must be one of "food", "metal", but is "wood".';
  expect(errors).toEqual([{ parameter: 'industry', field: 'industry', message }]);
});

it('answers all errors of the server so: of paths, methods, bodies, media types and connections', async () => {
  const document = withErrors(problem, { type: 'application/problem+json' });
  const { call, origin } = await serveDocument(document);
  const large = post(`{"name":"${'x'.repeat(1024 * 1024)}"}`);
  const answers = {
    404: await call('/nowhere'),
    405: await call('/orders/1'),
    413: await call('/orders/1', large),
    415: await call('/orders/1', post('a', 'text/plain')),
    500: await call('/orders/1', post('{"name":"a"}', undefined, { Prefer: 'code=500' })),
  };
  for (const [status, { json, type, ...answer }] of Object.entries(answers)) {
    expect(answer.status).toBe(Number(status));
    expect(type).toBe('application/problem+json');
    expect(json).toMatchObject({ status: Number(status), title: expect.any(String) });
  }
  expect(answers[405].headers.get('Allow')).toBe('POST, OPTIONS');
  const [bare] = (await sendRaw(origin, 'no HTTP\r\n\r\n')).answers;
  expect(bare?.headers).toMatchObject({ 'content-type': 'application/problem+json' });
  expect(JSON.parse(bare?.text ?? '')).toMatchObject({ title: 'Bad Request', status: 400 });
});

it('takes the form of the status, else that of other operations, and 422 where only that is described', async () => {
  const { call } = await serveDocument(withErrors('{ reason!, code }', { status: '422' }));
  const refused = await call('/orders/1?limit=x', post('{"name":"a"}'));
  expect(refused).toMatchObject({ status: 422, json: { code: 'invalid_parameter' } });
  expect(refused.json.reason).toBe('Query parameter "limit" must be an integer, but is "x".');
  expect((await call('/nowhere')).json).toEqual({ reason: nowhere, code: 'unknown_path' });
});

it('takes "default" for errors only where there is another success', async () => {
  const { call } = await serveDocument(documentOf('GET /a -> default { size!: int }'));
  expect((await call('/a')).status).toBe(200);
  expect((await call('/nowhere')).json).toMatchObject({ code: 'unknown_path', status: 404 });
});

it.each(['404', '4XX', 'default'])(
  'shows the example of %s where nothing in it tells of errors',
  async (status) => {
    const responses = { 200: jsonOf({}), [status]: jsonOf({}, { example: { bad: true } }) };
    const operations = { 'GET /a': { responses } };
    const { call } = await serveDocument(documentOf('GET /a -> true', {}, { operations }));
    const asked = await call('/a', { headers: { Prefer: 'code=404' } });
    expect(asked.json).toEqual({ bad: true });
    expect(asked.headers.get('X-Problem')).toBe('There is nothing at /a.');
  },
);

it('leaves examples of the document as they are, and names its own code in the journal', async () => {
  const example = { title: 'Gone fishing', status: 400 };
  const wrong = jsonOf(schemaOf(problem), { examples: { fishing: { value: example } } });
  const responses = { 200: jsonOf({ const: true }), 400: wrong };
  const operations = { 'GET /a': { responses } };
  const { call, origin } = await serveDocument(documentOf('GET /a -> true', {}, { operations }));
  const asked = await call('/a', { headers: { Prefer: 'code=400, example=fishing' } });
  expect(asked.json).toEqual(example);
  await call('/nowhere');
  const answer = await fetch(`${origin}/__admin/requests`);
  const { requests } = (await answer.json()) as { requests: Entry[] };
  expect(requests[0]?.reason).toEqual({ step: 'routing', error: 'unknown_path' });
});

it.each([
  ['members that are of something else', '{| size!: int |}', { size: 0 }],
  ['no members', '{||}', {}],
  ['members that nothing is known of', '{| size: int |}', {}],
  ['a number', 'int', undefined],
  ['a list of codes', '{ errors: ["invalid" | "missing"] }', undefined],
])('says in a header what is wrong where the error has %s', async (_, schema, body) => {
  const { call } = await serveDocument(withErrors(schema));
  const refused = await call('/orders/1', post('{"size":"\u017c\u2603"}'));
  expect(refused.status).toBe(400);
  if (body !== undefined) expect(refused.json).toEqual(body);
  expect(refused.headers.get('X-Problem')).toBe(
    'The body is not valid. "name" is required. "size" must be an integer, but is "%C5%BC%E2%98%83".',
  );
  expect(refused.headers.get('Access-Control-Expose-Headers')).toContain('X-Problem');
  expect((await call('/nowhere')).headers.get('X-Problem')).toMatch(/^There is no operation at/);
});

it('says what is wrong in the body where the form allows that', async () => {
  const { call } = await serveDocument(withErrors('{ size: int }'));
  const refused = await call('/orders/1', post('{"size":"x"}'));
  expect(refused.json).toEqual({ code: 'invalid_body', message: wrongBody, status: 400 });
});
