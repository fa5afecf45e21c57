import { expect, it } from 'vitest';
import { learnBody } from '../../../contracts/learn/learn-answers.ts';
import { documentOf } from '../../support/document-of.ts';
import { inFolder, type RecordedCall, toRecording } from './recorded-calls.ts';

const origin = 'https://boxes.example.com';
const document = documentOf(
  `
  GET /boxes?limit:int&after -> [Box]
  POST /boxes Box -> 201 Box
  GET /boxes/{box:text} -> Box, 404
  PATCH /boxes/{box:text} Box -> Box
  DELETE /boxes/{box:text} -> 200
  POST /boxes/{box:text}/lock -> 200
  GET /boxes/{box:text}/lids -> [Lid]
  POST /boxes/{box:text}/lids Lid -> 201 Lid
  GET /seals -> [Lid]
  POST /seals Lid -> 201 Lid
  GET /seals/{seal:text} -> Lid, 404
  Box: { id, name, core, labels: Labels, state: "open" | "locked", lids: [object] }
  Lid: { id, size }
  `,
  { Labels: { type: 'object', additionalProperties: { type: 'string' } } },
);
Object.assign(document.paths['/boxes']?.post, { deprecated: true });

type Call = [method: string, path: string, status: number, json: unknown, body?: object];

const callOf = (key: string, [method, path, status, json, body]: Call): RecordedCall => ({
  ...{ line: `${method} ${path}`, status, json, body },
  sent: { 'Idempotency-Key': key },
});

/**
 * Records a service that shows boxes on a lock, replaces labels, hides cores, has no lids, and knows
 * neither pages nor keys of idempotency.
 */
function recordBoxes(name: string): string {
  const toId = (number: number) =>
    `box_${Buffer.from(`${number}${name}7`).toString('hex').slice(0, 12)}`;
  const id = toId(7);
  const calls: RecordedCall[] = [];
  const call = (...one: Call) => calls.push(callOf(name, one));
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
  return toRecording(origin, calls);
}

it('learns bodies and headers of successes, objects that are replaced, and what is never accepted', async () => {
  const recorded = inFolder(document, origin, ['Ash', 'Birch', 'Cedar', 'Elm'].map(recordBoxes));
  expect(await recorded.learn(3)).toMatchObject({ code: 0 });
  const hints = recorded.hints();
  const hintOf = (path: string, method: string) => hints[`$.paths['${path}'].${method}`];
  expect(hintOf('/boxes', 'post')).toMatchObject({
    ...{ headers: { link: '{absent}' }, sets: { core: '{absent}' } },
    ignores: ['Idempotency-Key'],
    values: { lids: [{ title: 'Lid of {name}', is: 'v=lid ~all', state: 'off' }] },
  });
  expect(hintOf('/boxes', 'get')).toEqual({ ignores: ['limit', 'after'] });
  expect(hints.$).toEqual({
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
  expect((await recorded.compare()).out).toContain('fidelity 100 %: 14 of 14 answers alike');
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
  const har = toRecording(
    origin,
    calls.map(([key, one]) => callOf(key, one)),
  );
  const recorded = inFolder(document, origin, [har]);
  await recorded.learn();
  const overlay = recorded.read();
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
