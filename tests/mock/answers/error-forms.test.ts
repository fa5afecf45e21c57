import { expect, it } from 'vitest';
import type { Entry } from '../../../mock/journal/entry.ts';
import { sendRaw } from '../../support/raw-socket.ts';
import { jsonOf, pathParameter, serveDocument, toDocument } from '../../support/serve-document.ts';

const text = { type: 'string' };
const integer = { type: 'integer' };
const object = (properties: object, required: string[] = []) => ({
  type: 'object',
  properties,
  required,
});
const ok = jsonOf({ const: true });

/** A document whose errors have a form, with an operation that a body and a parameter may break. */
function documentOf(schema: object, { type = 'application/json', statuses = ['4XX'] } = {}) {
  const error = { description: 'Wrong.', content: { [type]: { schema } } };
  const responses = Object.fromEntries([['200', ok], ...statuses.map((one) => [one, error])]);
  return toDocument({
    '/orders/{id}': {
      post: {
        operationId: 'addOrder',
        parameters: [pathParameter('id', text), { name: 'limit', in: 'query', schema: integer }],
        requestBody: { required: true, ...jsonOf(object({ size: integer, name: text }, ['name'])) },
        responses,
      },
    },
  });
}

const post = (body: string, type = 'application/json') => ({
  method: 'POST',
  body,
  headers: { 'Content-Type': type },
});

const wrongBody =
  'The body is not valid. "name" is required. "size" must be an integer, but is "x".';
const nowhere = expect.stringMatching(/^There is no operation at \/nowhere\./);

const noName = '"name" is required.';
const noInteger = '"size" must be an integer, but is "x".';
const listOf = (items: object) => ({ type: 'array', items });
const formatted = (format: string) => ({ type: 'string', format });

type Row = { schema: object; type?: string; body: unknown; path: unknown };

