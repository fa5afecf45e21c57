import { expect, it } from 'vitest';
import { createToExampleCall, type ExampleCall } from '../../../mock/documented/example-calls.ts';
import type { Entry } from '../../../mock/journal/entry.ts';
import { schemaOf } from '../../support/document-of.ts';
import { jsonOf, serveDocument, toDocument } from '../../support/serve-document.ts';
import { startTwin } from '../../support/twin.ts';

const ok = jsonOf({ const: true });
const list = (type: string, more: object = {}) => ({ type: 'array', items: { type }, ...more });
const range = schemaOf('{ from!: int, to: int }');

type Parameter = { name: string; in: string; schema?: object; [field: string]: unknown };

/** A document whose paths are numbered, each with one parameter. */
function documentOf(parameters: readonly Parameter[]) {
  const paths = parameters.map((parameter, index) => [
    parameter.in === 'path' ? `/${index}/{${parameter.name}}` : `/${index}`,
    { get: { operationId: `get${index}`, parameters: [parameter], responses: { 200: ok } } },
  ]);
  return toDocument(Object.fromEntries(paths));
}

type Row = {
  of: Parameter;
  /** The text that follows the number of the path, or the header and its value. */
  fits: (string | Record<string, string>)[];
  not: [sent: string | Record<string, string>, sentence: string][];
};

