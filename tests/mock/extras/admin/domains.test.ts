import { afterAll, beforeEach, expect, it } from 'vitest';
import { createDomainsClient } from '../../../support/domains-client.ts';
import { expectAnswer, expectError } from '../../../support/expect-answer.ts';
import { openTestTwin, startTwin } from '../../../support/twin.ts';

const twin = await openTestTwin();
const client = createDomainsClient(twin);
const { call, publish, add, show, setDns, freeze, advance, redirect } = client;
const start = '2030-01-01T00:00:00.000Z';
const name = 'docs.example.com';
const cname = { name, type: 'CNAME', value: 'domains.petstore.example' };

afterAll(() => twin.close());
beforeEach(async () => {
  await twin.app.sandboxes.put('default');
  await freeze(start);
});

it('lets a project have domains with a paid plan and a successful deploy alone', async () => {
  expect((await call('GET', 'project')).json).toEqual({
    ...{ plan: 'free', deploy: 'none', propagationHours: 48, issuanceMinutes: 5 },
    ...{ target: 'domains.petstore.example', authority: 'ca.petstore.example' },
  });
  const plans = 'paid plan (pro, business, enterprise)';
  expectError(await add(name), 409, 'domain_refused', plans);
  for (const deploy of ['failed', 'none']) {
    await publish({ deploy });
    expectError(await add(name), 409, 'domain_refused', 'successful deploy');
  }
  for (const plan of ['pro', 'business', 'enterprise']) {
    await publish({ plan });
    expectAnswer(await add(`${plan}.example.com`), 201);
  }
});

it('shows a domain with the record to set, and follows it by the clock', async () => {
  await publish();
  const missing = {
    ...{ code: 'record-missing', clause: 'cname', message: `${name} has no CNAME record.` },
    whatToDo: `Set CNAME ${name} -> domains.petstore.example with TTL 3600.`,
    blocks: true,
  };
  const { status, json } = await add('Docs.Example.com.');
  expect(status).toBe(201);
  expect(json).toEqual({
    ...{ domain: name, kind: 'subdomain', addedAt: start, state: 'pending', since: start },
    ...{ waitsFor: `The right records of ${name}.`, expectedAt: null, problems: [missing] },
    record: { name, types: ['CNAME'], ttl: 3600, value: 'domains.petstore.example' },
  });
  await setDns([cname]);
  const states: string[] = [];
  for (;;) {
    const { state, expectedAt } = await show(name);
    states.push(state);
    if (expectedAt === null) break;
    await freeze(expectedAt);
  }
  expect(states).toEqual(['pending', 'verified', 'certificate-issued', 'active']);
  await freeze(start);
  expect(await show(name)).toMatchObject({ state: 'pending' });
});

it.each([
  ['example.org', 'apex', ['ALIAS', 'ANAME']],
  ['example.co.uk', 'apex', ['ALIAS', 'ANAME']],
  ['docs.example.co.uk', 'subdomain', ['CNAME']],
])('takes %s for %s', async (domain, kind, types) => {
  await publish();
  expect((await add(domain)).json).toMatchObject({ kind, record: { types } });
});

it.each(['co.uk', 'localhost', '127.0.0.1', 'a b.example.com', '*.example.com'])(
  'refuses the domain %s',
  async (domain) => {
    await publish();
    expectError(await add(domain), 400, 'invalid_body');
  },
);

it('verifies again after CAA records were changed', async () => {
  await publish({ propagationHours: 0 });
  await add(name);
  await setDns([cname, { name: 'example.com', type: 'CAA', value: '0 issue "other.example"' }]);
  await advance(3_600_000);
  const refuses = { state: 'verified', problems: [{ code: 'caa-refuses' }] };
  expect(await show(name)).toMatchObject(refuses);
  const verify = () => call('POST', `domains/${name}/verify`);
  expect((await verify()).json.problems).toMatchObject([{ code: 'caa-refuses' }]);
  await setDns([cname]);
  expect(await show(name)).toMatchObject({ problems: [{ code: 'verify-again' }] });
  expect((await verify()).json).toMatchObject({ state: 'verified', problems: [] });
  await advance(3_600_000);
  expect(await show(name)).toMatchObject({ state: 'active' });
});

it('refuses redirects to what is no domain of the project, and those in a circle', async () => {
  await publish();
  const refusals = [await redirect('old.example.com', name), await redirect(name, name)];
  await add(name);
  await add('b.example.com');
  const made = await redirect('old.example.com', name);
  expectAnswer(made, 201, { from: 'old.example.com', to: name, status: 301 });
  expectAnswer(await redirect('b.example.com', name, 308), 201);
  refusals.push(await redirect(name, 'b.example.com'), await redirect('b.example.com', name));
  const circle = 'The redirect would go round in a circle';
  const first = 'A redirect targets a domain of the project';
  for (const message of [first, circle, circle, 'b.example.com redirects already'])
    expectError(refusals.shift() as object, 409, 'domain_refused', message);
  expect(await redirect('c.example.com', name, 200)).toMatchObject({ status: 400 });
  expectError(await redirect('co.uk', name), 400, 'invalid_body', 'below a public suffix');
  expect(await call('DELETE', 'redirects/old.example.com')).toMatchObject({ status: 204 });
  expect(await call('DELETE', 'redirects/old.example.com')).toMatchObject({ status: 404 });
});

