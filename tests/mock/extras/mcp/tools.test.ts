import { expect, it } from 'vitest';
import { documentOf, schemaOf } from '../../../support/document-of.ts';
import { connectHttp } from '../../../support/mcp-client.ts';
import { serveDocument } from '../../../support/serve-document.ts';
import { bearer, projectFile, startTwin } from '../../../support/twin.ts';

async function openAgent() {
  const twin = await startTwin();
  return { twin, ...(await connectHttp(twin.origin)) };
}

it('describes the API, and an operation with a call that works as it is shown', async () => {
  const { ask, twin } = await openAgent();
  const overview = await ask('describe_api');
  const start = `^Pet Store Service 1\\.0\\.0 at ${RegExp.escape(twin.api)}\\nKeys: demo-free \\(free\\)`;
  expect(overview).toMatch(new RegExp(start));
  expect(overview).toContain('Collection pets at /pets, with the id id (int64)');
  const orders = 'listOrders: GET /store/orders: without state, answered with: example';
  expect(overview).toContain(orders);
  expect(await ask('describe_api', { search: 'order' })).not.toContain('listPets');
  const described = await ask('describe_api', { operation: 'createPet' });
  const [, example = ''] = /call_operation (.+)/.exec(described) ?? [];
  expect(await ask('call_operation', JSON.parse(example))).toContain('Status: 201 Created');
  expect(described).toContain("'#/components/schemas/NewPet':");
  expect(described).not.toContain('x-source');
});

it('places parameters as the document says, and names those that it does not have', async () => {
  const { ask, refused } = await openAgent();
  const list = { operation: 'listPets', parameters: { limit: 1, status: 'sold' } };
  expect(await ask('call_operation', list)).toMatch(/^GET .+\/v1\/pets\?limit=1&status=sold\n/);
  const wrong = { operation: 'listPets', parameters: { limt: 1 } };
  const known = 'listPets has no parameter "limt", only limit, status; "path" sends any.';
  expect(await refused('call_operation', wrong)).toBe(known);
  const needed = 'getPet needs the parameter "petId"; describe_api shows one.';
  expect(await refused('call_operation', { operation: 'getPet' })).toBe(needed);
  const unknown = await refused('call_operation', { operation: 'listPet' });
  expect(unknown).toContain('Did you mean "listPets"?');
  const broken = { path: '/pets', headers: { 'X-Note': 'a\nb' } };
  expect(await refused('call_operation', broken)).toMatch(/cannot be called: .+header value\.$/);
  expect(await refused('call_operation', {})).toMatch(/^Give "operation", or "method"/);
});

it('sends anything by method and path, with another key or none', async () => {
  const { ask, refused } = await openAgent();
  const call = (more: object) => ask('call_operation', { path: '/pets?limit=x', ...more });
  expect(await call({})).toContain('Reason: 400: query parameter "limit" must');
  expect(await call({ key: 'none' })).toContain('Reason: 401: no API key');
  expect(await call({ key: 'wrong' })).toContain('Reason: 401: the API key or token is unknown');
  const both = 'Give "operation", or "method" and "path", but not both.';
  expect(await refused('call_operation', { path: '/pets', operation: 'listPets' })).toBe(both);
  const belong = '"parameters" belong to "operation"; put these into "path".';
  expect(await refused('call_operation', { path: '/pets', parameters: { limit: 2 } })).toBe(belong);
  expect(await call({ path: '/v1/nothing' })).toContain('Reason: 404: There is no operation at');
  const headers = { 'content-type': 'text/plain', authorization: 'Bearer wrong' };
  const create = { operation: 'createPet', body: 'Rex', headers };
  expect(await ask('call_operation', create)).toContain('API key or token is unknown');
  const { authorization: _, ...plain } = headers;
  const sent = await ask('call_operation', { ...create, headers: plain });
  expect(sent).toContain('but is text/plain.');
});

it('leads no id or name to another operation of the admin', async () => {
  const { ask, refused, twin } = await openAgent();
  await fetch(`${twin.origin}/sandboxes/w1/v1/pets`, { headers: bearer('demo-free') });
  const sandboxes = { action: 'delete', collection: '..', id: 'sandboxes' };
  expect(await refused('data', sandboxes)).toBe('"collection" cannot be "..".');
  expect(await refused('break_it', { action: 'remove', id: '.' })).toBe('"id" cannot be ".".');
  const list = await fetch(`${twin.origin}/__admin/sandboxes`);
  expect(await list.text()).toContain('"w1"');
  expect(await ask('data', { action: 'snapshot', name: 'a..b' })).toContain('"a..b"');
});

