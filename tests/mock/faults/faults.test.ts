import { beforeEach, expect, it } from 'vitest';
import { type FaultName, faultNames } from '../../../mock/faults/fault-rules.ts';
import { adminOf } from '../../support/admin-requests.ts';
import { animal, get, post } from '../../support/bad-input.ts';
import { expectAnswer, expectError } from '../../support/expect-answer.ts';
import { type RawExchange, sendRaw } from '../../support/raw-socket.ts';
import { bearer, projectFile, shareTwin, startTwin } from '../../support/twin.ts';

const twin = await shareTwin();
beforeEach(() => {
  // A minute that ended meanwhile would begin the counts anew.
  twin.app.clock.freeze(Date.UTC(2026, 0, 15, 12));
});

const { send: admin } = adminOf(twin);

async function addFault(rule: object): Promise<void> {
  expectAnswer(await admin('POST', 'faults', rule), 201, { calls: 0, hits: 0 });
}

function call(path = '/pets', { key = 'demo-pro', ...init }: RequestInit & { key?: string } = {}) {
  return fetch(twin.api + path, { ...init, headers: { ...bearer(key), ...init.headers } });
}

async function statuses(calls: number, path?: string, key = 'demo-pro'): Promise<number[]> {
  const seen: number[] = [];
  for (let at = 0; at < calls; at++) seen.push((await call(path, { key })).status);
  return seen;
}

it('answers with the Error and the headers of the status', async () => {
  await addFault({ operation: 'getPet', times: 1, status: 404 });
  await addFault({ operation: 'getPet', times: 2, status: 503 });
  const [first, second] = [await call('/pets/1'), await call('/pets/1')];
  const missing = { code: 'not_found', message: 'There is nothing at /v1/pets/1.', status: 404 };
  expect([first.status, await first.json()]).toEqual([404, missing]);
  expect(Object.fromEntries(second.headers)).toMatchObject({
    'retry-after': '1',
    'x-undocumented-status': '503',
    'x-ratelimit-remaining': '298',
    sunset: 'Thu, 05 Dec 2030 00:00:00 GMT',
  });
  expect(second.headers.has('Preference-Applied')).toBe(false);
  // The second rule has fired at the first call too, but decided on the next two alone.
  expect(await statuses(2, '/pets/1')).toEqual([503, 200]);
});

it('looks at no call that is refused first, and at none that prefers another answer', async () => {
  await addFault({ status: 500 });
  const seen = [
    (await call('/pets', { key: 'nobody' })).status,
    (await call('/nowhere')).status,
    (await call('/pets', { method: 'OPTIONS' })).status,
    (await call('/pets', { method: 'DELETE' })).status,
    (await call('/pets', { headers: { Prefer: 'code=404' } })).status,
    (await call('/pets/9000000000000000503')).status,
  ];
  expect(seen).toEqual([401, 404, 204, 405, 404, 500]);
  expect((await admin('GET', 'faults/fault-1')).json).toMatchObject({ calls: 1, hits: 1 });
});

const random = { length: 64, isBinary: true, end: 'closed' };
const endOf = ({ rest, end }: RawExchange) => {
  return { length: rest.length, isBinary: rest.charCodeAt(0) > 127, end };
};

const expected: Record<FaultName, (exchange: RawExchange) => void> = {
  EMPTY_RESPONSE: (exchange) => expect(exchange).toEqual({ answers: [], rest: '', end: 'closed' }),
  CONNECTION_RESET_BY_PEER: (exchange) =>
    expect(exchange).toEqual({ answers: [], rest: '', end: 'reset' }),
  MALFORMED_RESPONSE_CHUNK: (exchange) => {
    const headers = { 'transfer-encoding': 'chunked', 'content-type': 'application/json' };
    expect(exchange.answers).toMatchObject([{ status: 200, headers }]);
    expect(exchange.answers[0]?.headers).toHaveProperty('x-ratelimit-limit');
    expect(endOf(exchange)).toEqual(random);
  },
  RANDOM_DATA_THEN_CLOSE: (exchange) =>
    expect([exchange.answers, endOf(exchange)]).toEqual([[], random]),
};

