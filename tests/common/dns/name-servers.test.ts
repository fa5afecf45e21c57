import { expect, it } from 'vitest';
import { parseNameServer, systemServers, toServerText } from '../../../common/dns/name-server.ts';
import { lookUp } from '../../../common/dns/resolver.ts';
import { findFreePort } from '../../support/free-port.ts';
import { startZone, type ZoneRecord } from '../../support/zone-server.ts';

const docs = 'docs.example.test';
const address: ZoneRecord = { name: docs, type: 'A', address: '192.0.2.7' };

it('reads addresses of name servers, with and without ports', () => {
  const read = (text: string) => parseNameServer(text);
  expect(read('192.0.2.1')).toEqual({ address: '192.0.2.1', port: 53 });
  expect(read('192.0.2.1:5353')).toEqual({ address: '192.0.2.1', port: 5353 });
  expect(read('2001:db8::1')).toEqual({ address: '2001:db8::1', port: 53 });
  expect(read('[2001:db8::1]')).toEqual({ address: '2001:db8::1', port: 53 });
  expect(read('[2001:db8::1]:5353')).toEqual({ address: '2001:db8::1', port: 5353 });
  for (const text of ['', 'ns.test', '192.0.2.1:0', '192.0.2.1:70000', '192.0.2.1:x', '[::1'])
    expect(read(text), text).toBeUndefined();
  expect(
    ['192.0.2.1:5353', '2001:db8::1', '[2001:db8::1]:5353'].map((text) =>
      toServerText(read(text) as never),
    ),
  ).toEqual(['192.0.2.1:5353', '2001:db8::1', '[2001:db8::1]:5353']);
  expect(systemServers().every(({ port }) => port > 0)).toBe(true);
});

it('asks over IPv4 and IPv6, and again where a packet was lost', async () => {
  for (const at of ['127.0.0.1', '::1']) {
    let times = 0;
    const server = await startZone([address], {
      address: at,
      behave: () => ((times += 1) === 1 ? 'silent' : undefined),
    });
    const options = { servers: [server], timeout: 600 };
    expect(await lookUp({ name: docs, type: 'A' }, options)).toEqual({
      outcome: 'answered',
      isAuthoritative: true,
      records: [{ name: docs, type: 'A', ttl: 3600, value: '192.0.2.7' }],
    });
    expect(server.asked).toHaveLength(2);
  }
});

it('goes on to the next server where one fails, and names all that do', async () => {
  const closed = { address: '127.0.0.1', port: await findFreePort() };
  const silent = await startZone([], { behave: () => 'silent' });
  const failing = await startZone([], { behave: () => 'SERVFAIL' });
  const good = await startZone([address]);
  const look = (...servers: (typeof closed)[]) =>
    lookUp({ name: docs, type: 'A' }, { servers, timeout: 100 });
  expect(await look(closed, silent, failing, good)).toMatchObject({
    outcome: 'answered',
    records: [{ value: '192.0.2.7' }],
  });
  expect(await look(closed, silent, failing)).toEqual({
    outcome: 'failed',
    reason: expect.stringMatching(
      /^ECONNREFUSED from 127\.0\.0\.1:\d+; no answer within 100 ms from 127\.0\.0\.1:\d+; SERVFAIL from 127\.0\.0\.1:\d+$/,
    ),
  });
});