const rows: Record<string, Row> = {
  'a list of which each item is a parameter': {
    of: { name: 'id', in: 'query', schema: list('integer', { maxItems: 3 }) },
    fits: ['', '?id=1', '?id=1&id=2', '?id=', '?%69d=7'],
    not: [
      ['?id=1&id=two', 'Query parameter "id" (item 2) must be an integer, but is "two".'],
      ['?id=1,2', 'Query parameter "id" (item 1) must be an integer, but is "1,2".'],
      ['?id=1&id=2&id=3&id=4', 'Query parameter "id" must have at most 3 items'],
    ],
  },
  'a list with commas': {
    of: {
      name: 'tag',
      in: 'query',
      explode: false,
      schema: { type: 'array', items: { enum: ['a', 'b', 'c,d'] } },
      example: ['a', 'b'],
    },
    fits: ['?tag=a,b', '?tag=c%2Cd,a'],
    not: [
      ['?tag=a,x', 'Query parameter "tag" (item 2) must be one of "a", "b", "c,d", but is "x".'],
      ['?tag=a&tag=b', 'Query parameter "tag" must be given once.'],
    ],
  },
  'a list with spaces': {
    of: { name: 'n', in: 'query', style: 'spaceDelimited', explode: false, schema: list('number') },
    fits: ['?n=1%202.5', '?n=1+2'],
    not: [['?n=1%20b', 'Query parameter "n" (item 2) must be a number, but is "b".']],
  },
  'a list with bars': {
    of: { name: 'n', in: 'query', style: 'pipeDelimited', explode: false, schema: list('boolean') },
    fits: ['?n=true|false', '?n=true%7Cfalse'],
    not: [['?n=true|yes', 'Query parameter "n" (item 2) must be a boolean, but is "yes".']],
  },
  'a number with a step': {
    of: { name: 'n', in: 'query', schema: { type: 'integer', minimum: 1, multipleOf: 2 } },
    fits: ['?n=4'],
    not: [
      ['?n=3', 'Query parameter "n" must be a multiple of 2, but is 3.'],
      ['?n=0', 'Query parameter "n" must be at least 1, but is 0.'],
      ['?n=x', 'Query parameter "n" must be an integer, but is "x".'],
    ],
  },
  'an object whose members are parameters': {
    of: { name: 'range', in: 'query', schema: range },
    fits: ['', '?from=1&to=2', '?from=1&other=x'],
    not: [
      ['?from=a', 'Query parameter "from" must be an integer, but is "a".'],
      ['?to=2', 'Query parameter "from" is required.'],
    ],
  },
  'an object with commas': {
    of: { name: 'range', in: 'query', explode: false, schema: range },
    fits: ['?range=from,1,to,2'],
    not: [
      ['?range=from', 'Query parameter "range" must be names and values in turn.'],
      ['?range=from,x', 'Query parameter "range" (from) must be an integer, but is "x".'],
    ],
  },
  'an object in brackets': {
    of: {
      name: 'filter',
      in: 'query',
      style: 'deepObject',
      schema: schemaOf('{| age: { from!: int, to: int }, tags: [text](maxItems=2), open: bool |}'),
    },
    fits: [
      '?filter[age][from]=3&filter[open]=true',
      '?filter%5Btags%5D=a&filter[tags]=b',
      '?filter[tags][]=a',
      '?filter[tags][0]=a&filter[tags][1]=b',
    ],
    not: [
      [
        '?filter[age][from]=x',
        'Query parameter "filter[age][from]" must be an integer, but is "x".',
      ],
      ['?filter[size]=1', 'Query parameter "filter[size]" is unknown. Known are age, tags, open.'],
      ['?filter=1', 'Query parameter "filter" must be written as filter[member]=value.'],
    ],
  },
  'JSON in the query': {
    of: { name: 'where', in: 'query', content: { 'application/json': { schema: range } } },
    fits: [`?where=${encodeURIComponent('{"from":1}')}`],
    not: [
      ['?where={', 'Query parameter "where" must be JSON.'],
      ['?where={"from":"1"}', 'Query parameter "where" (from) must be an integer, but is "1".'],
    ],
  },
  'a whole query as a form': {
    of: {
      name: 'all',
      in: 'querystring',
      content: { 'application/x-www-form-urlencoded': { schema: range } },
    },
    fits: ['?from=1&to=2', ''],
    not: [['?from=a', 'Query parameter "from" must be an integer, but is "a".']],
  },
  'a whole query as JSON': {
    of: { name: 'all', in: 'querystring', content: { 'application/json': { schema: range } } },
    fits: ['?%7B%22from%22%3A1%7D'],
    not: [['?%7B%7D', 'Query string "all" (from) is required.']],
  },
  'a text in the path': {
    of: { name: 'id', in: 'path', schema: { type: 'string', format: 'uuid' } },
    fits: ['/00000000-0000-4000-8000-000000000002'],
    not: [['/7', 'Path parameter "id" must be a UUID, but is "7".']],
  },
  'a list in the path': {
    of: { name: 'ids', in: 'path', schema: list('string', { maxItems: 2 }) },
    fits: ['/a,b', '/a%2Cb,c'],
    not: [['/a,b,c', 'Path parameter "ids" must have at most 2 items']],
  },
  'a list in the path with its name': {
    of: { name: 'id', in: 'path', style: 'matrix', schema: list('integer') },
    fits: ['/;id=1,2'],
    not: [['/;id=1,x', 'Path parameter "id" (item 2) must be an integer, but is "x".']],
  },
  'a number in the path behind a dot': {
    of: { name: 'id', in: 'path', style: 'label', schema: { type: 'integer' } },
    fits: ['/.7'],
    not: [['/.x', 'Path parameter "id" must be an integer, but is "x".']],
  },
  'a list in the path behind a dot': {
    of: { name: 'id', in: 'path', style: 'label', schema: list('integer', { minItems: 2 }) },
    fits: ['/.1.2', '/.1,2', '/.1%2C2'],
    not: [['/.1.x', 'Path parameter "id" (item 2) must be an integer, but is "x".']],
  },
  'a list in the path behind dots': {
    of: {
      name: 'id',
      in: 'path',
      style: 'label',
      explode: true,
      schema: list('string', { minItems: 2 }),
    },
    fits: ['/.1.2', '/.1,2.3'],
    not: [['/.1,2', 'Path parameter "id" must have at least 2 items']],
  },
  'an object in the path behind dots': {
    of: { name: 'id', in: 'path', style: 'label', explode: true, schema: range },
    fits: ['/.from=1.to=2'],
    not: [['/.from=x', 'Path parameter "id" (from) must be an integer, but is "x".']],
  },
  'an object in the path behind a dot': {
    of: { name: 'id', in: 'path', style: 'label', schema: range },
    fits: ['/.from.1.to.2', '/.from,1,to,2'],
    not: [['/.from.x', 'Path parameter "id" (from) must be an integer, but is "x".']],
  },
  'a list in the path whose items have its name': {
    of: { name: 'id', in: 'path', style: 'matrix', explode: true, schema: list('integer') },
    fits: ['/;id=1;id=2', '/;id=%31', '/%3Bid%3D1%3Bid%3D2'],
    not: [
      ['/;id=1;id=x', 'Path parameter "id" (item 2) must be an integer, but is "x".'],
      ['/1', 'Path parameter "id" must be written as ;name=value.'],
    ],
  },
  'an object in the path whose members have their names': {
    of: { name: 'id', in: 'path', style: 'matrix', explode: true, schema: range },
    fits: ['/;from=1;to=2', '/;fr%6Fm=1'],
    not: [
      ['/;from=1;to=x', 'Path parameter "id" (to) must be an integer, but is "x".'],
      ['/from', 'Path parameter "id" must be written as ;name=value.'],
    ],
  },
  'a form in the query': {
    of: {
      name: 'where',
      in: 'query',
      content: { 'application/x-www-form-urlencoded': { schema: range } },
    },
    fits: ['?where=from%3D1%26to%3D2', ''],
    not: [
      ['?where=%25FF', 'Query parameter "where" must be a form.'],
      ['?where=from%3Dx', 'Query parameter "where" (from) must be an integer, but is "x".'],
    ],
  },
  'a header': {
    of: { name: 'X-Ids', in: 'header', required: true, schema: list('integer') },
    fits: [{ 'x-ids': '1, 2' }],
    not: [
      [{ 'X-Ids': '1,b' }, 'Header parameter "X-Ids" (item 2) must be an integer, but is "b".'],
      ['', 'Header parameter "X-Ids" is required.'],
    ],
  },
  'a header of members': {
    of: { name: 'X-Range', in: 'header', explode: true, schema: range },
    fits: [{ 'X-Range': 'from=1,to=2' }],
    not: [[{ 'X-Range': 'from' }, '"X-Range" must be members such as name=value.']],
  },
  'a header that is described elsewhere': {
    of: { name: 'Accept', in: 'header', required: true, schema: { const: 'nothing' } },
    fits: [''],
    not: [],
  },
  'a cookie': {
    of: { name: 'debug', in: 'cookie', schema: { type: 'integer', enum: [0, 1] } },
    fits: [{ Cookie: 'a=b; debug=1' }, ''],
    not: [
      [{ Cookie: 'debug=2' }, 'Cookie parameter "debug" must be one of 0, 1, but is "2".'],
      [{ Cookie: 'debug=x' }, 'Cookie parameter "debug" must be one of 0, 1, but is "x".'],
    ],
  },
  'a choice of types': {
    of: { name: 'q', in: 'query', schema: { oneOf: [{ type: 'integer' }, list('integer')] } },
    fits: ['?q=1', '?q=1&q=2'],
    not: [['?q=x', '"q']],
  },
  'a number or null': {
    of: { name: 'q', in: 'query', schema: { type: ['integer', 'null'] } },
    fits: ['?q=1', '?q=null', '?q='],
    not: [['?q=x', 'Query parameter "q" must be an integer or null, but is "x".']],
  },
  'an empty value that is allowed': {
    of: { name: 'q', in: 'query', allowEmptyValue: true, schema: { type: 'integer' } },
    fits: ['?q', '?q=', '?q=1'],
    not: [['?q=x', 'Query parameter "q" must be an integer, but is "x".']],
  },
};