it('says why calls of clients failed, and what to change', async () => {
  const { ask, twin } = await openAgent();
  expect(await ask('why')).toBe('No such call failed. With "all": true, the journal has 0.');
  await fetch(`${twin.api}/pets`, { headers: bearer('demo-free') });
  const body = JSON.stringify({ name: 7 });
  const headers = { ...bearer('demo-free'), 'Content-Type': 'application/json' };
  await fetch(`${twin.api}/pets`, { method: 'POST', headers, body });
  const failed = await ask('why');
  expect(failed).toMatch(/^#2 \S+ POST \/v1\/pets\n {2}Reason: 400: "categoryId" is required\./);
  expect(failed).toContain('To change that: Correct the body.');
  expect(await ask('why', { all: true, method: 'get' })).toContain('200: listPets listed');
  const whole = await ask('why', { id: 2 });
  expect(whole).toContain('name: 7');
  expect(whole).not.toContain('demo-free\n  Content');
  const deep = '['.repeat(20_000) + ']'.repeat(20_000);
  await fetch(`${twin.api}/pets`, { method: 'POST', headers, body: deep });
  expect(await ask('why', { id: 3 })).toContain('The body is nested too deeply');
});

it('sets responses, breaks connections, delays, exhausts, bans and lifts', async () => {
  const { ask, refused, twin } = await openAgent();
  const list = () => ask('call_operation', { operation: 'listPets' });
  await ask('set_response', { operation: 'listPets', status: 429, times: 1 });
  expect(await list()).toMatch(/Status: 429.+\nReason: .+"fault-1" answered/);
  expect(await list()).toContain('Status: 200');
  const rule = { action: 'fault', fault: 'EMPTY_RESPONSE', operation: 'listPets' };
  await ask('break_it', rule);
  const broke = 'The connection broke.\nReason: No response: the fault "fault-2" broke';
  expect(await list()).toContain(broke);
  expect(await refused('break_it', { action: 'latency' })).toBe('This action needs "delay".');
  await ask('break_it', { action: 'latency', delay: 20 });
  expect(await ask('break_it', { action: 'list' })).toContain('"fixedDelay":20');
  expect(await ask('break_it', { action: 'remove', id: 'fault-2' })).toBe('Removed fault-2.');
  await ask('break_it', { action: 'clear' });
  await ask('break_it', { action: 'exhaust', key: 'demo-free' });
  expect(await list()).toContain('Reason: 429: the minute of demo-free is used up');
  await ask('break_it', { action: 'ban', key: 'demo-free', seconds: 60 });
  expect(await list()).toContain('is banned');
  await ask('break_it', { action: 'lift', key: 'demo-free' });
  expect(await list()).toContain('Status: 200');
  await ask('break_it', { action: 'plan', key: 'demo-free', plan: 'pro' });
  const { headers } = await fetch(`${twin.api}/pets`, { headers: bearer('demo-free') });
  expect(headers.get('x-ratelimit-limit')).toBe('300');
  expect(await refused('break_it', { action: 'ban' })).toBe('This action needs "key".');
  expect(await refused('break_it', { action: 'ban', key: 'nobody' })).toContain('There is no key');
  expect(await refused('set_response', { operation: 'listPets' })).toBe('"status" is required.');
});

it('moves the clock', async () => {
  const { ask, refused } = await openAgent();
  const at = { action: 'freeze', instant: '2030-12-05T00:00:00Z' };
  expect(await ask('time', at)).toBe('The clock shows 2030-12-05T00:00:00.000Z, and is frozen.');
  const advanced = await ask('time', { action: 'advance', days: 1, minutes: 2 });
  expect(advanced).toContain('2030-12-06T00:02');
  const removed = { operation: 'getPet', parameters: { petId: 1 } };
  expect(await ask('call_operation', removed)).toContain('To change that: Call the operation');
  expect(await ask('time', { action: 'release' })).toContain('and runs.');
  expect(await refused('time', { action: 'advance' })).toContain('"advance" needs "days"');
  expect(await refused('time', { action: 'go' })).toMatch(/^"action" must be one of "show"/);
});

it('reads and changes what is stored, with ids beyond 2^53 to the digit', async () => {
  const { ask, refused } = await openAgent();
  const data = (action: string, more: object = {}) =>
    ask('data', { action, collection: 'pets', ...more });
  const sold = await data('list', { filters: { status: 'sold' } });
  expect(sold).toMatch(/^43 items of pets:\n\{"id":3,/);
  const last = '{"id":120,"name":"Hank","categoryId":7,"status":"available"}';
  expect(await data('list', { skip: 119 })).toBe(`120 items of pets:\n${last}`);
  expect(await data('create', { item: { name: 'Rex', categoryId: 1 } })).toContain('"id":121');
  expect(await data('patch', { id: 10, item: { name: 'Even' } })).toContain('9007199254740993');
  expect(await data('get', { id: '10' })).toContain('"Even"');
  await data('snapshot', { name: 'two' });
  expect(await data('delete', { id: 10 })).toBe('Done: delete.');
  expect(await refused('data', { action: 'get', collection: 'pets', id: 10 })).toContain('no item');
  await data('restore', { name: 'two' });
  expect(await data('get', { id: 10 })).toContain('"Even"');
  await data('reset');
  expect(await data('list', { skip: 119 })).toContain('120 items');
  expect(await refused('data', { action: 'list' })).toBe('This action needs "collection".');
});

it('verifies a deployment without creating anything, and keeps the report', async () => {
  const { ask, client, refused, twin } = await openAgent();
  expect(await refused('verify', { action: 'report' })).toBe('Nothing was verified yet.');
  const of = { target: twin.api, keys: ['free=demo-free', 'demo-enterprise'] };
  expect(await ask('verify', { action: 'plan', only: ['getPet'] })).toContain('A run would make');
  const report = await ask('verify', { action: 'run', ...of, only: ['getPet'], skip: 0 });
  expect(report).toMatch(/^CLEAN/);
  const { contents } = await client.readResource({ uri: 'twin://report' });
  expect(contents).toMatchObject([{ text: expect.stringContaining('getPet') }]);
  expect(await ask('verify', { action: 'report', skip: 3 })).not.toContain('CLEAN  No drift: 29');
  expect(await refused('verify', { action: 'run', target: twin.api })).toContain('needs a key');
  expect(await ask('data', { action: 'list', collection: 'pets' })).toContain('120 items');
});

it('says how faithful the mock is to a recording', async () => {
  const folder = projectFile('examples/learn');
  const twin = await startTwin({ spec: `${folder}/orders.yaml` });
  const { ask, refused } = await connectHttp(twin.origin);
  const recordings = [`${folder}/orders-3.har`];
  const baseUrl = 'https://orders.example.com/v1';
  expect(await ask('fidelity', { recordings, baseUrl })).toMatch(/^fidelity 0 %: 0 of 25 answers/);
  const none = await refused('fidelity', { recordings: ['no.har'], baseUrl });
  expect(none).toBe('no.har does not exist.');
});

it('gives the document and references as resources, and prompts', async () => {
  const { client } = await openAgent();
  const { resources } = await client.listResources();
  expect(resources.map(({ uri }) => uri)).toEqual(['twin://document', 'twin://report']);
  const read = async (uri: string) => {
    const { contents } = await client.readResource({ uri });
    return contents.map((one) => ('text' in one ? one.text : '')).join();
  };
  const { contents } = await client.readResource({ uri: 'twin://document' });
  expect(contents).toMatchObject([{ mimeType: resources[0]?.mimeType }]);
  expect(await read('twin://document')).toMatch(/^openapi: 3\.1/);
  expect(await read('twin://operations/getPet')).toMatch(/^getPet: GET \/pets\/\{petId\}/);
  const ref = { type: 'ref/resource', uri: 'twin://operations/{operation}' } as const;
  const argument = { name: 'operation', value: 'list' };
  const { completion } = await client.complete({ ref, argument });
  expect(completion.values).toEqual(['listPets', 'listOrders']);
  const { prompts } = await client.listPrompts();
  expect(prompts.map(({ name }) => name)).toEqual(['write_test', 'why_4xx']);
  const prompt = { name: 'write_test', arguments: { operation: 'getPet' } };
  const { content } = (await client.getPrompt(prompt)).messages[0] ?? {};
  expect(content).toMatchObject({ text: expect.stringContaining('for getPet') });
});

/** A document of which each list would be too long for an answer. */
const many = documentOf(
  Array.from(
    { length: 300 },
    (_, at) => `GET /things${at} -> [Thing]\nGET /things${at}/{id} -> Thing\n`,
  ).join(''),
  { Thing: { ...schemaOf('{ id: int, note }'), description: 'x'.repeat(5000) } },
);

it('answers within 4,000 tokens, and says how to get the rest', async () => {
  const twin = await serveDocument(many);
  const { ask } = await connectHttp(twin.origin);
  const ids = new Set<string>();
  let skip: number | undefined = 0;
  while (skip !== undefined) {
    const page: string = await ask('describe_api', { skip });
    expect(Buffer.byteLength(page)).toBeLessThan(12_000);
    for (const [, id = ''] of page.matchAll(/^(.+): GET \/things/gm)) ids.add(id);
    const [, next] = /"skip": (\d+)\.\]$/.exec(page) ?? [];
    skip = next === undefined ? undefined : Number(next);
  }
  expect(ids.size).toBe(600);
  const note = '犬'.repeat(900);
  for (let at = 0; at < 6; at += 1)
    await ask('data', { action: 'create', collection: 'things7', item: { note } });
  const items = await ask('data', { action: 'list', collection: 'things7', skip: 2 });
  expect(Buffer.byteLength(items)).toBeLessThan(12_000);
  expect(items).toMatch(/\[4 of 8 shown\. The next ones: the same call with "skip": 6\.\]$/);
});
