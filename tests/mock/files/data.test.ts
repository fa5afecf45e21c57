import { execFile } from 'node:child_process';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import { UsageError } from '../../../common/cli/usage-error.ts';
import { toFingerprint } from '../../../mock/served.ts';
import { adminOf } from '../../support/admin-requests.ts';
import { createSend } from '../../support/create-send.ts';
import { makeFolder } from '../../support/make-folder.ts';
import { bearer, projectFile, startTwin, type TestTwin } from '../../support/twin.ts';

/** Writes a file of data and gives its path. */
async function write(name: string, content: string | Uint8Array): Promise<string> {
  const file = join(makeFolder(), name);
  await writeFile(file, content);
  return file;
}

const pets = [
  { id: 7, name: 'Rex', categoryId: 1, status: 'sold' },
  { name: 'Mia', categoryId: 2 },
];

const get = async ({ origin }: TestTwin, path: string) =>
  (await createSend(origin, bearer('demo-pro'))('GET', path)).text;

const add = async ({ api }: TestTwin) =>
  (await createSend(api, bearer('demo-pro'))('POST', '/pets', { name: 'New', categoryId: 1 })).json;

/** Returns what keeps a twin from starting with a file of data, without the folder of the file. */
async function problemOf(name: string, content: string | Uint8Array): Promise<string> {
  const data = await write(name, content);
  const started = await startTwin({ data }).catch((error: unknown) => error);
  expect(started).toBeInstanceOf(UsageError);
  return (started as Error).message.replaceAll(data.slice(0, -name.length), '');
}

it('begins with the items of a file and no others, counts missing ids, and goes on above all', async () => {
  const twin = await startTwin({ data: await write('pets.json', JSON.stringify({ pets })) });
  expect(JSON.parse(await get(twin, '/v1/pets'))).toEqual([pets[0], { id: 1, ...pets[1] }]);
  expect(JSON.parse(await get(twin, '/v1/pets?status=sold'))).toEqual([pets[0]]);
  expect(await add(twin)).toMatchObject({ id: 8 });
  await fetch(`${twin.origin}/__admin/reset`, { method: 'POST' });
  expect(JSON.parse(await get(twin, '/v1/pets'))).toHaveLength(2);
  expect(await add(twin)).toMatchObject({ id: 8 });
});

const exact = '[{"id":9223372036854775807,"name":"é","categoryId":9007199254740993}]';
const inYaml = '{id: 9223372036854775807, name: é, categoryId: 9007199254740993}';

it.each([
  ['json', `{"pets":${exact}}`],
  ['yaml', `# big\npets:\n  - ${inYaml}\n`],
  ['txt', `\ufeffpets: [${inYaml}]\n`],
  ['', ` {"pets":${exact}}`],
])('reads a file ending in "%s", each integer to the digit', async (ending, content) => {
  const twin = await startTwin({ data: await write(`data.${ending}`, content) });
  expect(await get(twin, '/v1/pets')).toBe(exact);
  expect(await add(twin)).toMatchObject({ id: 1 });
});

