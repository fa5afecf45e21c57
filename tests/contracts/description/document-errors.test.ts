import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest';
import { DocumentError, loadDocument } from '../../../contracts/description/document.ts';

let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'twin-document-'));
});

afterAll(() => rm(folder, { recursive: true }));

async function write(name: string, text: string): Promise<string> {
  const file = join(folder, name);
  await writeFile(file, text);
  return file;
}

/** A document with one operation at `/ok`, and whatever is added to its paths and to its end. */
function documentWith({ paths = '', end = '' } = {}): string {
  return `openapi: 3.1.0
info: { title: Test, version: '1' }
paths:
  /ok:
    get: { operationId: ok, responses: { '200': { description: Fine. } } }
${paths}
${end}
`;
}

/** A further operation of a path, whose 200 holds a schema. */
function listOf(schema: string): string {
  return `  /things:
    get:
      operationId: things
      responses: { '200': { description: Fine., content: { application/json: { schema: ${schema} } } } }`;
}

async function problemOf(text: string, name = 'document.yaml'): Promise<string> {
  const file = await write(name, text);
  const error = await loadDocument(file).then(
    () => undefined,
    (reason) => reason,
  );
  expect(error).toBeInstanceOf(DocumentError);
  expect(error.message).toContain(file);
  expect(error.message).not.toMatch(
    /\n|undefined \(|Cannot read properties|is not a function|not iterable/,
  );
  return error.message.replaceAll(file, 'FILE').replaceAll(folder, 'FOLDER');
}

it('loads the document that the cases below break', async () => {
  const { operations } = await loadDocument(
    await write('fine.yaml', documentWith({ paths: listOf('{ type: array }') })),
  );
  expect(operations.map(({ id }) => id)).toEqual(['ok', 'things']);
});

it('says that there is no such file', async () => {
  await expect(loadDocument('/nowhere/at/all.yaml')).rejects.toThrow(
    new DocumentError('There is no document at /nowhere/at/all.yaml. Name an OpenAPI 3.1 file.'),
  );
});

it('says that a folder is no document', async () => {
  await expect(loadDocument(folder)).rejects.toThrow(DocumentError);
});

it.each([
  [
    'YAML that does not parse',
    'openapi: 3.1.0\npaths: [',
    /^FILE cannot be read as a document: .*\(\d+:\d+\)$/,
  ],
  ['JSON that does not parse', '{"openapi": "3.1.0",', /^FILE cannot be read as a document: /],
  ['an empty file', '', /^FILE cannot be read as a document: it contains no object\.$/],
  ['a mere text', 'hello', /^FILE cannot be read as a document: it contains no object\.$/],
  [
    'a list',
    '- openapi: 3.1.0',
    /^FILE is not an OpenAPI 3\.1 document: "openapi" is missing; it must be 3\.1\.x\.$/,
  ],
  [
    'OpenAPI 3.0',
    documentWith().replace('3.1.0', '3.0.3'),
    /^FILE is not an OpenAPI 3\.1 document: .*but is 3\.0\.3\.$/,
  ],
  ['no paths', 'openapi: 3.1.0\ninfo: {}', /^FILE describes no operation under "paths"\.$/],
  [
    'no operation',
    'openapi: 3.1.0\npaths: { /a: {}, /b: }',
    /^FILE describes no operation under "paths"\.$/,
  ],
  [
    'an operationId used twice',
    documentWith({ paths: '  /b: { get: { operationId: ok } }' }),
    /^FILE uses .*"ok" twice\.$/,
  ],
  [
    'a path without a slash',
    documentWith({ paths: '  b: { get: {} }' }),
    /^FILE cannot be used: path "b" must start with a slash\.$/,
  ],
  [
    'a dead $ref',
    documentWith({ paths: listOf('{ $ref: "#/components/schemas/Gone" }') }),
    /#\/components\/schemas\/Gone/,
  ],
  ['a dead file', documentWith({ paths: listOf('{ $ref: "./gone.yaml" }') }), /FOLDER\/gone\.yaml/],
  [
    'a $ref to another host',
    documentWith({ paths: listOf('{ $ref: "https://example.invalid/a.yaml" }') }),
    /https:\/\/example\.invalid\/a\.yaml/,
  ],
  [
    'a removal date that is none',
    documentWith({ paths: '  /b: { get: { x-deprecated-sunset: soon } }' }),
    /^FILE cannot be used: GET \/b: x-deprecated-sunset "soon" is not a date; write it as 2030-12-05\.$/,
  ],
  [
    'an empty removal date',
    documentWith({ paths: '  /b: { get: { x-deprecated-sunset: } }' }),
    /x-deprecated-sunset "null" is not a date/,
  ],
  [
    'a date of deprecation that stands alone',
    documentWith({ paths: "  /b: { get: { x-deprecated-since: '2024-12-05' } }" }),
    /GET \/b: x-deprecated-since\.date "undefined" is not a date; write it as 2030-12-05\.$/,
  ],
  [
    'a server that is no URL',
    documentWith({ end: 'servers: [{ url: "http://[oops" }]' }),
    /^FILE cannot be used: server "http:\/\/\[oops" is not a URL\.$/,
  ],
  [
    'an operation that is no object',
    documentWith({ paths: '  /b: { get: 3 }' }),
    /^FILE cannot be used: GET \/b .*OpenAPI 3\.1/,
  ],
  [
    'a parameter that is no object',
    documentWith({ paths: '  /b: { get: { parameters: [null] } }' }),
    /^FILE cannot be used: GET \/b .*OpenAPI 3\.1/,
  ],
  [
    'parameters that are no list',
    documentWith({ paths: '  /b: { get: { parameters: { a: 1 } } }' }),
    /^FILE cannot be used: GET \/b .*OpenAPI 3\.1/,
  ],
  [
    'security that is no list',
    documentWith({ end: 'security: 3' }),
    /^FILE cannot be used: GET \/ok .*OpenAPI 3\.1/,
  ],
  [
    'silences that are no list',
    documentWith({ end: 'x-silences: { a: 1 }' }),
    /^FILE cannot be used: x-silences must be a list\.$/,
  ],
])('says what is wrong with %s', async (_, text, expected) => {
  expect(await problemOf(text)).toMatch(expected);
});

it.each([
  [
    'a $ref in a circle',
    'A: { $ref: "#/components/schemas/B" }\n    B: { $ref: "#/components/schemas/A" }',
  ],
  ['a $ref to itself', 'A: { $ref: "#/components/schemas/A" }'],
  [
    'an allOf that holds itself',
    'A: { allOf: [{ $ref: "#/components/schemas/A" }, { $ref: "#/components/schemas/A" }, { $ref: "#/components/schemas/A" }] }',
  ],
  [
    'an allOf in a circle',
    'A: { allOf: [{ $ref: "#/components/schemas/B" }] }\n    B: { allOf: [{ $ref: "#/components/schemas/A" }] }',
  ],
])('refuses %s at once', async (_, schemas) => {
  const paths = listOf('{ type: array, items: { $ref: "#/components/schemas/A" } }');
  expect(
    await problemOf(documentWith({ paths, end: `components:\n  schemas:\n    ${schemas}` })),
  ).toMatch(/^FILE cannot be used: .* is circular\.$/);
});

it('takes a schema whose property holds the schema itself', async () => {
  const end =
    'components: { schemas: { A: { properties: { id: { type: integer }, child: { $ref: "#/components/schemas/A" } } } } }';
  const paths = listOf('{ type: array, items: { $ref: "#/components/schemas/A" } }');
  const { resources } = await loadDocument(await write('tree.yaml', documentWith({ paths, end })));
  expect(resources.map(({ name }) => name)).toEqual(['things']);
});

it('asks no host for a $ref', async () => {
  let asked = 0;
  const server = createServer((_, response) => response.end(`${(asked += 1)}`)).listen(
    0,
    '127.0.0.1',
  );
  onTestFinished(() => void server.close());
  await new Promise((resolve) => server.once('listening', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/a.yaml`;
  expect(await problemOf(documentWith({ paths: listOf(`{ $ref: "${url}" }`) }))).toContain(url);
  expect(asked).toBe(0);
});

it('follows a $ref to another file', async () => {
  await write(
    'thing.yaml',
    'Thing: { type: object, required: [id], properties: { id: { type: string }, size: { $ref: "#/Size" } } }\nSize: { type: integer }',
  );
  await write(
    'error.json',
    '{"description": "Bad.", "content": {"application/json": {"schema": {"type": "object"}}}}',
  );
  const paths = `  /things:
    get:
      operationId: listThings
      responses:
        '200': { description: Fine., content: { application/json: { schema: { type: array, items: { $ref: 'thing.yaml#/Thing' } } } } }
        '400': { $ref: 'error.json' }`;
  const document = await loadDocument(await write('split.yaml', documentWith({ paths })));
  expect(document.resources).toMatchObject([
    { name: 'things', idProperty: 'id', item: { required: ['id'] } },
  ]);
  expect(Object.keys(document.resources[0]?.item.properties ?? {})).toEqual(['id', 'size']);
  expect(document.operations[1]?.responses[1]).toMatchObject({
    status: '400',
    description: 'Bad.',
  });
});

it('reads a document in JSON', async () => {
  const document = { openapi: '3.1.0', paths: { '/a': { get: { responses: {} } } } };
  const { operations, basePath } = await loadDocument(
    await write('document.json', JSON.stringify(document)),
  );
  expect(operations.map(({ id }) => id)).toEqual(['GET /a']);
  expect(basePath).toBe('');
});

it('takes the base path from the first server, its variables filled in', async () => {
  const end =
    'servers: [{ url: "https://{host}/api/{version}/", variables: { version: { default: v2 } } }]';
  const { basePath } = await loadDocument(await write('servers.yaml', documentWith({ end })));
  expect(basePath).toBe('/api/v2');
});