const rows: Record<string, Row> = {
  'problem+json': {
    schema: object(
      {
        type: formatted('uri-reference'),
        title: text,
        status: integer,
        detail: text,
        instance: formatted('uri-reference'),
        errors: { type: 'array', items: object({ pointer: text, detail: text }) },
      },
      ['type', 'title', 'status'],
    ),
    type: 'application/problem+json',
    body: {
      type: 'about:blank',
      title: 'Bad Request',
      status: 400,
      detail: wrongBody,
      instance: '/orders/1',
      errors: [
        { pointer: '/name', detail: noName },
        { pointer: '/size', detail: noInteger },
      ],
    },
    path: {
      type: 'about:blank',
      title: 'Not Found',
      status: 404,
      detail: nowhere,
      instance: '/nowhere',
    },
  },
  'a list of errors with a source': {
    schema: object(
      {
        errors: {
          type: 'array',
          minItems: 1,
          items: object(
            {
              id: text,
              status: text,
              code: text,
              title: text,
              detail: text,
              source: object({ pointer: text, parameter: text }),
            },
            ['status', 'title'],
          ),
        },
      },
      ['errors'],
    ),
    type: 'application/vnd.api+json',
    body: {
      errors: [
        {
          status: '400',
          code: 'invalid_body',
          title: 'Bad Request',
          detail: noName,
          source: { pointer: '/name' },
        },
        {
          status: '400',
          code: 'invalid_body',
          title: 'Bad Request',
          detail: noInteger,
          source: { pointer: '/size' },
        },
      ],
    },
    path: {
      errors: [{ status: '404', code: 'unknown_path', title: 'Not Found', detail: nowhere }],
    },
  },
  'an error in an object, with its status in words': {
    schema: object(
      { error: object({ code: integer, message: text, status: text }, ['code', 'message']) },
      ['error'],
    ),
    body: { error: { code: 400, message: wrongBody, status: 'BAD_REQUEST' } },
    path: { error: { code: 404, message: nowhere, status: 'NOT_FOUND' } },
  },
  'messages by the fields that they are about': {
    schema: object({
      message: text,
      errors: { type: 'object', additionalProperties: listOf(text) },
    }),
    body: { message: wrongBody, errors: { name: [noName], size: [noInteger] } },
    path: { message: nowhere },
  },
  'the place of each mistake in a list': {
    schema: object({
      detail: {
        type: 'array',
        items: object({ loc: listOf({ anyOf: [text, integer] }), msg: text, type: text }, [
          'loc',
          'msg',
          'type',
        ]),
      },
    }),
    body: {
      detail: [
        { loc: ['body', 'name'], msg: noName, type: 'invalid_body' },
        { loc: ['body', 'size'], msg: noInteger, type: 'invalid_body' },
      ],
    },
    path: { detail: [{ loc: [], msg: nowhere, type: 'unknown_path' }] },
  },
  'a timestamp, a phrase and the path': {
    schema: object({
      timestamp: formatted('date-time'),
      status: integer,
      error: text,
      message: text,
      path: text,
    }),
    body: {
      timestamp: expect.stringMatching(/^\d{4}-\d\d-\d\dT/),
      status: 400,
      error: 'Bad Request',
      message: wrongBody,
      path: '/orders/1',
    },
    path: {
      timestamp: expect.any(String),
      status: 404,
      error: 'Not Found',
      message: nowhere,
      path: '/nowhere',
    },
  },
  'a code of a list, and what has to be there without a name that says what it is': {
    schema: object(
      {
        success: { type: 'boolean' },
        code: { enum: ['OTHER', 'NOT_FOUND', 'VALIDATION_ERROR'] },
        reference: formatted('uuid'),
        hint: text,
      },
      ['success', 'code', 'reference'],
    ),
    body: {
      success: false,
      code: 'VALIDATION_ERROR',
      reference: expect.stringMatching(/^[\da-f-]{36}$/),
    },
    path: { success: false, code: 'NOT_FOUND', reference: expect.any(String) },
  },
  'an optional code of a list that has other words for what is not there': {
    schema: object({ code: { enum: ['parameter_missing', 'resource_missing'] }, message: text }),
    body: { message: wrongBody },
    path: { code: 'resource_missing', message: nowhere },
  },
  'lists whose entries have to name a part of the request': {
    schema: object(
      {
        message: text,
        errors: {
          type: 'array',
          items: object(
            {
              pointer: text,
              field: { ...text, examples: ['email'] },
              parameter: { type: ['string', 'null'] },
              in: { enum: ['body', 'query'] },
              message: text,
            },
            ['pointer', 'field', 'parameter', 'message'],
          ),
        },
      },
      ['message', 'errors'],
    ),
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
    schema: object(
      {
        detail: text,
        problems: {
          type: 'array',
          minItems: 1,
          items: object(
            {
              pointer: text,
              source: object({ line: integer, file: text }, ['file']),
              detail: text,
            },
            ['pointer', 'source', 'detail'],
          ),
        },
      },
      ['problems'],
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
    schema: object({ messages: listOf({ type: 'object' }) }, ['messages']),
    body: {
      messages: [
        { code: 'invalid_body', message: noName, pointer: '/name' },
        { code: 'invalid_body', message: noInteger, pointer: '/size' },
      ],
    },
    path: { messages: [{ code: 'unknown_path', message: nowhere }] },
  },
  'what has to be there and is no part of an error': {
    schema: object(
      {
        msg: text,
        hint: text,
        since: formatted('date-time'),
        help: formatted('uri'),
        trace: { ...text, examples: ['t-1'] },
        label: { type: 'string', minLength: 1 },
        count: integer,
        retryable: { type: 'boolean' },
        tags: listOf(text),
        meta: object({ region: text }, ['region']),
        either: { anyOf: [object({ place: text }, ['place']), text] },
      },
      ['hint', 'since', 'help', 'trace', 'label', 'count', 'retryable', 'tags', 'meta', 'either'],
    ),
    body: {
      msg: wrongBody,
      hint: '',
      since: expect.stringMatching(/^\d{4}-\d\d-\d\dT/),
      help: 'about:blank',
      trace: 't-1',
      label: wrongBody,
      count: 0,
      retryable: false,
      tags: [],
      meta: { region: '' },
      either: { place: '' },
    },
    path: expect.objectContaining({ hint: '', label: nowhere }),
  },
  'an error without what it may be about': {
    schema: object(
      {
        error: object({
          type: { enum: ['api_error', 'invalid_request_error'] },
          message: text,
          payment: object({ status: text, amount: integer, description: text }, ['amount']),
          source: { anyOf: [object({ id: text, status: text }, ['id', 'status', 'amount'])] },
        }),
      },
      ['error'],
    ),
    body: { error: { type: 'invalid_request_error', message: wrongBody } },
    path: { error: { type: 'invalid_request_error', message: nowhere } },
  },
  'an optional error whose members are required': {
    schema: object({ error: object({ amount: integer, message: text }, ['amount', 'message']) }),
    body: { error: { amount: expect.any(Number), message: wrongBody } },
    path: { error: { amount: expect.any(Number), message: nowhere } },
  },
  'one of several forms': {
    schema: {
      oneOf: [
        object({ errorCode: { const: 7 } }, ['errorCode', 'x']),
        object({ msg: text }, ['msg']),
      ],
    },
    body: { msg: wrongBody },
    path: { msg: nowhere },
  },
  'a mere text': { schema: text, body: wrongBody, path: nowhere },
  'any object': {
    schema: { type: 'object' },
    body: { code: 'invalid_body', message: wrongBody, status: 400 },
    path: { code: 'unknown_path', message: nowhere, status: 404 },
  },
};

it.each(Object.entries(rows))('answers errors as %s', async (_, { schema, type, body, path }) => {
  const { call } = await serveDocument(documentOf(schema, type === undefined ? {} : { type }));
  const refused = await call('/orders/1', post('{"size":"x"}'));
  expect(refused).toMatchObject({ status: 400, type: type ?? 'application/json' });
  expect(refused.json).toEqual(body);
  const unknown = await call('/nowhere');
  expect(unknown).toMatchObject({ status: 404, type: type ?? 'application/json' });
  expect(unknown.json).toEqual(path);
});

const problem = object({ title: text, status: integer, detail: text }, ['title', 'status']);

it('names a parameter as it is sent, and says which item of a list is wrong', async () => {
  const schema = object({
    errors: { type: 'array', items: object({ parameter: text, field: text, message: text }) },
  });
  const list = { type: 'array', items: { enum: ['food', 'metal'] } };
  const parameters = [{ name: 'industry', in: 'query', schema: list }];
  const { call } = await serveDocument(
    toDocument({ '/a': { get: { parameters, responses: { 200: ok, 400: jsonOf(schema) } } } }),
  );
  expect((await call('/a?industry=wood')).json.errors).toEqual([
    {
      parameter: 'industry',
      field: 'industry',
      message: '"industry" (item 1) must be one of "food", "metal", but is "wood".',
    },
  ]);
});

it('answers all errors of the server so: of paths, methods, bodies, media types and connections', async () => {
  const document = documentOf(problem, { type: 'application/problem+json' });
  const { call, origin } = await serveDocument(document);
  const large = post(`{"name":"${'x'.repeat(1024 * 1024)}"}`);
  const answers = {
    404: await call('/nowhere'),
    405: await call('/orders/1'),
    413: await call('/orders/1', large),
    415: await call('/orders/1', post('a', 'text/plain')),
    500: await call('/orders/1', {
      ...post('{"name":"a"}'),
      headers: { 'Content-Type': 'application/json', Prefer: 'code=500' },
    }),
  };
  for (const [status, { json, type, ...answer }] of Object.entries(answers)) {
    expect(answer.status).toBe(Number(status));
    expect(type).toBe('application/problem+json');
    expect(json).toMatchObject({ status: Number(status), title: expect.any(String) });
  }
  expect(answers[405].headers.get('Allow')).toBe('POST, OPTIONS');
  const [bare] = (await sendRaw(origin, 'no HTTP\r\n\r\n')).answers;
  expect(bare).toMatchObject({
    status: 400,
    headers: { 'content-type': 'application/problem+json' },
  });
  expect(JSON.parse(bare?.text ?? '')).toMatchObject({ title: 'Bad Request', status: 400 });
});

it('takes the form of the status, else that of other operations, and 422 where only that is described', async () => {
  const schema = object({ reason: text, code: text }, ['reason']);
  const { call } = await serveDocument(documentOf(schema, { statuses: ['422'] }));
  const refused = await call('/orders/1?limit=x', post('{"name":"a"}'));
  expect(refused).toMatchObject({ status: 422, json: { code: 'invalid_parameter' } });
  expect(refused.json.reason).toBe('Query parameter "limit" must be an integer, but is "x".');
  expect((await call('/nowhere')).json).toEqual({ reason: nowhere, code: 'unknown_path' });
});

it('takes "default" for errors only where there is another success', async () => {
  const paths = {
    '/a': { get: { responses: { default: jsonOf(object({ size: integer }, ['size'])) } } },
  };
  const { call } = await serveDocument(toDocument(paths));
  expect((await call('/a')).status).toBe(200);
  expect((await call('/nowhere')).json).toMatchObject({ code: 'unknown_path', status: 404 });
});

it('leaves examples of the document as they are, and names its own code in the journal', async () => {
  const example = { title: 'Gone fishing', status: 400 };
  const wrong = jsonOf(problem, { examples: { fishing: { value: example } } });
  const { call, origin } = await serveDocument(
    toDocument({ '/a': { get: { responses: { 200: ok, 400: wrong } } } }),
  );
  const asked = await call('/a', { headers: { Prefer: 'code=400, example=fishing' } });
  expect(asked.json).toEqual(example);
  await call('/nowhere');
  const answer = await fetch(`${origin}/__admin/requests`);
  const { requests } = (await answer.json()) as { requests: Entry[] };
  expect(requests[0]?.reason).toEqual({ step: 'routing', error: 'unknown_path' });
});

const closed = { additionalProperties: false };

it.each([
  [
    'members that are of something else',
    { ...object({ size: integer }, ['size']), ...closed },
    { size: 0 },
  ],
  ['no members', { ...object({}), ...closed }, {}],
  ['members that nothing is known of', { ...object({ size: integer }), ...closed }, {}],
  ['a number', integer, undefined],
  ['a list of codes', object({ errors: listOf({ enum: ['invalid', 'missing'] }) }), undefined],
])('says in a header what is wrong where the error has %s', async (_, schema, body) => {
  const { call } = await serveDocument(documentOf(schema));
  const refused = await call('/orders/1', post('{"size":"\u017c\u2603"}'));
  expect(refused.status).toBe(400);
  if (body !== undefined) expect(refused.json).toEqual(body);
  expect(refused.headers.get('X-Problem')).toBe(
    'The body is not valid. "name" is required. "size" must be an integer, but is "%C5%BC%E2%98%83".',
  );
  expect(refused.headers.get('Access-Control-Expose-Headers')).toContain('X-Problem');
  expect((await call('/nowhere')).headers.get('X-Problem')).toMatch(/^There is no operation at/);
});

it.each(Object.entries(rows))(
  'sends no such header beside %s',
  async (_, { schema, type, body }) => {
    const { call } = await serveDocument(documentOf(schema, type === undefined ? {} : { type }));
    const { headers } = await call('/orders/1', post('{"size":"x"}'));
    const saysIt = JSON.stringify(body).includes(JSON.stringify(noName).slice(1, -1));
    expect(headers.has('X-Problem')).toBe(!saysIt);
  },
);

it('says what is wrong in the body where the form allows that', async () => {
  const { call } = await serveDocument(documentOf(object({ size: integer })));
  const refused = await call('/orders/1', post('{"size":"x"}'));
  expect(refused.json).toEqual({ code: 'invalid_body', message: wrongBody, status: 400 });
});