const names = Object.keys(rows);
const served = documentOf(Object.values(rows).map(({ of }) => of));

it('reads and checks parameters of every place and style', async () => {
  const { call } = await serveDocument(served);
  const send = (name: string, sent: string | Record<string, string>) => {
    const path = `/${names.indexOf(name)}`;
    return typeof sent === 'string' ? call(path + sent) : call(path, { headers: sent });
  };
  for (const [name, { fits, not }] of Object.entries(rows)) {
    for (const sent of fits) {
      const { status, text } = await send(name, sent);
      expect({ name, sent, status, text }).toEqual({ name, sent, status: 200, text: 'true' });
    }
    for (const [sent, sentence] of not) {
      const { status, json } = await send(name, sent);
      expect({ name, sent, status, ...json }).toMatchObject({
        name,
        status: 400,
        code: 'invalid_parameter',
        message: expect.stringContaining(sentence),
      });
    }
  }
});

it('names all parameters that are wrong, and records the first one with its place', async () => {
  const parameters = [
    { name: 'X-A', in: 'header', schema: { type: 'integer' } },
    { name: 'b', in: 'query', schema: list('integer') },
  ];
  const { call, origin } = await serveDocument(
    toDocument({ '/a': { get: { parameters, responses: { 200: ok } } } }),
  );
  const { json } = await call('/a?b=x', { headers: { 'X-A': 'y' } });
  expect(json.message).toBe(
    'Header parameter "X-A" must be an integer, but is "y". Query parameter "b" (item 1) must be an integer, but is "x".',
  );
  const requests = (await (await fetch(`${origin}/__admin/requests`)).json()) as {
    requests: Entry[];
  };
  expect(requests.requests[0]?.reason).toEqual({
    step: 'query',
    in: 'header',
    parameter: 'X-A',
    problem: 'must be an integer, but is "y"',
    error: 'invalid_parameter',
  });
});

