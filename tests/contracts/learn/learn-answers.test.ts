import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { load } from 'js-yaml';
import { expect, it } from 'vitest';
import { runCommand as fidelity } from '../../../contracts/fidelity/command.ts';
import { runCommand as learn } from '../../../contracts/learn/command.ts';
import { learnBody } from '../../../contracts/learn/learn-answers.ts';
import { capture } from '../../support/capture.ts';
import { jsonOf, pathParameter, toDocument } from '../../support/serve-document.ts';
import { toEntry, toHar } from '../har/samples.ts';

const origin = 'https://boxes.example.com';
const text = { type: 'string' };
const box = {
  type: 'object',
  properties: {
    ...{ id: text, name: text, core: text },
    labels: { type: 'object', additionalProperties: text },
    state: { type: 'string', enum: ['open', 'locked'] },
    lids: { type: 'array', items: { type: 'object' } },
  },
};
const lid = { type: 'object', properties: { id: text, size: text } };
const empty = { description: 'Done.' };
const inPath = { parameters: [pathParameter('box', text)] };
const document = toDocument({
  '/boxes': {
    get: {
      parameters: [
        { name: 'limit', in: 'query', schema: { type: 'integer' } },
        { name: 'after', in: 'query', schema: text },
      ],
      responses: { 200: jsonOf({ type: 'array', items: box }) },
    },
    post: { deprecated: true, requestBody: jsonOf(box), responses: { 201: jsonOf(box) } },
  },
  '/boxes/{box}': {
    ...inPath,
    get: { responses: { 200: jsonOf(box), 404: empty } },
    patch: { requestBody: jsonOf(box), responses: { 200: jsonOf(box) } },
    delete: { responses: { 200: empty } },
  },
  '/boxes/{box}/lock': { ...inPath, post: { responses: { 200: empty } } },
  '/boxes/{box}/lids': {
    ...inPath,
    get: { responses: { 200: jsonOf({ type: 'array', items: lid }) } },
    post: { requestBody: jsonOf(lid), responses: { 201: jsonOf(lid) } },
  },
  '/seals': {
    get: { responses: { 200: jsonOf({ type: 'array', items: lid }) } },
    post: { requestBody: jsonOf(lid), responses: { 201: jsonOf(lid) } },
  },
  '/seals/{seal}': {
    parameters: [pathParameter('seal', text)],
    get: { responses: { 200: jsonOf(lid), 404: empty } },
  },
});

type Call = [method: string, path: string, status: number, json: unknown, body?: object];

function entryOf(key: string, [method, path, status, json, body]: Call): unknown {
  return toEntry({
    request: {
      ...{ method, url: origin + path },
      headers: [{ name: 'Idempotency-Key', value: key }],
      ...(body && { postData: { mimeType: 'application/json', text: JSON.stringify(body) } }),
    },
    response: {
      ...{ status, headers: [{ name: 'Content-Type', value: 'application/json' }] },
      content: { size: 1, mimeType: 'application/json', text: JSON.stringify(json) },
    },
  });
}

/**
 * Records a service that shows boxes on a lock, replaces labels, hides cores, has no lids, and knows
 * neither pages nor keys of idempotency.
 */
function recordBoxes(name: string): string {
  const toId = (number: number) =>
    `box_${Buffer.from(`${number}${name}7`).toString('hex').slice(0, 12)}`;
  const id = toId(7);
  const entries: unknown[] = [];
  const call = (...one: Call) => entries.push(entryOf(name, one));
  const lidsOf = (state: string) => [{ title: `Lid of ${name}`, is: 'v=lid ~all', state }];
  const made = { id, name, labels: { [name]: '1' }, state: 'open', lids: lidsOf('off') };
  call('POST', '/boxes', 201, made, { name, labels: made.labels, core: `c ${name}` });
  call('GET', `/boxes/${id}`, 200, made);
  call('GET', `/boxes/${name}`, 200, made);
  const changed = { ...made, labels: { a: '2' } };
  call('PATCH', `/boxes/${id}`, 200, changed, { labels: changed.labels });
  call('GET', `/boxes/${id}`, 200, changed);
  const locked = { ...changed, state: 'locked', lids: lidsOf('on') };
  call('POST', `/boxes/${id}/lock`, 200, locked);
  call('GET', `/boxes/${id}`, 200, locked);
  call('POST', `/boxes/${id}/lids`, 404, { message: 'No such path' }, { size: name });
  call('POST', '/seals', 409, { message: 'There is one already' }, { size: 'small', of: name });
  const others = [8, 9].map((number) => ({ ...made, id: toId(number), labels: {} }));
  for (const other of others) call('POST', '/boxes', 201, other, { name, labels: {} });
  call('GET', '/boxes?limit=2', 200, [locked, ...others]);
  call('GET', '/locks', 404, { message: 'No such path' });
  call('DELETE', `/boxes/${id}`, 200, { id, deleted: true });
  return toHar(entries);
}

