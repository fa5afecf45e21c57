import { createRequire } from 'node:module';
import { expect, it } from 'vitest';
import { documentOf, schemaOf } from '../../support/document-of.ts';
import { bearer, startTwin } from '../../support/twin.ts';
import { writeJson } from '../../support/write-json.ts';

const require = createRequire(import.meta.url);
const declaration = '<?xml version="1.0" encoding="UTF-8"?>';
const xml = { Accept: 'application/xml' };

async function post(url: string, body: string, headers: Record<string, string> = {}) {
  const all = { 'Content-Type': 'application/xml', ...headers };
  const response = await fetch(url, { method: 'POST', headers: all, body });
  return { status: response.status, text: await response.text() };
}

async function read(url: string, headers: Record<string, string> = {}) {
  const response = await fetch(url, { headers: { ...xml, ...headers } });
  return {
    status: response.status,
    type: response.headers.get('Content-Type'),
    text: (await response.text()).replace(declaration, ''),
  };
}

it('creates a pet of the Swagger Petstore by XML, and reads and lists it as XML', async () => {
  const spec = require.resolve('@readme/oas-examples/3.0/json/petstore.json');
  const { api } = await startTwin({ spec, pets: 0 });
  const pet =
    '<Category><id>2</id><name>Dogs &amp; cats</name></Category><name>Rex</name>' +
    '<photoUrl><photoUrl>a.png</photoUrl><photoUrl>b.png</photoUrl></photoUrl>' +
    '<tag><Tag><id>1</id><name>big</name></Tag></tag><status>sold</status>';
  expect(await post(`${api}/pet`, `<Pet>${pet}</Pet>`, bearer('demo-free'))).toMatchObject({
    status: 201,
  });
  const key = { api_key: 'demo-free' };
  const whole = `<Pet><id>1</id>${pet}</Pet>`;
  const answer = { status: 200, type: 'application/xml' };
  expect(await read(`${api}/pet/1`, key)).toEqual({ ...answer, text: whole });
  expect(await read(`${api}/pet/findByStatus?status=sold`, bearer('demo-free'))).toEqual({
    ...answer,
    text: `<Pets>${whole}</Pets>`,
  });
  expect(await read(`${api}/pet/2`, key)).toMatchObject({ status: 404, type: 'application/json' });
  const refused = await post(`${api}/pet`, '<Pet><name>Rex</name></Pet>', {
    ...bearer('demo-free'),
    ...xml,
  });
  expect(refused.status).toBe(400);
  expect(refused.text).toContain('photoUrls');
  expect((await fetch(`${api}/pet/1`, { headers: key })).headers.get('Content-Type')).toBe(
    'application/json',
  );
});

const book = schemaOf(`{|
  readonly id!: int(xml={"attribute":true}),
  lang: text(type=["string","null"], xml={"name":"language","nodeType":"attribute"}),
  title!, pages: int | null, authors!: [text(xml={"name":"author"})],
  prices: [{
    currency: text(xml={"attribute":true}), amount: number(xml={"nodeType":"text"})
  }(xml={"name":"price"})](xml={"wrapped":true})
|}(xml={"name":"book"})`);
const both = (schema: object) => ({
  content: { 'application/json': { schema }, 'application/xml': { schema } },
});
const library = documentOf(
  `
  GET /books -> [Book]
  POST /books application/xml Book! -> 201 Book
  GET /books/{id} -> Book, 404 Problem
  GET /report -> application/report+xml { total!: Five }
  `,
  {
    Book: book,
    Problem: { ...schemaOf('{ title!, status!: int, detail }'), xml: { name: 'problem' } },
    Five: { type: 'integer', example: 5 },
  },
  { openapi: '3.2.0' },
);
for (const item of Object.values(library.paths))
  for (const { responses } of Object.values(item))
    for (const response of Object.values<{ content: Record<string, { schema: object }> }>(
      responses ?? {},
    )) {
      const { schema } = response.content['application/json'] ?? {};
      if (schema) Object.assign(response, both(schema));
    }

it('reads and writes attributes, texts and lists as the schema says', async () => {
  const { api } = await startTwin({ spec: await writeJson(library), pets: 0 });
  const inner =
    '<title> A &lt;b&gt; </title><pages xsi:nil="true"/><author>Ann</author><author>Bo</author>' +
    '<prices><price currency="EUR">12.5</price></prices>';
  const sent = inner
    .replace('A &lt;b&gt;', '<![CDATA[A <b>]]>')
    .replace('Ann', '&#65;n&#x6e;')
    .replace('12.5', ' 12.5\n');
  const root = '<x:book language="de" xmlns:x="urn:books"';
  const instance = 'xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance"';
  const created = await post(`${api}/books`, `${declaration}${root} ${instance}>${sent}</x:book>`);
  const value = {
    id: 1,
    lang: 'de',
    title: ' A <b> ',
    pages: null,
    authors: ['Ann', 'Bo'],
    prices: [{ currency: 'EUR', amount: 12.5 }],
  };
  expect({ ...created, text: JSON.parse(created.text) }).toEqual({ status: 201, text: value });
  const written = inner.replace('xsi', `${instance} xsi`);
  const whole = `<book id="1" language="de">${written}</book>`;
  const answer = { status: 200, type: 'application/xml' };
  expect(await read(`${api}/books/1`)).toEqual({ ...answer, text: whole });
  expect(await read(`${api}/books`)).toEqual({ ...answer, text: `<books>${whole}</books>` });
  expect(await read(`${api}/report`, { Accept: '*/*' })).toEqual({
    status: 200,
    type: 'application/report+xml',
    text: '<item><total>5</total></item>',
  });
});

