import { spawnSync } from 'node:child_process';
import { mkdir, realpath, symlink, writeFile } from 'node:fs/promises';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { DocumentError } from '../../common/cli/usage-error.ts';
import { compile } from '../../openapi/index.ts';
import { makeFolder } from '../support/make-folder.ts';

async function writeAll(files: Record<string, unknown>): Promise<(name: string) => string> {
  const folder = makeFolder();
  await mkdir(join(folder, 'parts'), { recursive: true });
  for (const [name, content] of Object.entries(files))
    await writeFile(
      join(folder, name),
      typeof content === 'string' ? content : JSON.stringify(content),
    );
  return (name) => join(folder, name);
}

const top = {
  openapi: '3.0.3',
  info: { title: 'Split', version: '1' },
  paths: { '/nodes': { $ref: 'parts/nodes.yaml' }, '/gone': { $ref: 'parts/gone.yaml' } },
  components: { schemas: { Name: { type: 'string', nullable: true } } },
};
const nodes = `
get:
  operationId: listNodes
  responses:
    '200':
      description: All.
      content:
        application/json:
          schema: { type: array, items: { $ref: 'node.json#/Node' } }
post:
  operationId: createNode
  requestBody: { content: { application/json: { schema: { $ref: 'node.json#/Node' } } } }
  responses: { '201': { description: Made., content: { application/json: { schema: { $ref: 'node.json#/Node' } } } } }
`;
const node = {
  Node: {
    type: 'object',
    properties: {
      id: { type: 'integer' },
      name: { $ref: '../top.json#/components/schemas/Name' },
      parent: { $ref: '#/Node' },
      size: { $ref: '#/Size' },
    },
  },
  Size: { type: 'number', minimum: 0, exclusiveMinimum: true, pattern: '[' },
};

it.each([
  ['names', 'oneOf', undefined],
  [
    'a mapping',
    'anyOf',
    { cat: './Cat.json', dog: 'all.json#/Dog', own: '#/components/schemas/Own' },
  ],
])('tells alternatives of other files apart by %s', async (_, keyword, mapping) => {
  const refs = ['Cat.json', 'all.json#/Dog', '../top.json#/components/schemas/Own'];
  const discriminator = { propertyName: 'kind', ...(mapping && { mapping }) };
  const pet = { [keyword]: refs.map(($ref) => ({ $ref })), discriminator };
  const wrong = { oneOf: [{ $ref: 'gone.json' }], discriminator: { propertyName: 'kind' } };
  const at = await writeAll({
    'top.json': {
      ...top,
      paths: {},
      components: {
        schemas: { Own: { const: 1 }, Cat: {}, Pet: { $ref: 'parts/pet.json' }, Wrong: wrong },
      },
    },
    'parts/pet.json': pet,
    'parts/Cat.json': { const: 2 },
    'parts/all.json': { Dog: { const: 3 } },
  });
  const { Pet, ...others } = (await compile(at('top.json'))).asOpenApi().components.schemas;
  expect(Pet[keyword]).toEqual(
    ['Cat_', 'Dog', 'Own'].map((name) => ({ $ref: `#/components/schemas/${name}` })),
  );
  expect(others).toMatchObject({
    Own: { const: 1 },
    Cat: {},
    Cat_: { const: 2 },
    Dog: { const: 3 },
  });
  expect(Object.keys(others)).not.toContain('gone');
  const [cat, dog] = ['Cat_', 'Dog'].map((name) => `#/components/schemas/${name}`);
  expect(Pet.discriminator.mapping).toEqual(mapping && { ...mapping, cat, dog });
});

it('brings in parts of other files, and gives their places in those', async () => {
  const at = await writeAll({
    'top.json': top,
    'parts/nodes.yaml': nodes,
    'parts/node.json': node,
  });
  const files = new Set<string>();
  const { resources, asOpenApi, written } = await compile(at('top.json'), { files });
  expect(resources).toMatchObject([{ name: 'nodes', operations: { list: {}, create: {} } }]);
  const names = ['top.json', 'parts/nodes.yaml', 'parts/gone.yaml', 'parts/node.json'];
  expect([...files].toSorted()).toEqual(names.map(at).toSorted());
  const schema = '/paths/~1nodes/get/responses/200/content/application~1json/schema/items';
  const { items } =
    asOpenApi().paths['/nodes'].get.responses[200].content['application/json'].schema;
  expect(items.properties).toMatchObject({
    name: { $ref: '#/components/schemas/Name' },
    parent: { $ref: `#${schema}` },
    size: { type: 'number', exclusiveMinimum: 0 },
  });
  expect(asOpenApi().components.schemas.Name.type).toEqual(['string', 'null']);
  expect(written.warnings).toEqual([
    {
      pointer: 'parts/node.json#/Size/pattern',
      problem: expect.stringContaining('is no Unicode regular expression'),
    },
    {
      pointer: '#/paths/~1gone/$ref',
      problem: '"parts/gone.yaml" does not exist; the path item is left out',
    },
  ]);
});

