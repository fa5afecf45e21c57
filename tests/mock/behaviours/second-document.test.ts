import { Ajv2020 } from 'ajv/dist/2020.js';
import { expect, it } from 'vitest';
import { createSend } from '../../support/create-send.ts';
import { expectAnswer, expectError } from '../../support/expect-answer.ts';
import { standalone } from '../../support/standalone.ts';
import { bearer, projectFile, shareTwin, startTwin } from '../../support/twin.ts';

const spec = projectFile('tests/support/shelters.yaml');
const valid = {
  ...{ name: 'Harbour', kind: 'dogs', open: false, registration: 1000, rating: 0.5 },
  ...{ address: { street: 'Pier 1', postcode: '00001' }, tags: ['old'] },
};

const twin = await shareTwin({ spec, pets: 120, rateLimits: 'observe' });
const sendTo = (api: string) => createSend(api, bearer('demo-pro'));
const send = sendTo(twin.api);

it('refuses many items that fit no alternative, the first problem of many', async () => {
  // With all problems of all items, this took minutes.
  const notes = Array(32_000).fill(0);
  const first = 'not a valid NewShelter. "notes/0" must be a string or an object, but is 0.';
  expectError(await send('POST', '/shelters', { ...valid, notes }), 400, 'invalid_body', first);
  const few = await send('POST', '/shelters', { ...valid, notes: notes.slice(0, 6) });
  const fifth = /"notes\/4" .*, but is 0\. There is 1 more problem\.$/;
  expectError(few, 400, 'invalid_body', fifth);
});

it('starts with items that fit their schema', async () => {
  const ajv = new Ajv2020({ strict: false, validateFormats: false });
  const validate = ajv.compile(standalone(twin.document, { $ref: '#/components/schemas/Shelter' }));
  const shelters: { id: string }[] = (await send('GET', '/shelters?limit=50')).json;
  for (const shelter of shelters)
    expect(validate(shelter), ajv.errorsText(validate.errors)).toBe(true);
  const ids = Array.from({ length: 50 }, (_, index) => String(index + 1));
  expect(shelters.map(({ id }) => id)).toEqual(ids);
  expect(shelters.filter((shelter) => 'email' in shelter).length).toBeLessThan(50);
});

it('answers an operation of no known kind with its example', async () => {
  const answer = await send('GET', '/report?year=2024');
  expectAnswer(answer, 200, { animals: 12 });
  expect(answer.headers.get('X-RateLimit-Limit')).toBe('300');
});

it('answers a collection below an item with its example', async () => {
  const answer = await send('GET', '/shelters/1/volunteers');
  expectAnswer(answer, 200, [{ name: 'Ada' }, { name: 'Grace' }]);
});

it('answers without content where the document describes none', async () => {
  const answer = await send('DELETE', '/shelters/1');
  expect(answer).toMatchObject({ status: 204, type: null, text: '' });
  expect(answer.headers.get('Content-Length')).toBeNull();
  expect((await send('GET', '/shelters/1')).status).toBe(404);
});

it('takes no named items for a collection that only shares their name, and texts for JSON', async () => {
  const { api } = await startTwin({ spec: projectFile('tests/support/namesakes.yaml'), pets: 2 });
  const get = async (path: string) => (await sendTo(api)('GET', path)).json;
  const ids = [1, 2].map((n) => `00000000-0000-4000-8000-00000000000${n}`);
  expect(await get('/pets')).toEqual(ids.map((id) => ({ id, size: expect.any(Number) })));
  expect(await get('/keys')).toEqual([1, 2].map((id) => ({ id, fits: 'door' })));
  expect((await sendTo(api)('GET', '/motto')).text).toBe('"Open to all"');
});