it('lists the orders of a file, which nothing else describes, and stores changes of them', async () => {
  const [first, second] = [
    '{id: A-1, petId: 9007199254740993, lines: [{count: 2}]}',
    '{note: no id}',
  ];
  const data = await write('data.yaml', `store/orders: [${first}, ${second}, {id: 7}]`);
  const twin = await startTwin({ data });
  const orders =
    '[{"id":"A-1","petId":9007199254740993,"lines":[{"count":2}]},{"id":1,"note":"no id"},{"id":7}]';
  expect(await get(twin, '/v1/store/orders')).toBe(orders);
  expect(await get(twin, '/v1/pets')).toBe('[]');
  const { send } = adminOf(twin);
  const added = await send('POST', 'data/store%2Forders', { note: 'added' });
  expect([added.status, added.text]).toEqual([201, '{"id":8,"note":"added"}']);
  const patched = await send('PATCH', 'data/store%2Forders/A-1', { petId: null, state: 'sent' });
  expect(patched.text).toBe('{"id":"A-1","lines":[{"count":2}],"state":"sent"}');
  expect(JSON.parse(await get(twin, '/v1/store/orders'))).toHaveLength(4);
  const { collections } = JSON.parse(await get(twin, '/__admin/collections'));
  expect(collections[1]).toMatchObject({ name: 'store/orders', idProperty: 'id', items: 4 });
  await fetch(`${twin.origin}/__admin/snapshots/s`, { method: 'PUT' });
  const exported = await get(twin, '/__admin/snapshots/s');
  await fetch(`${twin.origin}/__admin/reset`, { method: 'POST' });
  expect(await get(twin, '/v1/store/orders')).toBe(orders);
  const copy = await startTwin({ data: await write('s.json', exported) });
  expect(JSON.parse(await get(copy, '/v1/store/orders'))).toHaveLength(4);
});

it('answers orders as the document does where no file gives them', async () => {
  const twin = await startTwin({ data: await write('pets.json', JSON.stringify({ pets })) });
  expect(await get(twin, '/v1/store/orders')).toBe('[]');
  expect(await get(twin, '/__admin/collections')).not.toContain('store/orders');
});

it('begins with the items of a snapshot, and leaves out its clock, limits and settings', async () => {
  const origin = await startTwin({ pets: 3 });
  await add(origin);
  const { send } = adminOf(origin);
  await send('PUT', 'clock', { action: 'freeze', instant: '2020-01-01T00:00:00Z' });
  await send('DELETE', 'data/pets/4');
  await send('PUT', 'snapshots/s');
  const file = await write('s.json', await get(origin, '/__admin/snapshots/s'));
  const twin = await startTwin({ data: file });
  expect(JSON.parse(await get(twin, '/v1/pets'))).toHaveLength(3);
  expect(await add(twin)).toMatchObject({ id: 5 });
  expect(await get(twin, '/__admin/clock')).not.toContain('2020');
});

it('gives sandboxes the items of the file, and generated ones to those that ask for a number of items', async () => {
  const twin = await startTwin({ data: await write('pets.json', JSON.stringify({ pets })) });
  const put = async (name: string, options: object) =>
    (await adminOf(twin).send('PUT', `sandboxes/${name}`, options)).json;
  const seeded = await put('seeded', { seed: 7 });
  expect(seeded).toMatchObject({ settings: { seed: 7 }, items: { pets: 2 } });
  expect(seeded.settings).not.toHaveProperty('pets');
  const generated = await put('generated', { pets: 30 });
  expect(generated).toMatchObject({ settings: { items: 30 }, items: { pets: 30 } });
  expect(JSON.parse(await get(twin, '/sandboxes/first/v1/pets'))).toHaveLength(2);
});

it('names every mistake by line, column and pointer, with the value', async () => {
  const content = `pets:
  - id: 1
    name: 7
    categoryId: 1
  - {id: 1, name: Mia}
  - id: 99999999999999999999
    name: Rex
    categoryId: 2
    colour: red
  - Rex
store/orders: none
`;
  const problem = await problemOf('data.yaml', content);
  expect(problem).toBe(`--data data.yaml has 7 mistakes:
  data.yaml:3:11 "pets/0/name" must be a string, but is 7.
  data.yaml:5:5 "pets/1/categoryId" is required.
  data.yaml:5:10 "pets/1/id" is 1, as is that of item 0; ids must differ.
  data.yaml:6:9 "pets/2/id" must be a 64-bit integer, but is a number beyond its range.
  data.yaml:9:13 "pets/2/colour" is unknown. Known are id, name, categoryId, status.
  data.yaml:10:5 "pets/3" must be an object, but is "Rex".
  data.yaml:11:15 "store~1orders" must be an array, but is "none".`);
});