it.each(faultNames)('breaks the connection as %s says', async (fault) => {
  await addFault({ fault });
  expected[fault](await sendRaw(twin.origin, get('/v1/pets', { Connection: undefined })));
  expected[fault](await sendRaw(twin.origin, get('/v1/pets')));
  expected[fault](await sendRaw(twin.origin, post(animal, { Connection: undefined })));
  expect(await twin.app.store.count('pets')).toBe(120);
  await admin('DELETE', 'faults');
  expect(await statuses(1)).toEqual([200]);
});

it.each(faultNames)('answers what came before on the connection, then does %s', async (fault) => {
  await addFault({ operation: 'getPet', fault });
  const [list, read] = ['/v1/pets?limit=1', '/v1/pets/1'].map((path) =>
    get(path, { Connection: undefined }),
  ) as [Buffer, Buffer];
  const exchange = await sendRaw(twin.origin, Buffer.concat([list, read, list]));
  if (fault === 'CONNECTION_RESET_BY_PEER') return expect(exchange.end).toBe('reset');
  expect(exchange.answers[0]?.text).toMatch(/^\[\{"id":1,/);
  expected[fault]({ ...exchange, answers: exchange.answers.slice(1) });
});

it('replaces all, replaces one, and deletes', async () => {
  await addFault({ status: 500 });
  const mine = { id: 'mine', status: 503, every: 2 };
  const rules = [{ status: 501 }, { id: 'fault-1', status: 502 }, mine];
  expectAnswer(await admin('PUT', 'faults', { rules }), 200, {
    rules: [{ id: 'fault-2' }, { id: 'fault-1' }, { id: 'mine' }],
  });
  expect(await statuses(2)).toEqual([501, 501]);
  const broken = { fault: 'EMPTY_RESPONSE', operation: 'getPet' };
  const replaced = { id: 'fault-2', calls: 0 };
  expectAnswer(await admin('PUT', 'faults/fault-2', broken), 200, replaced);
  expectAnswer(await admin('PUT', 'faults/new', { id: 'new', status: 504 }), 201, { id: 'new' });
  expect(await statuses(1)).toEqual([502]);
  expectAnswer(await admin('DELETE', 'faults/fault-1'), 204);
  expect(await statuses(2)).toEqual([503, 504]);
  expectAnswer(await admin('DELETE', 'faults/fault-1'), 404, { code: 'not_found' });
  expectAnswer(await admin('GET', 'faults/fault-1'), 404, { code: 'not_found' });
  expectAnswer(await admin('DELETE', 'faults'), 204);
  expect((await admin('GET', 'faults')).json).toEqual({ rules: [] });
});

it('keeps an answer back, alone, with a status and with a fault', async () => {
  const took = async (rule: object) => {
    const delay = { type: 'fixed', milliseconds: 60 };
    await admin('PUT', 'faults', { rules: [{ ...rule, delay }] });
    const start = performance.now();
    const { answers, end } = await sendRaw(twin.origin, get('/v1/pets?limit=1'));
    expect(performance.now() - start).toBeGreaterThan(55);
    return [answers[0]?.status, end];
  };
  expect(await took({})).toEqual([200, 'closed']);
  expect(await took({ status: 500 })).toEqual([500, 'closed']);
  expect(await took({ fault: 'CONNECTION_RESET_BY_PEER' })).toEqual([undefined, 'reset']);
});

it('serves another document', async () => {
  const shelters = await startTwin({ spec: projectFile('tests/support/shelters.yaml') });
  const rule = { operation: 'getReport', status: 500 };
  expectAnswer(await adminOf(shelters).send('POST', 'faults', rule), 201);
  expect((await fetch(`${shelters.api}/report`, { headers: bearer('demo-pro') })).status).toBe(500);
  expectAnswer(await fetch(`${shelters.api}/shelters`, { headers: bearer('demo-pro') }), 200);
});

const wrong = {
  '{': 'The body is not valid JSON',
  '[]': 'It must be an object, but is an array.',
  '{}': 'A rule needs "status", "fault" or "delay", or it would do nothing.',
  '{"every":2}': 'A rule needs "status", "fault" or "delay"',
  '{"status":500,"sometimes":true}': '"sometimes" is unknown. Known are id, operation',
  '{"status":500,"operation":"listDogs"}':
    'There is no operation "listDogs". Operations are listPets, createPet, getPet, listOrders.',
  '{"status":500,"key":"nobody"}':
    'There is no key "nobody". Keys are demo-free, demo-free-2, demo-pro',
  '{"status":500,"key":"__proto__"}': 'There is no key "__proto__".',
  '{"status":199}': '"status" must be at least 200, but is 199.',
  '{"status":"500"}': '"status" must be an integer, but is "500".',
  '{"fault":"TIMEOUT"}': '"fault" must be one of "EMPTY_RESPONSE", "MALFORMED_RESPONSE_CHUNK"',
  '{"fault":"EMPTY_RESPONSE","status":500}': 'A rule has "status" or "fault", not both.',
  '{"status":500,"every":2,"probability":0.5}': 'A rule has "every" or "probability", not both.',
  '{"status":500,"probability":1.1}': '"probability" must be at most 1, but is 1.1.',
  '{"status":500,"seed":1.5}': '"seed" must be an integer, but is 1.5.',
  '{"status":500,"id":"a b"}': '"id" must match the pattern',
  '{"delay":500}': '"delay" must be an object, but is 500.',
  '{"delay":{}}': '"delay/type" is required.',
  '{"delay":{"type":"pareto"}}': '"delay/type" must be one of "fixed", "uniform", "lognormal"',
  '{"delay":{"type":"fixed","milliseconds":60001}}':
    '"delay/milliseconds" must be at most 60000, but is 60001.',
  '{"delay":{"type":"lognormal","median":90,"sigma":-1}}':
    '"delay/sigma" must be at least 0, but is -1.',
};

it.each(Object.entries(wrong))(
  'refuses the rule %s, and changes nothing',
  async (rule, problem) => {
    await addFault({ id: 'kept', status: 500, operation: 'getPet' });
    const before = (await admin('GET', 'faults')).json;
    const code = rule === '{' ? 'malformed_json' : 'invalid_body';
    expectError(await admin('POST', 'faults', rule), 400, code, problem);
    expectError(await admin('PUT', 'faults/named', rule), 400, code, problem);
    expectAnswer(await admin('PUT', 'faults', `{"rules":[{"status":500},${rule}]}`), 400);
    expect((await admin('GET', 'faults')).json).toEqual(before);
  },
);

it('refuses ids that meet, ids that are none, and more rules than there may be', async () => {
  await addFault({ id: 'one', status: 500 });
  const refused = async (call: string, body: object, problem: string, code = 'invalid_body') => {
    const [method = '', path = ''] = call.split(' ');
    expectError(await admin(method, path, body), 400, code, problem);
  };
  const one = { id: 'one', status: 500 };
  const taken = 'The id "one" is taken. PUT /__admin/faults/one replaces its rule.';
  await refused('POST faults', one, taken);
  await refused('PUT faults/two', one, '"id" is "one", but the path says "two".');
  const noName = 'The name of a fault must be 1 to 64 letters';
  await refused('PUT faults/a%20b', { status: 500 }, noName, 'invalid_parameter');
  await refused('PUT faults', { rules: [one, one] }, 'The id "one" is given twice.');
  const second = { rules: [{ status: 500 }, { every: 2 }] };
  await refused('PUT faults', second, '"rules/1": A rule needs');
  await refused('PUT faults', {}, '"rules" is required.');
  const many = (length: number) => ({
    rules: Array.from({ length }, () => ({ status: 500, operation: 'getPet' })),
  });
  await refused('PUT faults', many(101), '"rules" must have at most 100 items');
  expectAnswer(await admin('PUT', 'faults', many(100)), 200);
  await refused('POST faults', { status: 500 }, 'A sandbox has at most 100 faults.');
  await refused('PUT faults/more', { status: 500 }, 'A sandbox has at most 100 faults.');
  expectAnswer(await admin('PUT', 'faults/fault-7', { status: 500 }), 200);
});
