import { expect, it } from 'vitest';
import { createDomainsClient } from '../../support/domains-client.ts';
import { findFreePort } from '../../support/free-port.ts';
import { startTwin } from '../../support/twin.ts';
import { startZone, type ZoneRecord } from '../../support/zone-server.ts';

const name = 'docs.example.com';
const target = 'domains.petstore.example';

it('goes by the records of a real name server, as they are when it is verified again', async () => {
  const records: ZoneRecord[] = [
    { name, type: 'A', address: '192.0.2.9' },
    { name: target, type: 'A', address: '192.0.2.1' },
    { name: 'example.org', type: 'A', address: '192.0.2.1' },
    { name: 'example.com', type: 'CAA', tag: 'issue', value: 'other.example' },
  ];
  const { address, port } = await startZone(records);
  const client = createDomainsClient(await startTwin({ dnsServer: `${address}:${port}` }));
  await client.freeze('2030-01-01T00:00:00Z');
  await client.publish({ issuanceMinutes: 0 });
  const added = await client.add(name);
  expect(added.json.problems).toMatchObject([
    { code: 'address-conflict' },
    { code: 'record-missing' },
    { code: 'caa-refuses' },
  ]);
  expect((await client.add('example.org')).json.state).toBe('certificate-issued');
  records[0] = { name, type: 'CNAME', domain: target };
  await client.advance(1000);
  expect(await client.show(name)).toMatchObject({ state: 'pending' });
  const verify = async () => (await client.call('POST', `domains/${name}/verify`)).json;
  expect(await verify()).toMatchObject({ state: 'verified', problems: [{ code: 'caa-refuses' }] });
  records.pop();
  await client.advance(1000);
  expect(await verify()).toMatchObject({ state: 'certificate-issued', problems: [] });
  expect((await client.call('GET', 'dns')).json).toMatchObject({
    dnsServer: `${address}:${port}`,
    records: expect.arrayContaining([expect.objectContaining({ name, type: 'CNAME' })]),
  });
  expect(await client.setDns([])).toMatchObject({ status: 409, json: { code: 'domain_refused' } });
});

it('sees what the check sees: aliases in a row, and addresses and CAA records beside them', async () => {
  const records: ZoneRecord[] = [
    { name, type: 'CNAME', domain: 'alias.example.org' },
    { name: 'alias.example.org', type: 'CNAME', domain: target },
    { name: target, type: 'A', address: '192.0.2.1' },
  ];
  const { address, port } = await startZone(records);
  const client = createDomainsClient(await startTwin({ dnsServer: `${address}:${port}` }));
  await client.freeze('2030-01-01T00:00:00Z');
  await client.publish({ issuanceMinutes: 0 });
  expect((await client.add(name)).json).toMatchObject({
    state: 'certificate-issued',
    problems: [],
  });
  const codesAfter = async (...more: ZoneRecord[]) => {
    records.push(...more);
    await client.advance(1000);
    const { json } = await client.call('POST', `domains/${name}/verify`);
    records.splice(records.length - more.length);
    return json.problems.map(({ code }: { code: string }) => code);
  };
  expect(await codesAfter({ name, type: 'A', address: '192.0.2.1' })).toEqual(['address-conflict']);
  expect(await codesAfter()).toEqual([]);
  const refused = { type: 'CAA', tag: 'issue', value: 'other.example' } as const;
  const added = await client.add('b.example.com');
  expect(added.json).toMatchObject({ problems: [{ code: 'record-missing' }] });
  records.push({ name: 'b.example.com', type: 'CNAME', domain: target });
  records.push({ name: target, ...refused });
  const { json } = await client.call('POST', 'domains/b.example.com/verify');
  expect(json).toMatchObject({ state: 'verified', problems: [{ code: 'caa-refuses' }] });
});

it('says what a name server refuses, as one does for zones of others', async () => {
  const { address, port } = await startZone([], {
    behave: ({ name: asked }) => (asked === 'example.com' ? 'REFUSED' : undefined),
  });
  const server = `${address}:${port}`;
  const client = createDomainsClient(await startTwin({ dnsServer: server }));
  await client.publish();
  expect((await client.add(name)).json.message).toBe(
    `The name server ${server} does not say which CAA records example.com has (REFUSED from ${server}). Name a resolver with --dns-server, and see that it is running.`,
  );
});

it('says that a name server gives no answer, and adds nothing', async () => {
  const port = await findFreePort('127.0.0.1');
  const client = createDomainsClient(await startTwin({ dnsServer: `127.0.0.1:${port}` }));
  await client.publish();
  const refused = await client.add(name);
  expect(refused).toMatchObject({ status: 409, json: { code: 'domain_refused' } });
  expect(refused.json.message).toContain(
    `The name server 127.0.0.1:${port} does not say which CNAME records ${name} has (`,
  );
  expect((await client.call('GET', 'domains')).json).toEqual({ domains: [] });
}, 20_000);