it('removes a domain with its redirects, and says where there is none', async () => {
  await publish();
  await add(name);
  await redirect('old.example.com', name);
  expect(await call('DELETE', `domains/${name}`)).toMatchObject({ status: 204 });
  expect((await call('GET', 'redirects')).json).toEqual({ redirects: [] });
  expectError(await call('DELETE', `domains/${name}`), 404, 'not_found');
  expectError(await call('GET', `domains/${name}`), 404, 'not_found');
  expectError(await call('POST', `domains/${name}/verify`), 404, 'not_found');
});

it('holds records, and says which is wrong', async () => {
  const records = [
    { ...cname, ttl: 300 },
    { name, type: 'A', ttl: 60, value: '192.0.2.1' },
  ];
  await setDns(records);
  expect((await call('GET', 'dns')).json).toEqual({ records });
  const wrong = '"records/1": "value" of A must be an IPv4 address, but is "domains.';
  expectError(await setDns([cname, { ...cname, type: 'A' }]), 400, 'invalid_body', wrong);
  expect((await call('GET', 'dns')).json).toEqual({ records });
  await setDns([]);
  expect((await call('GET', 'dns')).json).toEqual({ records: [] });
});

it('takes names beyond ASCII', async () => {
  await publish();
  const ascii = 'docs.xn--mnchen-3ya.example.com';
  expect((await add('Docs.MÜNCHEN.example.com')).json).toMatchObject({ domain: ascii });
  expect((await show('docs.münchen.example.com')).domain).toBe(ascii);
  for (const wrong of ['a b.münchen.example', '１２７.0.0.1', 'ü', 'xn--a.exa\u202emple.com'])
    expectError(await add(wrong), 400, 'invalid_body');
});

it('is in snapshots, exported ones too, and isolated in sandboxes', async () => {
  await client.activate(name);
  await redirect('old.example.com', name);
  const before = await show(name);
  expect(before.state).toBe('active');
  await call('PUT', 'snapshots/with');
  // Its items hold integers that JSON.parse does not read to the digit.
  const exported = { ...(await call('GET', 'snapshots/with')).json, collections: {} };
  await call('POST', 'reset');
  expect((await call('GET', 'domains')).json).toEqual({ domains: [] });
  await call('POST', 'snapshots/with/restore');
  expect(await show(name)).toEqual(before);

  const other = createDomainsClient(twin, '/sandboxes/other');
  expect((await other.call('GET', 'domains')).json).toEqual({ domains: [] });
  expect(await other.call('PUT', 'snapshots/copy', exported)).toMatchObject({ status: 201 });
  await other.call('POST', 'snapshots/copy/restore');
  expect(await other.show(name)).toEqual(before);
  expect((await other.call('GET', 'redirects')).json.redirects).toHaveLength(1);
});

it('records what changes domains, as calls of the admin', async () => {
  await publish();
  await add(name);
  await call('GET', 'domains');
  const { requests } = (await call('GET', 'requests?admin=true')).json;
  expect(requests.map(({ reason }: { reason: object }) => reason)).toEqual([
    { step: 'admin', operation: 'addDomain' },
    { step: 'admin', operation: 'setProject' },
  ]);
});

/** A snapshot with a domain and more. */
function snapshotOf(domain: object, more: object = {}): object {
  const domains = [{ name, kind: 'subdomain', addedAt: 0, ...domain }];
  const all = { domains, redirects: [], removed: [], zone: [], ...more };
  return { version: 1, collections: {}, domains: all };
}

it.each(
  Object.entries({
    '"domains/domains/0/name" must': snapshotOf({ name: 'a b' }),
    'public suffix': snapshotOf({ name: 'co.uk', kind: 'apex' }),
    'is this machine': snapshotOf({ name: 'a.b.localhost' }),
    '"domains/redirects/0/from" must be a name below a public suffix': snapshotOf(
      {},
      { redirects: [{ from: 'co.uk', to: name, status: 301 }] },
    ),
  }),
)('imports no snapshot, but says: %s', async (message, snapshot) => {
  expectError(await call('PUT', 'snapshots/wrong', snapshot), 400, 'invalid_body', message);
  expect((await call('GET', 'snapshots')).json).toEqual({ snapshots: [] });
});

it('imports no domain that is a host of the API', async () => {
  const other = createDomainsClient(await startTwin({ allowedHosts: [name] }));
  const refused = await other.call('PUT', 'snapshots/one', snapshotOf({}));
  expectError(refused, 400, 'invalid_body', `${name} is a host of the API here`);
});
