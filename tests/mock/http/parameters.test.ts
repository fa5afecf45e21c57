import { expect, it } from 'vitest';
import { createToExampleCall, type ExampleCall } from '../../../mock/documented/example-calls.ts';
import type { Entry } from '../../../mock/journal/entry.ts';
import { schemaOf } from '../../support/document-of.ts';
import { jsonOf, serveDocument, toDocument } from '../../support/serve-document.ts';
import { startTwin } from '../../support/twin.ts';

const ok = jsonOf({ const: true });
const range = '{ from!: int, to: int }';

type Parameter = { name: string; in: string; schema?: object; [field: string]: unknown };

/** A document whose paths are numbered, each with one parameter. */
function documentOf(parameters: readonly Parameter[]) {
  const paths = parameters.map((parameter, index) => [
    parameter.in === 'path' ? `/${index}/{${parameter.name}}` : `/${index}`,
    { get: { operationId: `get${index}`, parameters: [parameter], responses: { 200: ok } } },
  ]);
  return toDocument(Object.fromEntries(paths));
}

const at =
  (place: string) =>
  (name: string, schema: string, more: object = {}): Parameter => ({
    ...{ name, in: place, schema: schemaOf(schema), ...more },
  });
const [query, path, header, cookie] = ['query', 'path', 'header', 'cookie'].map(at) as [
  ...[ReturnType<typeof at>, ReturnType<typeof at>],
  ...[ReturnType<typeof at>, ReturnType<typeof at>],
];
const held = (name: string, place: string, type: string): Parameter => ({
  ...{ name, in: place, content: { [type]: { schema: schemaOf(range) } } },
});
const form = 'application/x-www-form-urlencoded';
const json = 'application/json';
const whole = { explode: true };
const joined = { explode: false };

/** Sends the text behind the number of the path, or a header such as `X-A: 1`. */
type Row = [of: Parameter, fits: string[], not: Record<string, string>];

