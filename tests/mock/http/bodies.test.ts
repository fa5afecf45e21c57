import type { IncomingMessage, ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { expect, it } from 'vitest';
import { toCurl } from '../../../mock/curl/to-curl.ts';
import { createToExampleCall, type ExampleCall } from '../../../mock/documented/example-calls.ts';
import { createReadBody } from '../../../mock/http/read-body.ts';
import { schemaOf } from '../../support/document-of.ts';
import { jsonOf, serveDocument, toDocument } from '../../support/serve-document.ts';
import { startTwin } from '../../support/twin.ts';

const schema = schemaOf(`{|
  name!, size: int(maximum=10), tags: ["a" | "b"], address: { zip: int, city }, photo: binary
|}`);

/** A document with one operation whose body may have these media types. */
function documentOf(content: object, required = true) {
  const requestBody = { required, content };
  const responses = { 200: jsonOf({ const: true }) };
  return toDocument({ '/a': { post: { operationId: 'send', requestBody, responses } } });
}

const form = 'application/x-www-form-urlencoded';
const send = (type: string | undefined, body: string | FormData) => ({
  method: 'POST',
  body,
  ...(type !== undefined && { headers: { 'Content-Type': type } }),
});

it('reads forms by the types of their schema', async () => {
  const { call } = await serveDocument(documentOf({ [form]: { schema } }));
  for (const body of [
    'name=a',
    'name=a+b%20c&size=3&tags=a&tags=b',
    'name=a&tags[]=a&tags[]=b',
    'name=a&address[zip]=12&address[city]=x',
    'name=a&address=%7B%22zip%22%3A12%7D',
  ])
    expect([body, (await call('/a', send(form, body))).status]).toEqual([body, 200]);
  for (const [body, message] of [
    ['size=3', '"name" is required.'],
    ['name=a&size=x', '"size" must be an integer, but is "x".'],
    ['name=a&size=11', '"size" must be at most 10, but is 11.'],
    ['name=a&tags=c', '"tags/0" must be one of "a", "b", but is "c".'],
    ['name=a&address[zip]=x', '"address/zip" must be an integer, but is "x".'],
    ['name=a&other=b', '"other" is unknown.'],
  ] as const)
    expect((await call('/a', send(form, body))).json).toMatchObject({
      code: 'invalid_body',
      status: 400,
      message: expect.stringContaining(message),
    });
  for (const body of ['name=%FF', 'name=a&address=b&address[zip]=1', 'a=1&'.repeat(10_001)])
    expect((await call('/a', send(form, body))).json).toMatchObject({ code: 'malformed_body' });
});

it('reads lists and objects inside others, and where a text is allowed too', async () => {
  const texts = { type: 'array', items: { type: 'string' } };
  const orEmpty = (one: object) => ({ anyOf: [one, { type: 'string', enum: [''] }] });
  const line = schemaOf('{ amount!: int, address!: object, rates: [text] | text(enum=[""]) }');
  const properties = {
    rates: orEmpty(texts),
    lines: orEmpty({ type: 'array', items: line }),
    cart: { type: 'object', properties: { lines: { type: 'array', items: line } } },
  };
  const closed = { type: 'object', properties, additionalProperties: false };
  const encoding = Object.fromEntries(
    Object.keys(properties).map((name) => [name, { style: 'deepObject', explode: true }]),
  );
  for (const content of [{ schema: closed }, { schema: closed, encoding }]) {
    const { call, app, document } = await serveDocument(documentOf({ [form]: content }));
    for (const body of [
      'rates=',
      'rates=a',
      'rates[]=a',
      'rates[0]=a&rates[1]=b',
      'lines[0][amount]=1&lines[0][address]={}&lines[0][rates][0]=a',
      'cart[lines][0][amount]=1&cart[lines][0][address][zip]=2',
      'cart[lines]=[{"amount":1,"address":{}}]',
    ])
      expect([body, (await call('/a', send(form, body))).status]).toEqual([body, 200]);
    expect((await call('/a', send(form, 'lines[0][amount]=x'))).json.message).toContain(
      '"lines/0/amount" must be an integer, but is "x"',
    );
    const toExampleCall = createToExampleCall(document, { store: app.store });
    for (const operation of document.operations) {
      const { body = '' } = (await toExampleCall(operation)) as ExampleCall;
      expect([body, (await call('/a', send(form, body))).status]).toEqual([body, 200]);
    }
  }
});

it('shows calls with bodies of XML, forms and files, which the mock accepts', async () => {
  const book = schemaOf('{ title!: text(examples=["Emma"]), tags: [text] }(xml={"name":"book"})');
  const contents = {
    xml: ['application/xml', { schema: book }],
    shown: ['application/xml', { example: '<a>1</a>' }],
    text: ['application/xml', { schema: book, example: '<book><title>Emma</title></book>' }],
    form: ['application/x-www-form-urlencoded', { schema: book }],
    lines: ['application/jsonl', { itemSchema: book }],
    bareForm: ['application/x-www-form-urlencoded', {}],
    parts: ['multipart/form-data', {}],
    image: ['image/png', {}],
    pdf: ['application/pdf', { schema: { type: 'string', format: 'binary' } }],
  } as const;
  const paths = Object.entries(contents).map(([name, [type, content]]) => [
    `/${name}`,
    {
      post: {
        operationId: name,
        requestBody: { required: true, content: { [type]: content } },
        responses: { 204: { description: 'Taken.' } },
      },
    },
  ]);
  const { call, document, app } = await serveDocument(toDocument(Object.fromEntries(paths)));
  const { writeXml } = app.served;
  const toExampleCall = createToExampleCall(document, { store: app.store, writeXml });
  const lines: Record<string, string> = {};
  for (const operation of document.operations) {
    const example = (await toExampleCall(operation)) as ExampleCall;
    const { body = '', mediaType = '' } = example;
    const answer = await call(operation.path, send(mediaType, body));
    expect([operation.id, body, answer.status]).toEqual([operation.id, body, 204]);
    const options = { base: 'http://h', key: '', trust: [] };
    lines[operation.id] = toCurl({ method: 'POST', keyPlaces: [] }, example, options);
  }
  expect(lines).toMatchObject({
    xml: expect.stringMatching(
      /^curl -H 'Content-Type: application\/xml' --data-raw '<book><title>Emma<\/title>.*<\/book>' /,
    ),
    form: expect.stringMatching(/^curl -d 'title=Emma/),
    bareForm: "curl -d 'name=value' http://h/bareForm",
  });
});

it('reads lists and objects of a form as its encoding says', async () => {
  const encoding = { tags: { style: 'form', explode: false } };
  const { call } = await serveDocument(documentOf({ [form]: { schema, encoding } }));
  expect((await call('/a', send(form, 'name=a&tags=a,b'))).status).toBe(200);
  expect((await call('/a', send(form, 'name=a&tags=a,c'))).json.message).toContain('"tags/1"');
});

it('reads multipart forms with files', async () => {
  const encoding = { photo: { contentType: 'image/png, image/jpeg' } };
  const { call } = await serveDocument(documentOf({ 'multipart/form-data': { schema, encoding } }));
  const toForm = (fields: Record<string, string | Blob>) => {
    const data = new FormData();
    for (const [name, value] of Object.entries(fields)) data.append(name, value);
    return send(undefined, data);
  };
  const photo = new Blob([new Uint8Array([0x89, 0xff, 0])], { type: 'image/png' });
  const address = new Blob(['{"zip":12}'], { type: 'application/json' });
  expect((await call('/a', toForm({ name: 'a', size: '3', photo, address }))).status).toBe(200);
  const wrong = toForm({ size: 'x', photo: new Blob(['a'], { type: 'text/plain' }) });
  expect((await call('/a', wrong)).json.message).toBe(
    'The body is not valid. "photo" must be sent as image/png or image/jpeg, but is text/plain. "name" is required. "size" must be an integer, but is "x".',
  );
  const text = send('multipart/form-data', 'name=a');
  expect((await call('/a', text)).json).toMatchObject({ code: 'malformed_body' });
});

const strict = { strictRequests: true };

it('reads texts, and takes bytes of other media types as they are', async () => {
  const { call } = await serveDocument(
    documentOf({
      'text/plain': { schema: { type: 'integer' } },
      'application/octet-stream': {},
      'image/*': { schema: { type: 'string', format: 'binary' } },
    }),
    strict,
  );
  const statusOf = async (type: string, body: string) =>
    (await call('/a', send(type, body))).status;
  expect(await statusOf('text/plain; charset=utf-8', '12')).toBe(200);
  expect(await statusOf('text/plain', 'x')).toBe(400);
  expect(await statusOf('application/octet-stream', '\0\xff')).toBe(200);
  expect(await statusOf('image/png', 'x')).toBe(200);
  expect(await statusOf('audio/mpeg', 'x')).toBe(415);
});

it('chooses the schema by the media type, and names all of them in a 415', async () => {
  const json = { schema: { type: 'object', required: ['id'] } };
  const { call } = await serveDocument(
    documentOf({ 'application/vnd.api+json; ext=x': json, [form]: { schema } }),
    strict,
  );
  expect((await call('/a', send('application/vnd.api+json', '{"id":1}'))).status).toBe(200);
  expect((await call('/a', send('application/vnd.api+json', '{}'))).status).toBe(400);
  expect((await call('/a', send(form, 'name=a'))).status).toBe(200);
  const refused = await call('/a', send('text/csv', 'a'));
  expect(refused).toMatchObject({ status: 415, json: { code: 'unsupported_media_type' } });
  expect(refused.headers.get('Accept')).toBe(`application/vnd.api+json, ${form}`);
  expect((await call('/a', { method: 'POST' })).json).toMatchObject({ code: 'malformed_body' });
});

it.each([
  ['POST', ['application/vnd.api+json'], 'application/json'],
  ['PATCH', ['application/merge-patch+json'], 'application/json'],
  ['PATCH', ['application/json'], 'application/merge-patch+json'],
  ['PATCH', ['text/json', 'application/json'], 'application/json-patch+json'],
])('takes JSON in a %s as %o alone where no other is described', async (method, named, other) => {
  const content = Object.fromEntries(named.map((type) => [type, { schema: { type: 'object' } }]));
  const operation = { requestBody: { content }, responses: { 200: jsonOf({ const: true }) } };
  const { call } = await serveDocument(
    toDocument({ '/a': { [method.toLowerCase()]: operation } }),
    strict,
  );
  const statusOf = async (type: string) =>
    (await call('/a', { ...send(type, '{}'), method })).status;
  for (const type of named) expect([type, await statusOf(type)]).toEqual([type, 200]);
  expect(await statusOf(other)).toBe(415);
});

it.each(['*/*', 'application/*'])('reads what may be sent as %s by its own type', async (range) => {
  const document = documentOf({ [range]: { schema: { $ref: '#/components/schemas/Pet' } } });
  const components = { schemas: { Pet: schema } };
  const { call } = await serveDocument({ ...document, components }, { strictRequests: true });
  for (const [type, good, bad] of [
    ['application/json', '{"name":"a","size":3}', '{"size":3}'],
    ['application/vnd.shop+json', '{"name":"a"}', '{'],
    ['application/xml', '<Pet><name>a</name><size>3</size></Pet>', '<Pet><size>3</size></Pet>'],
    ['application/yaml', 'name: a', 'name: [a]'],
    [form, 'name=a&size=3', 'name=a&size=x'],
  ] as const) {
    const statuses = [good, bad].map(async (body) => (await call('/a', send(type, body))).status);
    expect([type, ...(await Promise.all(statuses))]).toEqual([type, 200, 400]);
  }
  expect((await call('/a', send('image/png', 'x'))).status).toBe(415);
});

it('names the media types for a PATCH in Accept-Patch', async () => {
  const requestBody = { content: { [form]: { schema } } };
  const responses = { 200: jsonOf({ const: true }) };
  const { call } = await serveDocument(
    toDocument({ '/a': { patch: { requestBody, responses } } }),
    strict,
  );
  const { status, headers } = await call('/a', { ...send('text/csv', 'a'), method: 'PATCH' });
  expect([status, headers.get('Accept-Patch'), headers.get('Accept')]).toEqual([415, form, null]);
});

it('reads a file that is no UTF-8 as base64', async () => {
  const bytes = { type: 'object', properties: { f: { const: 'if8A' } } };
  const { call } = await serveDocument(documentOf({ 'multipart/form-data': { schema: bytes } }));
  const data = new FormData();
  data.append('f', new Blob([new Uint8Array([0x89, 0xff, 0])]));
  expect((await call('/a', send(undefined, data))).status).toBe(200);
  const text = new FormData();
  text.append('f', new Blob(['if8']));
  expect((await call('/a', send(undefined, text))).status).toBe(400);
});

it('needs no body where none is required', async () => {
  const { call } = await serveDocument(documentOf({ [form]: { schema } }, false));
  expect((await call('/a', { method: 'POST' })).status).toBe(200);
  expect((await call('/a', send(form, 'size=1'))).status).toBe(400);
});

it('refuses who has no key before the rest of a body comes', async () => {
  const twin = await startTwin();
  const body = new ReadableStream({ start: (stream) => stream.enqueue(Buffer.from('{')) });
  const controller = new AbortController();
  const init = { method: 'POST', body, duplex: 'half', signal: controller.signal };
  const headers = { 'Content-Type': 'application/json' };
  const response = await fetch(`${twin.api}/pets`, { ...init, headers } as RequestInit);
  expect(response.status).toBe(401);
  controller.abort();
});

it('takes no defect of a check for a mistake in a body', async () => {
  const read = createReadBody({ required: true }, () => {
    throw new TypeError('a defect');
  });
  const headers = { 'content-type': 'application/json', 'content-length': '2' };
  const request = Object.assign(Readable.from([Buffer.from('{}')]), { headers });
  const answer = read(request as unknown as IncomingMessage, {} as ServerResponse);
  await expect(answer).rejects.toThrow('a defect');
});