it.each([
  ['not valid XML: it is not well formed (line 2, column 9).', '<book>\n<title>A</book>'],
  ['it has text behind its root element', '<book/> more'],
  ['The root element must be <book>, but is <dog>.', '<dog/>'],
  ['several root elements', '<book/><book/>'],
  ['document type', '<!DOCTYPE book [<!ENTITY a "b">]><book><title>&a;</title></book>'],
  ['nested', `<book>${'<a>'.repeat(200)}${'</a>'.repeat(200)}</book>`],
  ['at most 10,000 elements', `<book>${'<a/>'.repeat(10_001)}</book>`],
  ['a name or a reference that cannot be used', '<book><__proto__/><title>A</title></book>'],
  ['pages', '<book><title>A</title><pages>many</pages></book>'],
  ['cover', '<book><title>A</title><cover/></book>'],
])('refuses XML and says why: %s', async (problem, body) => {
  const { api } = await startTwin({ spec: await writeJson(library), pets: 0 });
  const refused = await post(`${api}/books`, body);
  expect(refused.status).toBe(400);
  expect(JSON.parse(refused.text).detail).toContain(problem);
});

it('keeps state where bodies and answers are XML alone', async () => {
  const spec = await writeJson(
    documentOf(
      `
      GET /notes -> text/xml [Note]
      POST /notes text/xml Note -> 201 text/xml Note
      GET /notes/{id} -> text/xml Note
      PUT /notes/{id} text/xml Note -> text/xml Note
      DELETE /notes/{id} -> 204
      `,
      { Note: { ...schemaOf('{ readonly id: int, text! }'), xml: { name: 'note' } } },
    ),
  );
  const { api } = await startTwin({ spec, pets: 0 });
  const any = { Accept: '*/*' };
  const put = (text: string, method = 'PUT') => ({
    method,
    headers: { 'Content-Type': 'text/xml' },
    body: `<note><text>${text}</text></note>`,
  });
  const created = await fetch(`${api}/notes`, put('a', 'POST'));
  expect(created.status).toBe(201);
  expect(await created.text()).toBe(`${declaration}<note><id>1</id><text>a</text></note>`);
  expect((await fetch(`${api}/notes/1`, put('b'))).status).toBe(200);
  const note1 = '<note><id>1</id><text>b</text></note>';
  const answer = { status: 200, type: 'text/xml' };
  expect(await read(`${api}/notes/1`, any)).toEqual({ ...answer, text: note1 });
  expect(await read(`${api}/notes`, any)).toEqual({ ...answer, text: `<notes>${note1}</notes>` });
  expect((await fetch(`${api}/notes/1`, { method: 'DELETE' })).status).toBe(204);
  expect((await read(`${api}/notes/1`, any)).status).toBe(404);
  expect((await fetch(`${api}/notes`, put('c', 'POST'))).headers.get('Content-Type')).toBe(
    'text/xml',
  );
});

it('writes prefixes, and each namespace once on the outermost element that uses it', async () => {
  const of = (name: string, prefix?: string) => ({ name, prefix, namespace: `urn:${prefix}` });
  const text = { type: 'string' };
  const Key = {
    type: 'object',
    xml: of('Key', 'p'),
    properties: {
      id: { type: 'integer', readOnly: true, xml: { ...of('id', 'q'), attribute: true } },
      label: { ...text, xml: of('Label', 'q') },
      parts: {
        type: 'array',
        xml: { ...of('Parts', 'p'), wrapped: true },
        items: { type: ['string', 'null'], xml: { name: 'Part', prefix: 'p' } },
      },
      plain: { type: 'object', xml: { namespace: 'urn:n' }, properties: { inner: text } },
      bare: { ...text, xml: { prefix: 'unbound' } },
      kind: { ...text, xml: { namespace: 'urn:n', attribute: true } },
    },
  };
  const lines = 'GET /keys -> application/xml [Key]\nPOST /keys application/xml Key -> 201 Key';
  const spec = await writeJson(documentOf(lines, { Key }));
  const { api } = await startTwin({ spec, pets: 0 });
  const key =
    '<p:Key xmlns:p="urn:p" xmlns:q="urn:q" q:id="1" kind="k"><q:Label>a</q:Label>' +
    '<p:Parts><p:Part>b</p:Part>' +
    '<p:Part xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" xsi:nil="true"/></p:Parts>' +
    '<plain xmlns="urn:n"><inner>c</inner></plain><bare>d</bare></p:Key>';
  expect((await post(`${api}/keys`, key)).status).toBe(201);
  expect((await read(`${api}/keys`)).text).toBe(`<Keys>${key}</Keys>`);
});