const rows: Record<string, Row> = {
  'a list of which each item is a parameter': [
    query('id', '[int](maxItems=3)'),
    ['', '?id=1', '?id=1&id=2', '?id=', '?%69d=7'],
    {
      '?id=1&id=two': 'Query parameter "id" (item 2) must be an integer, but is "two".',
      '?id=1,2': 'Query parameter "id" (item 1) must be an integer, but is "1,2".',
      '?id=1&id=2&id=3&id=4': 'Query parameter "id" must have at most 3 items',
    },
  ],
  'a list with commas': [
    query('tag', '["a" | "b" | "c,d"]', { ...joined, example: ['a', 'b'] }),
    ['?tag=a,b', '?tag=c%2Cd,a'],
    {
      '?tag=a,x': 'Query parameter "tag" (item 2) must be one of "a", "b", "c,d", but is "x".',
      '?tag=a&tag=b': 'Query parameter "tag" must be given once.',
    },
  ],
  'a list with spaces': [
    query('n', '[number]', { ...joined, style: 'spaceDelimited' }),
    ['?n=1%202.5', '?n=1+2'],
    { '?n=1%20b': 'Query parameter "n" (item 2) must be a number, but is "b".' },
  ],
  'a list with bars': [
    query('n', '[bool]', { ...joined, style: 'pipeDelimited' }),
    ['?n=true|false', '?n=true%7Cfalse'],
    { '?n=true|yes': 'Query parameter "n" (item 2) must be a boolean, but is "yes".' },
  ],
  'a number with a step': [
    query('n', 'int(minimum=1, multipleOf=2)'),
    ['?n=4'],
    {
      '?n=3': 'Query parameter "n" must be a multiple of 2, but is 3.',
      '?n=0': 'Query parameter "n" must be at least 1, but is 0.',
      '?n=x': 'Query parameter "n" must be an integer, but is "x".',
    },
  ],
  'an object whose members are parameters': [
    query('range', range),
    ['', '?from=1&to=2', '?from=1&other=x'],
    {
      '?from=a': 'Query parameter "from" must be an integer, but is "a".',
      '?to=2': 'Query parameter "from" is required.',
    },
  ],
  'an object with commas': [
    query('range', range, joined),
    ['?range=from,1,to,2'],
    {
      '?range=from': 'Query parameter "range" must be names and values in turn.',
      '?range=from,x': 'Query parameter "range" (from) must be an integer, but is "x".',
    },
  ],
  'an object in brackets': [
    query('filter', '{| age: { from!: int, to: int }, tags: [text](maxItems=2), open: bool |}', {
      style: 'deepObject',
    }),
    [
      ...['?filter[age][from]=3&filter[open]=true', '?filter%5Btags%5D=a&filter[tags]=b'],
      ...['?filter[tags][]=a', '?filter[tags][0]=a&filter[tags][1]=b'],
    ],
    {
      '?filter[age][from]=x': '"filter[age][from]" must be an integer, but is "x".',
      '?filter[size]=1': '"filter[size]" is unknown. Known are age, tags, open.',
      '?filter=1': '"filter" must be written as filter[member]=value.',
    },
  ],
  'JSON in the query': [
    held('where', 'query', json),
    [`?where=${encodeURIComponent('{"from":1}')}`],
    {
      '?where={': 'Query parameter "where" must be JSON.',
      '?where={"from":"1"}': 'Query parameter "where" (from) must be an integer, but is "1".',
    },
  ],
  'a whole query as a form': [
    held('all', 'querystring', form),
    ['?from=1&to=2', ''],
    { '?from=a': 'Query parameter "from" must be an integer, but is "a".' },
  ],
  'a whole query as JSON': [
    held('all', 'querystring', json),
    ['?%7B%22from%22%3A1%7D'],
    { '?%7B%7D': 'Query string "all" (from) is required.' },
  ],
  'a text in the path': [
    path('id', 'uuid'),
    ['/00000000-0000-4000-8000-000000000002'],
    { '/7': 'Path parameter "id" must be a UUID, but is "7".' },
  ],
  'a list in the path': [
    path('ids', '[text](maxItems=2)'),
    ['/a,b', '/a%2Cb,c'],
    { '/a,b,c': 'Path parameter "ids" must have at most 2 items' },
  ],
  'a list in the path with its name': [
    path('id', '[int]', { style: 'matrix' }),
    ['/;id=1,2'],
    { '/;id=1,x': 'Path parameter "id" (item 2) must be an integer, but is "x".' },
  ],
  'a number in the path behind a dot': [
    path('id', 'int', { style: 'label' }),
    ['/.7'],
    { '/.x': 'Path parameter "id" must be an integer, but is "x".' },
  ],
  'a list in the path behind a dot': [
    path('id', '[int](minItems=2)', { style: 'label' }),
    ['/.1.2', '/.1,2', '/.1%2C2'],
    { '/.1.x': 'Path parameter "id" (item 2) must be an integer, but is "x".' },
  ],
  'a list in the path behind dots': [
    path('id', '[text](minItems=2)', { ...whole, style: 'label' }),
    ['/.1.2', '/.1,2.3'],
    { '/.1,2': 'Path parameter "id" must have at least 2 items' },
  ],
  'an object in the path behind dots': [
    path('id', range, { ...whole, style: 'label' }),
    ['/.from=1.to=2'],
    { '/.from=x': 'Path parameter "id" (from) must be an integer, but is "x".' },
  ],
  'an object in the path behind a dot': [
    path('id', range, { style: 'label' }),
    ['/.from.1.to.2', '/.from,1,to,2'],
    { '/.from.x': 'Path parameter "id" (from) must be an integer, but is "x".' },
  ],
  'a list in the path whose items have its name': [
    path('id', '[int]', { ...whole, style: 'matrix' }),
    ['/;id=1;id=2', '/;id=%31', '/%3Bid%3D1%3Bid%3D2'],
    {
      '/;id=1;id=x': 'Path parameter "id" (item 2) must be an integer, but is "x".',
      '/1': 'Path parameter "id" must be written as ;name=value.',
    },
  ],
  'an object in the path whose members have their names': [
    path('id', range, { ...whole, style: 'matrix' }),
    ['/;from=1;to=2', '/;fr%6Fm=1'],
    {
      '/;from=1;to=x': 'Path parameter "id" (to) must be an integer, but is "x".',
      '/from': 'Path parameter "id" must be written as ;name=value.',
    },
  ],
  'a form in the query': [
    held('where', 'query', form),
    ['?where=from%3D1%26to%3D2', ''],
    {
      '?where=%25FF': 'Query parameter "where" must be a form.',
      '?where=from%3Dx': 'Query parameter "where" (from) must be an integer, but is "x".',
    },
  ],
  'a header': [
    header('X-Ids', '[int]', { required: true }),
    ['x-ids: 1, 2'],
    {
      'X-Ids: 1,b': 'Header parameter "X-Ids" (item 2) must be an integer, but is "b".',
      '': 'Header parameter "X-Ids" is required.',
    },
  ],
  'a header of members': [
    header('X-Range', range, whole),
    ['X-Range: from=1,to=2'],
    { 'X-Range: from': '"X-Range" must be members such as name=value.' },
  ],
  'a header that is described elsewhere': [
    header('Accept', '"nothing"', { required: true }),
    [''],
    {},
  ],
  'a cookie': [
    cookie('debug', 'int(enum=[0, 1])'),
    ['Cookie: a=b; debug=1', ''],
    {
      'Cookie: debug=2': 'Cookie parameter "debug" must be one of 0, 1, but is "2".',
      'Cookie: debug=x': 'Cookie parameter "debug" must be one of 0, 1, but is "x".',
    },
  ],
  'a choice of types': [
    { name: 'q', in: 'query', schema: { oneOf: ['int', '[int]'].map(schemaOf) } },
    ['?q=1', '?q=1&q=2'],
    { '?q=x': '"q' },
  ],
  'a number or null': [
    query('q', 'int | null'),
    ['?q=1', '?q=null', '?q='],
    { '?q=x': 'Query parameter "q" must be an integer or null, but is "x".' },
  ],
  'an empty value that is allowed': [
    query('q', 'int', { allowEmptyValue: true }),
    ['?q', '?q=', '?q=1'],
    { '?q=x': 'Query parameter "q" must be an integer, but is "x".' },
  ],
};