async function listen(answer: RequestListener): Promise<string> {
  const server = createServer(answer).listen(0, '127.0.0.1');
  onTestFinished(() => void server.close());
  await new Promise((resolve) => server.once('listening', resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

it('fetches the one document that is named by its URL', async () => {
  const asked: string[] = [];
  const url = await listen(({ url: path = '' }, response) => {
    asked.push(path);
    response.end(JSON.stringify(top));
  });
  const files = new Set<string>();
  const { title, file, written } = await compile(`${url}/api.json?v=1`, { files });
  expect([title, file, [...files]]).toEqual(['Split', `${url}/api.json?v=1`, []]);
  expect(asked).toEqual(['/api.json?v=1']);
  expect(written.warnings.map(({ pointer }) => pointer)).toContain('#/paths/~1nodes/$ref');
});

it.each<[string, RequestListener, RegExp]>([
  [
    'is not there',
    (_, response) => void response.writeHead(404).end(),
    /^http\S+ cannot be fetched: it answers 404\.$/,
  ],
  [
    'is none',
    (_, response) => void response.end('<html>'),
    /^http\S+ cannot be read as a document: /,
  ],
  [
    'has no end',
    (_, response) => {
      const more = () => response.write(Buffer.alloc(1024 * 1024, ' '));
      const fill = () => {
        while (!response.destroyed && more());
      };
      response.on('drain', fill);
      fill();
    },
    /^http\S+ cannot be fetched: it has more than 64 MB\.$/,
  ],
])('says that a document %s', async (_, answer, expected) => {
  await expect(compile(await listen(answer))).rejects.toThrow(expected);
});

it('follows no redirect, and names its URL', async () => {
  const asked: string[] = [];
  const inner = await listen(({ url = '' }, response) => {
    asked.push(url);
    response.end(JSON.stringify(top));
  });
  const Location = inner.replace('//', '//me:S3cret@');
  const outer = await listen((_, response) => void response.writeHead(307, { Location }).end());
  await expect(compile(outer)).rejects.toThrow(
    new DocumentError(
      `${outer} cannot be fetched: it redirects. If you trust that, name its URL: ${inner}/.`,
    ),
  );
  expect(asked).toEqual([]);
});

it.each([
  ['http://me:S3cret@127.0.0.1:1/a.json', 'http://127.0.0.1:1/a.json'],
  ['http://me:S3cret/x@127.0.0.1:1/a.json', 'http://127.0.0.1:1/a.json'],
])('refuses a URL with a password, and does not print it: %s', async (url, shown) => {
  const error = await compile(url).catch((thrown: Error) => thrown);
  expect(error).toBeInstanceOf(DocumentError);
  expect(String(error)).not.toContain('S3cret');
  expect(String(error)).toContain(`${shown} cannot be fetched: its URL `);
});

it('merges keys of YAML, and takes the last of equal ones', async () => {
  const at = await writeAll({
    'api.yaml': `
openapi: 3.1.0
info: { title: first, title: second, version: '1' }
x-base: &base { responses: { '200': { description: Fine. } } }
paths: { /a: { get: { <<: *base, operationId: a } } }`,
  });
  const { title, operations } = await compile(at('api.yaml'));
  expect([title, operations[0]?.responses.length]).toEqual(['second', 1]);
});

const tenfold = (name: string) => `[${Array(10).fill(`*${name}`).join(', ')}]`;
const bomb = [
  'x-0: &l0 [lol]',
  ...[1, 2, 3, 4, 5, 6, 7, 8, 9].map((n) => `x-${n}: &l${n} ${tenfold(`l${n - 1}`)}`),
].join('\n');

it('refuses aliases that repeat too much, within a second', async () => {
  const at = await writeAll({
    'bomb.yaml': `openapi: 3.1.0\ninfo: { title: Bomb, version: '1' }\npaths: {}\n${bomb}`,
    'overlay.yaml': `overlay: 1.0.0\n${bomb}`,
    'api.yaml': `openapi: 3.1.0\ninfo: { title: Few, version: '1' }\npaths: {}\n${bomb.split('\n').slice(0, 5).join('\n')}`,
  });
  const start = performance.now();
  await expect(compile(at('bomb.yaml'))).rejects.toThrow(
    new DocumentError(
      `${at('bomb.yaml')} cannot be read as a document: its aliases repeat more than 1,000,000 values`,
    ),
  );
  await expect(compile(at('api.yaml'), { overlay: at('overlay.yaml') })).rejects.toThrow(
    /overlay\.yaml .*: its aliases repeat more than 1,000,000 values\.$/,
  );
  expect(performance.now() - start).toBeLessThan(8000);
  expect((await compile(at('api.yaml'))).asOpenApi()['x-4'][9][9][9][9]).toEqual(['lol']);
});

it('refuses an alias of what it is in', async () => {
  const at = await writeAll({ 'api.yaml': 'openapi: 3.1.0\nx-own: &a { list: [*a] }\npaths: {}' });
  await expect(compile(at('api.yaml'))).rejects.toThrow(
    'an alias contains itself; refer to a schema with $ref instead',
  );
});

it('follows no reference to a pipe, which may never end', async () => {
  const at = await writeAll({
    'top.json': { ...top, paths: { '/nodes': { $ref: 'parts/pipe' } } },
  });
  expect(spawnSync('mkfifo', [at('parts/pipe')]).status).toBe(0);
  const { operations } = await compile(at('top.json'));
  expect(operations).toEqual([]);
});

/** A document in `api/`, whose references lead to these places, beside a folder `common/`. */
async function writeReferring(...places: string[]) {
  const at = await writeAll({ 'parts/part.json': node });
  await mkdir(at('api/own'), { recursive: true });
  await mkdir(at('api/other'));
  await mkdir(at('common'));
  await writeFile(at('common/secret.yaml'), '{ token: S3cret }');
  await writeFile(at('api/own/part.yaml'), '{ $ref: ../own/../size.yaml }');
  await writeFile(at('api/size.yaml'), '{ size: 1 }');
  await symlink('../common/secret.yaml', at('api/linked.yaml'));
  await symlink('../common', at('api/folder'));
  await symlink('../own/part.yaml', at('api/other/inside.yaml'));
  const paths = { '/nodes': { get: { responses: { 200: { description: 'Fine.' } } } } };
  const parts = places.map(($ref) => ({ $ref }));
  await writeFile(at('api/top.json'), JSON.stringify({ ...top, paths, 'x-parts': parts }));
  return at;
}

it.each([
  '../common/secret.yaml',
  '%2e%2e/common/secret.yaml',
  'linked.yaml',
  'folder/secret.yaml',
])(
  'follows no reference out of the folder of the document, unless that is allowed: %s',
  async (place) => {
    const at = await writeReferring(place);
    const common = await realpath(at('common'));
    await expect(compile(at('api/top.json'))).rejects.toThrow(
      new DocumentError(
        `${at('api/top.json')} refers to "${place}", which is ${common}/secret.yaml, outside the folder of the document. If you trust the document with that, add --allow-refs ${common}.`,
      ),
    );
    const { asOpenApi } = await compile(at('api/top.json'), {
      allowRefs: `${at('parts')}, ${at('common')}`,
    });
    expect(asOpenApi()['x-parts']).toEqual([{ token: 'S3cret' }]);
  },
);

it('follows references and links within the folder of the document, up and down', async () => {
  const at = await writeReferring(
    'own/part.yaml',
    '../api/size.yaml',
    'other/inside.yaml',
    '../none',
  );
  const { asOpenApi } = await compile(at('api/top.json'));
  const [first, second, third, gone] = asOpenApi()['x-parts'];
  expect(first).toEqual({ size: 1 });
  for (const other of [second, third])
    expect([{ size: 1 }, { $ref: '#/x-parts/0' }]).toContainEqual(other);
  expect(gone).toEqual({ $ref: '../none' });
});

it('follows no reference of a document with a URL to a file', async () => {
  const at = await writeReferring();
  const part = { $ref: `file://${at('common/secret.yaml')}` };
  const url = await listen((_, response) =>
    response.end(JSON.stringify({ ...top, 'x-parts': [{ $ref: at('common/secret.yaml') }, part] })),
  );
  const { asOpenApi } = await compile(`${url}/api.json`, { allowRefs: '/' });
  expect(asOpenApi()['x-parts']).toEqual([{ $ref: at('common/secret.yaml') }, part]);
});