it('reads anchors, aliases and merge keys of YAML, and names what is wrong with them', async () => {
  const content = `pets:
  - &rex { id: 9007199254740993, name: Rex, categoryId: 1 }
  - { <<: *rex, id: 2, name: Mia }
  - <<: [{ status: sold }, *rex]
    id: 3
store/orders: [{ "<<": { text: true }, pet: *rex }]
`;
  const twin = await startTwin({ data: await write('data.yaml', content) });
  expect(await get(twin, '/v1/pets')).toBe(
    '[{"id":9007199254740993,"name":"Rex","categoryId":1},{"id":2,"name":"Mia","categoryId":1},{"id":3,"name":"Rex","categoryId":1,"status":"sold"}]',
  );
  expect(await get(twin, '/v1/store/orders')).toBe(
    '[{"id":1,"<<":{"text":true},"pet":{"id":9007199254740993,"name":"Rex","categoryId":1}}]',
  );
  const merged = Array.from({ length: 12_000 }, () => '  - { <<: *rex, name: Mia }');
  const many = `pets:\n  - &rex { name: Rex, categoryId: 1 }\n${merged.join('\n')}`;
  const large = await startTwin({ data: await write('data.yaml', many) });
  expect(await large.app.store.count('pets')).toBe(12_001);
  const wrong = 'pets:\n  - &rex { name: Rex, categoryId: x }\n  - { <<: *rex, name: Mia }\n';
  const problem = await problemOf('data.yaml', wrong);
  expect(problem).toBe(`--data data.yaml has 2 mistakes:
  data.yaml:2:35 "pets/0/categoryId" must be an integer, but is "x".
  data.yaml:3:5 "pets/1/categoryId" must be an integer, but is "x".`);
  expect(await problemOf('data.yaml', 'pets: [{ <<: 5 }]')).toBe(
    '--data data.yaml:1:10 is not valid YAML: cannot merge mappings; the provided source object is unacceptable.',
  );
});

it('finds mistakes in JSON by line and column too, lists twenty and counts the others', async () => {
  const all = Array.from({ length: 33 }, () => ({ none: [1], name: 'x', categoryId: 'y' }));
  const content = JSON.stringify({ pets: all }, undefined, 2);
  const lines = (await problemOf('data.json', content)).split('\n');
  expect(lines[0]).toBe('--data data.json has 66 mistakes:');
  expect(lines.slice(1, 4)).toEqual([
    '  data.json:4:15 "pets/0/none" is unknown. Known are id, name, categoryId, status.',
    '  data.json:8:22 "pets/0/categoryId" must be an integer, but is "y".',
    '  data.json:11:15 "pets/1/none" is unknown. Known are id, name, categoryId, status.',
  ]);
  expect(lines.slice(20)).toEqual([
    '  data.json:71:22 "pets/9/categoryId" must be an integer, but is "y".',
    '  and 46 more',
  ]);
});

const unknown = 'is no collection of the document. Collections are pets, store/orders.';
const large = '- {id: 9007199254740993, name: a, categoryId: 1}';
const twice = `pets:\n${large}\n${large}`;
const snapshot = '"collections":{"pets":{"next":1,"items":[]}}';