const parameters = Object.values(rows).map(([of]) => of);
const served = documentOf(parameters);

it('reads and checks parameters of every place and style', async () => {
  const { call } = await serveDocument(served);
  for (const [index, [name, [, fits, not]]] of Object.entries(rows).entries()) {
    const send = (sent: string) => {
      const [, field = '', value = ''] = /^([\w-]+): (.*)$/.exec(sent) ?? [];
      return call(`/${index}${field ? '' : sent}`, field ? { headers: { [field]: value } } : {});
    };
    for (const sent of fits) {
      const { status, text } = await send(sent);
      expect({ name, sent, status, text }).toEqual({ name, sent, status: 200, text: 'true' });
    }
    for (const [sent, sentence] of Object.entries(not)) {
      const { status, json } = await send(sent);
      const message = expect.stringContaining(sentence);
      const refused = { name, status: 400, code: 'invalid_parameter', message };
      expect({ name, sent, status, ...json }).toMatchObject(refused);
    }
  }
});

it('names all parameters that are wrong, and records the first one with its place', async () => {
  const parameters = [header('X-A', 'int'), query('b', '[int]')];
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
  const needed = parameters.map((of) => ({ ...of, required: true }));
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
  const parameters = [
    ...[query('q', 'text(minLength=2)'), query('mail', 'email'), query('size', 'int(minimum=1)')],
    query('code', 'text(pattern="^[A-Z]+$", maxLength=3)'),
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