it('refuses with the status that the document describes for it', async () => {
  const at = (name: string, place: string, ...statuses: number[]) => ({
    get: {
      parameters: [{ name, in: place, required: true, schema: { type: 'integer' } }],
      responses: {
        200: ok,
        ...Object.fromEntries(statuses.map((status) => [status, { description: 'Wrong.' }])),
      },
    },
  });
  const { call } = await serveDocument(
    toDocument({
      '/a': at('q', 'header', 422),
      '/b/{id}': at('id', 'path', 404),
      '/c/{id}': at('id', 'path', 404, 400),
    }),
  );
  expect((await call('/a', { headers: { q: 'x' } })).status).toBe(422);
  expect(await call('/b/x')).toMatchObject({
    status: 404,
    json: { code: 'not_found', message: 'Path parameter "id" must be an integer, but is "x".' },
  });
  expect((await call('/c/x')).status).toBe(400);
});

it('leaves the id of a pet to the operation, as nothing has another form', async () => {
  const { api, keys } = await startTwin();
  const headers = { Authorization: `Bearer ${keys[0]?.key}` };
  const response = await fetch(`${api}/pets/x`, { headers });
  expect([response.status, ((await response.json()) as { code: string }).code]).toEqual([
    404,
    'not_found',
  ]);
});

it('shows calls with the parameters that an operation needs, of every place and style', async () => {
  const needed = Object.values(rows).map(({ of }) => ({ ...of, required: true }));
  const twin = await serveDocument(documentOf(needed.filter(({ name }) => name !== 'Accept')));
  const { app, document } = twin;
  const toExampleCall = createToExampleCall(document, { store: app.store });
  for (const operation of document.operations) {
    const { target, headers = {} } = (await toExampleCall(operation)) as ExampleCall;
    const { status, text } = await twin.call(target, { headers });
    expect(JSON.stringify({ target, headers, status, text })).toContain('"status":200');
  }
});

it('shows no part of a list or an object with what separates parts, as it would be two', async () => {
  const of = (name: string, more: object): Parameter => {
    const example = { name: 'Doe, Jane', text: 'a, b, c' };
    return { name, in: 'path', required: true, schema: { type: 'object', example }, ...more };
  };
  const list = { explode: false, schema: { type: 'array', example: ['Doe, Jane', 'x'] } };
  const { app, call, document } = await serveDocument(
    documentOf([of('a', {}), of('b', { explode: true }), of('c', { in: 'query', ...list })]),
  );
  const toExampleCall = createToExampleCall(document, { store: app.store });
  const calls = await Promise.all(document.operations.map(toExampleCall));
  expect(calls.map((one) => decodeURIComponent(one?.target ?? ''))).toEqual([
    '/0/name,Doe,text,a',
    '/1/name=Doe,text=a',
    '/2?c=Doe,x',
  ]);
  for (const one of calls) expect((await call(one?.target ?? '')).status).toBe(200);
});

it('says of a text in the query what its schema asks for', async () => {
  const query = (name: string, schema: object) => ({ name, in: 'query', schema });
  const parameters = [
    query('q', { type: 'string', minLength: 2 }),
    query('mail', { type: 'string', format: 'email' }),
    query('code', { type: 'string', pattern: '^[A-Z]+$', maxLength: 3 }),
    query('size', { type: 'integer', minimum: 1 }),
  ];
  const get = { parameters, responses: { 204: { description: 'Fine.' } } };
  const { call } = await serveDocument(toDocument({ '/a': { get } }));
  for (const [sent, problem] of [
    ['q=a', '"q" must have at least 2 characters, but is "a".'],
    ['mail=a', '"mail" must be an email address, but is "a".'],
    ['code=a', '"code" must match the pattern ^[A-Z]+$, but is "a".'],
    ['size=0', '"size" must be an integer of at least 1, but is "0".'],
  ])
    expect((await call(`/a?${sent}`)).json.message).toBe(`Query parameter ${problem}`);
});
