import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, expect, it } from 'vitest';
import { DocumentError } from '../../common/cli/usage-error.ts';
import { compile } from '../../openapi/index.ts';
import { makeFolder } from '../support/make-folder.ts';

let folder: string;

beforeAll(async () => {
  folder = makeFolder();
});

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

/** Points to that schema. */
const inThings = '#/paths/~1things/get/responses/200/content/application~1json/schema';

async function problemOf(text: string, name = 'document.yaml'): Promise<string> {
  const file = await write(name, text);
  const error = await compile(file).then(
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

it('says that there is no such file', async () => {
  await expect(compile('/nowhere/at/all.yaml')).rejects.toThrow(
    new DocumentError(
      'There is no document at /nowhere/at/all.yaml. Name an OpenAPI file, or the URL of one.',
    ),
  );
});

it.each([
  [
    'YAML that does not parse',
    'openapi: 3.1.0\npaths: [',
    /^FILE cannot be read as a document: .*\(\d+:\d+\)$/,
  ],
  ['an empty file', '', /^FILE cannot be read as a document: it contains no object\.$/],
  [
    'a file that is something else',
    '{ name: x }',
    /^FILE is not an OpenAPI document: "openapi" is missing; it must be 3\.0, 3\.1 or 3\.2, or "swagger" 2\.0\.$/,
  ],
  [
    'OpenAPI 4',
    documentWith().replace('3.1.0', '4.0.0'),
    /^FILE is not an OpenAPI document that can be read: "openapi" is 4\.0\.0; it must be .*$/,
  ],
  [
    'Swagger 1.2',
    'swagger: "1.2"',
    /^FILE is not an OpenAPI document that can be read: "swagger" is 1\.2; it must be .*$/,
  ],
  [
    'silences that are no list',
    documentWith({ end: 'x-silences: { a: 1 }' }),
    /^FILE cannot be used: x-silences must be a list\.$/,
  ],
])('says what is wrong with %s', async (_, text, expected) => {
  expect(await problemOf(text)).toMatch(expected);
});

/** Returns what a document warns of, each in a line. */
async function warningsOf(text: string): Promise<string[]> {
  const { written } = await compile(await write('document.yaml', text));
  return written.warnings.map(({ pointer, problem }) => `${pointer}: ${problem}`);
}

it('says of each path that is read as one that another is read as, too', async () => {
  const paths = '  /b#one: { get: {} }\n  /b#two: { get: {} }\n  /b#three: { get: {} }';
  const warnings = await warningsOf(documentWith({ paths }));
  expect(warnings.map((one) => one.replace(/.*: /, ''))).toEqual([
    'it is read as "/b"',
    'no request can tell it from "/b"; it is left out',
    'no request can tell it from "/b"; it is left out',
  ]);
});

it('reads paths that differ in their queries as one, in which none of these is required', async () => {
  const of = (...names: string[]) =>
    `{ get: { parameters: [${names.map((name) => `{ name: ${name}, in: path, required: true }`).join()}] } }`;
  const paths = `  /now?lat={lat}&key={key}: ${of('lat', 'key')}\n  /now?city={city}&key={key}: ${of('city', 'key')}`;
  const { operations } = await compile(await write('document.yaml', documentWith({ paths })));
  const found = operations.filter(({ path }) => path === '/now');
  expect(found.map(({ parameters }) => parameters.map((one) => [one.name, one.required]))).toEqual([
    expect.arrayContaining([
      ['lat', false],
      ['city', false],
      ['key', true],
    ]),
  ]);
});

it('reads a pattern in slashes without them, and with flags as none', async () => {
  const read = async (pattern: string) => {
    const paths = listOf(`{ pattern: '${pattern}' }`);
    const { operations } = await compile(await write('document.yaml', documentWith({ paths })));
    return operations.find(({ id }) => id === 'things')?.responses[0]?.schema;
  };
  expect(await read('/^[a-z]+$/')).toEqual({ pattern: '^[a-z]+$' });
  expect(await read('/^[a-z]+$/i')).toEqual({});
  expect(await read('^\\-?[0-9]+$')).toEqual({ pattern: '^\\-?[0-9]+$' });
  expect(await read('/a/')).toEqual({ pattern: '/a/' });
});

it('reads a text in a path as it stands there, whatever its content is said to be', async () => {
  const content = '{ application/json: { schema: { type: string } } }';
  const paths = `  /b/{id}: { get: { parameters: [{ name: id, in: path, required: true, content: ${content} }] } }`;
  const { operations } = await compile(await write('document.yaml', documentWith({ paths })));
  const [parameter] = operations.find(({ path }) => path === '/b/{id}')?.parameters ?? [];
  expect(parameter).toMatchObject({ schema: { type: 'string' } });
  expect(parameter).not.toHaveProperty('content');
});

it('reads the query of a path as query parameters', async () => {
  const parameters =
    '[{ name: id, in: path }, { name: until, in: path }, { $ref: "#/components/parameters/From" }]';
  const text = documentWith({
    paths: `  /b/{id}?from={start}&until={until}: { parameters: ${parameters}, get: {} }`,
    end: 'components: { parameters: { From: { name: start, in: path } } }',
  });
  const { operations } = await compile(await write('document.yaml', text));
  const operation = operations.find(({ path }) => path === '/b/{id}');
  expect(operation?.parameters.map(({ name, in: place }) => `${name} in ${place}`)).toEqual([
    'id in path',
    'until in query',
    'from in query',
  ]);
});

it('says what can be seen only once something else is left out', async () => {
  const paths = listOf('{ $ref: "#/components/schemas/A" }');
  expect(
    await warningsOf(documentWith({ paths, end: 'components: { schemas: { A: 1 } }' })),
  ).toEqual([
    `${inThings}/$ref: "#/components/schemas/A" does not exist; any value is accepted here`,
    '#/components/schemas/A: it is no schema and is ignored',
  ]);
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
])('leaves out %s', async (_, schemas) => {
  const paths = listOf('{ type: array, items: { $ref: "#/components/schemas/A" } }');
  const warnings = await warningsOf(
    documentWith({ paths, end: `components:\n  schemas:\n    ${schemas}` }),
  );
  expect(warnings.length).toBeGreaterThan(0);
  for (const warning of warnings) expect(warning).toMatch(/leads back to itself/);
});

it('takes the base path from the first server, its variables filled in', async () => {
  const end =
    'servers: [{ url: "https://{host}/api/{version}/", variables: { version: { default: v2 } } }]';
  const { basePath } = await compile(await write('servers.yaml', documentWith({ end })));
  expect(basePath).toBe('/api/v2');
});
