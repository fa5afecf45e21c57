import { afterAll, beforeEach, expect, it } from 'vitest';
import { createDomainsClient } from '../../../support/domains-client.ts';
import { expectAnswer } from '../../../support/expect-answer.ts';
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
    plan: 'free',
    deploy: 'none',
    target: 'domains.petstore.example',
    authority: 'ca.petstore.example',
    propagationHours: 48,
    issuanceMinutes: 5,
  });
  const refused = await add(name);
  expect(refused).toMatchObject({ status: 409, json: { code: 'domain_refused', status: 409 } });
  expect(refused.json.message).toContain('paid plan (pro, business, enterprise)');
  for (const deploy of ['failed', 'none']) {
    await publish({ deploy });
    expect((await add(name)).json.message).toContain('successful deploy');
  }
  for (const plan of ['pro', 'business', 'enterprise']) {
    await publish({ plan });
    expect(await add(`${plan}.example.com`)).toMatchObject({ status: 201 });
  }
});

it('shows a domain with the record to set, and follows it by the clock', async () => {
  await publish();
  const { status, json } = await add('Docs.Example.com.');
  expect({ status, json }).toEqual({
    status: 201,
    json: {
      domain: name,
      kind: 'subdomain',
      addedAt: start,
      state: 'pending',
      since: start,
      waitsFor: `The right records of ${name}.`,
      expectedAt: null,
      record: { name, types: ['CNAME'], ttl: 3600, value: 'domains.petstore.example' },
      problems: [
        {
          code: 'record-missing',
          clause: 'cname',
          message: `${name} has no CNAME record.`,
          whatToDo: `Set CNAME ${name} -> domains.petstore.example with TTL 3600.`,
          blocks: true,
        },
      ],
    },
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
    expect(await add(domain)).toMatchObject({ status: 400, json: { code: 'invalid_body' } });
  },
);

it('verifies again after CAA records were changed', async () => {
  await publish({ propagationHours: 0 });
  await add(name);
  await setDns([cname, { name: 'example.com', type: 'CAA', value: '0 issue "other.example"' }]);
  await advance(3_600_000);
  expect(await show(name)).toMatchObject({
    state: 'verified',
    problems: [{ code: 'caa-refuses' }],
  });
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
  const { status, json } = await redirect('old.example.com', name);
  expect([status, json]).toEqual([201, { from: 'old.example.com', to: name, status: 301 }]);
  expect(await redirect('b.example.com', name, 308)).toMatchObject({ status: 201 });
  refusals.push(await redirect(name, 'b.example.com'), await redirect('b.example.com', name));
  expect(refusals.map(({ status, json }) => [status, json.code])).toEqual(
    refusals.map(() => [409, 'domain_refused']),
  );
  expect(refusals.map(({ json }) => json.message.split(/[:,.]\s/)[0])).toEqual([
    'A redirect targets a domain of the project',
    'The redirect would go round in a circle',
    'The redirect would go round in a circle',
    'b.example.com redirects already',
  ]);
  expect(await redirect('c.example.com', name, 200)).toMatchObject({ status: 400 });
  expectAnswer(await redirect('co.uk', name), 400, {
    code: 'invalid_body',
    message: expect.stringContaining('below a public suffix'),
  });
  expect(await call('DELETE', 'redirects/old.example.com')).toMatchObject({ status: 204 });
  expect(await call('DELETE', 'redirects/old.example.com')).toMatchObject({ status: 404 });
});

it('removes a domain with its redirects, and says where there is none', async () => {
  await publish();
  await add(name);
  await redirect('old.example.com', name);
  expect(await call('DELETE', `domains/${name}`)).toMatchObject({ status: 204 });
  expect((await call('GET', 'redirects')).json).toEqual({ redirects: [] });
  for (const [method, path] of [
    ['DELETE', ''],
    ['GET', ''],
    ['POST', '/verify'],
  ] as const)
    expectAnswer(await call(method, `domains/${name}${path}`), 404, { code: 'not_found' });
});

it('holds records, and says which is wrong', async () => {
  const records = [
    { ...cname, ttl: 300 },
    { name, type: 'A', ttl: 60, value: '192.0.2.1' },
  ];
  await setDns(records);
  expect((await call('GET', 'dns')).json).toEqual({ records });
  expect((await setDns([cname, { ...cname, type: 'A' }])).json).toMatchObject({
    code: 'invalid_body',
    message:
      '"records/1": "value" of A must be an IPv4 address, but is "domains.petstore.example".',
  });
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
    expect(await add(wrong)).toMatchObject({ status: 400, json: { code: 'invalid_body' } });
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

it.each<[string, object, string]>([
  [
    'a name that is none',
    { domains: [attached({ name: 'a b' })] },
    '"domains/domains/0/name" must',
  ],
  ['a public suffix', { domains: [attached({ name: 'co.uk', kind: 'apex' })] }, 'public suffix'],
  ['this machine', { domains: [attached({ name: 'a.b.localhost' })] }, 'is this machine'],
  [
    'a redirect from a public suffix',
    { domains: [attached()], redirects: [{ from: 'co.uk', to: name, status: 301 }] },
    '"domains/redirects/0/from" must be a name below a public suffix',
  ],
])('imports no snapshot with %s', async (_, facts, message) => {
  const none = { domains: [], redirects: [], removed: [], zone: [] };
  const snapshot = { version: 1, collections: {}, domains: { ...none, ...facts } };
  const { status, json } = await call('PUT', 'snapshots/wrong', snapshot);
  expect([status, json.code]).toEqual([400, 'invalid_body']);
  expect(json.message).toContain(message);
  expect((await call('GET', 'snapshots')).json).toEqual({ snapshots: [] });
});

it('imports no domain that is a host of the API', async () => {
  const { call: callOther } = createDomainsClient(
    await startTwin({ allowedHosts: ['docs.example.com'] }),
  );
  const none = { domains: [], redirects: [], removed: [], zone: [] };
  const domains = { ...none, domains: [attached()] };
  const { status, json } = await callOther('PUT', 'snapshots/one', {
    ...{ version: 1, collections: {}, domains },
  });
  expect(status).toBe(400);
  expect(json.message).toContain(`${name} is a host of the API here`);
});

/** A domain as a snapshot has it. */
function attached(fields: object = {}): object {
  return { name, kind: 'subdomain', addedAt: 0, ...fields };
}