it('learns bodies and headers of successes, objects that are replaced, and what is never accepted', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'boxes-'));
  const at = (name: string) => join(folder, name);
  writeFileSync(at('boxes.json'), JSON.stringify(document));
  const files = ['Ash', 'Birch', 'Cedar', 'Elm'].map((name) => {
    writeFileSync(at(`${name}.har`), recordBoxes(name));
    return at(`${name}.har`);
  });
  const args = ['--base-url', origin, '--spec', at('boxes.json')];
  const run = (command: typeof learn, more: readonly string[]) =>
    capture(() => command([...more, ...args], { env: {}, command: 'x' }));
  const overlay = at('out.yaml');
  expect(await run(learn, [...files.slice(0, 3), '--out', overlay])).toMatchObject({ code: 0 });
  const { actions } = load(readFileSync(overlay, 'utf8')) as {
    actions: { target: string; update: { 'x-twin': object } }[];
  };
  const hintOf = (path: string, method: string) =>
    actions.find(({ target }) => target === `$.paths['${path}'].${method}`)?.update['x-twin'];
  expect(hintOf('/boxes', 'post')).toMatchObject({
    ...{ headers: { link: '{absent}' }, sets: { core: '{absent}' } },
    ignores: ['Idempotency-Key'],
    values: { lids: [{ title: 'Lid of {name}', is: 'v=lid ~all', state: 'off' }] },
  });
  expect(hintOf('/boxes', 'get')).toEqual({ ignores: ['limit', 'after'] });
  const { update } = actions.find(({ target }) => target === '$') ?? {};
  expect(update?.['x-twin']).toEqual({
    aliases: { '/boxes': 'name' },
    errors: { unknown_path: { body: { message: 'No such path' } } },
  });
  expect(hintOf('/boxes/{box}', 'patch')).toEqual({ sets: { labels: '{body.labels}' } });
  expect(hintOf('/boxes/{box}', 'delete')).toMatchObject({
    body: { id: expect.stringMatching(/^\{(path\.box|id)\}$/), deleted: true },
  });
  expect(hintOf('/boxes/{box}/lock', 'post')).toMatchObject({
    ...{
      body: '{item}',
      sets: { lids: [{ title: 'Lid of {name}', is: 'v=lid ~all', state: 'on' }] },
    },
  });
  expect(hintOf('/boxes/{box}/lids', 'post')).toMatchObject({
    refuses: [{ status: 404, body: { message: 'No such path' } }],
  });
  expect(hintOf('/seals', 'post')).toMatchObject({
    refuses: [{ when: { 'body.size': ['small'] }, status: 409 }],
  });
  const ran = await run(fidelity, [files[3] ?? '', '--overlay', overlay]);
  expect(ran.out).toContain('fidelity 100 %: 14 of 14 answers alike');
}, 90_000);

it('keeps no text of one item in answers, and ignores nothing that another call had an effect by', async () => {
  const boxes = [1, 2, 3].map((number) => ({
    id: `box_7a7b7c7d7e${number}a`,
    name: `Ada${number}`,
  }));
  const [first, second, third] = boxes as [object, object, object];
  const at = '/boxes/box_7a7b7c7d7e1a';
  const made = boxes.map((one) => ['POST', '/boxes', 201, one, { name: one.name }] as Call);
  const calls: [key: string, call: Call][] = [
    ...made.map((one, index): [string, Call] => [index === 0 ? 'k' : 'l', one]),
    ['k', ['POST', '/boxes', 201, first, { name: 'Ada1' }]],
    ['', ['GET', '/boxes', 200, boxes]],
    ['', ['GET', '/boxes?limit=0', 200, boxes]],
    ['', ['GET', '/boxes?limit=1', 200, [first]]],
    ['', ['GET', '/boxes?limit=2', 200, [second, third, first]]],
    ['', ['POST', `${at}/lock`, 200, { locked: true, session: 'OpenPlease' }]],
    ['', ['DELETE', at, 200, { ...first, deleted: true }]],
  ];
  const folder = mkdtempSync(join(tmpdir(), 'boxes-'));
  const [spec, har, out] = ['boxes.json', 'one.har', 'out.yaml'].map((one) => join(folder, one));
  writeFileSync(`${spec}`, JSON.stringify(document));
  writeFileSync(`${har}`, toHar(calls.map(([key, one]) => entryOf(key, one))));
  const args = [`${har}`, '--out', `${out}`, '--base-url', origin, '--spec', `${spec}`];
  await capture(() => learn(args, { env: {}, command: 'x' }));
  const overlay = readFileSync(`${out}`, 'utf8');
  expect(overlay).not.toMatch(/Ada|OpenPlease|ignores/);
  expect(overlay).toMatch(/name: '\{name\}'\s+deleted: true/);
}, 60_000);

const scopeOf = (body: unknown) => ({ error: {}, now: 0, item: undefined, body });

it.each([
  ['within an object', { data: { label: 'Zebra' } }, { data: { label: 'Zebra' } }],
  ['within a list', [{ label: 'Zebra' }], [{ label: 'Zebra' }]],
  ['in one call of two', { label: 'Zebra' }, {}],
])('keeps no message with a text that was sent %s', (_, first, second) => {
  const answer = { code: 'taken', message: 'Zebra is taken already' };
  const body = learnBody([first, second].map(scopeOf), [answer, answer]);
  expect(JSON.stringify(body)).not.toContain('Zebra');
  expect(body).toMatchObject({ code: 'taken' });
});