it.each<[title: string, name: string, content: string | Uint8Array, problem: string]>([
  ['an unknown collection', 'd.json', '{"orders": []}', `:1:12 "orders" ${unknown}`],
  ['a list without a name', 'd.json', '[]', ' must have an object such as'],
  ['nothing', 'd.yaml', '# nothing\n', ' is not valid YAML: expected a document'],
  ['a single value', 'd.yaml', 'pets\n', ' must have an object such as'],
  ['no items', 'd.json', '{}', ' must have an object such as'],
  ['broken JSON', 'd.json', '{"pets":\n  [nope]}', ":2:5 is not valid JSON: Unexpected token 'o'."],
  ['unfinished JSON', 'd.json', '{"pets":', ':1:9 is not valid JSON: Unexpected end'],
  ['JSON with a comma too many', 'd.json', '{\n"pets": [],}', ':2:12 is not valid JSON: Expected'],
  ['broken YAML', 'd.yaml', 'pets:\n  - [1\nx: 1', ':3:1 is not valid YAML: '],
  ['two YAML documents', 'd.yaml', 'pets: []\n---\npets: []\n', ' is not valid YAML: '],
  ['a YAML value in itself', 'd.yaml', 'pets: &a\n  - *a\n', ' is nested'],
  [
    'an infinite number',
    'd.yaml',
    'pets: [{name: a, categoryId: .inf}]',
    ':1:30 "pets/0/categoryId"',
  ],
  ['text that is not UTF-8', 'd.yaml', Buffer.from([0x61, 0xff, 0x62]), ' is not UTF-8'],
  [
    'a later snapshot',
    'd.json',
    `{"version":2,${snapshot}}`,
    ':1:12 "version" must be 1, but is 2.',
  ],
  ['a large id twice', 'd.yaml', twice, ':3:8 "pets/1/id" is 9007199254740993, as is that of'],
  ['a snapshot alone', 'd.json', `{${snapshot}}`, ':1:1 "version" must be 1, but is missing.'],
])('refuses %s in one line', async (_, name, content, problem) => {
  const message = await problemOf(name, content);
  expect(message).toMatch(/^[^\n]+$/);
  expect(message.slice(0, `--data ${name}${problem}`.length)).toBe(`--data ${name}${problem}`);
});

it('says in one line that a file is missing, a folder, too large or endless', async () => {
  const folder = makeFolder();
  await mkdir(join(folder, 'sub'));
  await promisify(execFile)('truncate', ['-s', '65M', join(folder, 'large.json')]);
  await promisify(execFile)('truncate', ['-s', '17M', join(folder, 'large.yaml')]);
  const messageOf = async (file: string) => {
    const started = await startTwin({ data: join(folder, file) }).catch((error: unknown) => error);
    expect(started).toBeInstanceOf(UsageError);
    expect((started as Error).message).toMatch(/^[^\n]+$/);
    return (started as Error).message;
  };
  expect(await messageOf('none.json')).toContain('cannot be read: there is no such file.');
  expect(await messageOf('sub')).toContain('cannot be read: it is a folder');
  expect(await messageOf('large.json')).toMatch(
    /large\.json has more than \d+ MiB, the maximum of JSON\.$/,
  );
  expect(await messageOf('large.yaml')).toMatch(
    /large\.yaml has more than \d+ MiB, the maximum of YAML\. As JSON it may have \d+ MiB\.$/,
  );
  expect(await messageOf('../../../../dev/zero')).toContain('/dev/zero has more than');
});

it('tells stores the same of the same items, however they are written, and else another', async () => {
  const hashOf = async (name: string, content: string) => {
    const twin = await startTwin({ data: await write(name, content) });
    const { data, document } = toFingerprint(twin.app.served);
    documents.add(document);
    return data;
  };
  const documents = new Set<string>();
  const hash = await hashOf('pets.json', '{"pets":[{"name":"Rex","categoryId":1}]}');
  const same = '# Rex alone\npets:\n  - {categoryId: 1, name: Rex, id: 1}\n';
  expect(await hashOf('pets.yaml', same)).toBe(hash);
  expect(await hashOf('pets.yaml', same.replace('id: 1', 'id: 2'))).not.toBe(hash);
  expect(await hashOf('pets.yaml', `${same}store/orders: []`)).not.toBe(hash);
  // It is the data that differs, and not the document that names the orders.
  expect(documents.size).toBe(1);
});

it('starts with the example', async () => {
  const twin = await startTwin({ data: projectFile('examples/data.yaml') });
  expect(JSON.parse(await get(twin, '/v1/pets'))).toHaveLength(3);
  expect(JSON.parse(await get(twin, '/v1/store/orders'))).toHaveLength(2);
});
