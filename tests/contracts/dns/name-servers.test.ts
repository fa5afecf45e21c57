import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { expect, it, onTestFinished } from 'vitest';
import { askServer } from '../../../contracts/dns/ask-server.ts';
import {
  parseNameServer,
  systemServers,
  toServerText,
} from '../../../contracts/dns/name-server.ts';
import { createResolver } from '../../../contracts/dns/resolver.ts';
import { rulingOf, startStand, verdictsOf } from '../../support/domain-stand.ts';
import { findFreePort } from '../../support/free-port.ts';
import { startZone, type ZoneRecord } from '../../support/zone-server.ts';

const docs = 'docs.example.test';
const address: ZoneRecord = { name: docs, type: 'A', address: '192.0.2.7' };
const ask = { timeout: 5000, isRecursive: true };

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

it('asks over IPv4 and IPv6', async () => {
  for (const at of ['127.0.0.1', '::1']) {
    const server = await startZone([address], { address: at });
    const reply = await askServer({ name: docs, type: 'A' }, server, ask);
    expect(reply).toEqual({
      code: 'NOERROR',
      isAuthoritative: true,
      records: [{ name: docs, type: 'A', ttl: 3600, data: '192.0.2.7' }],
    });
  }
});

it('asks over TCP for an answer that is too large for UDP', async () => {
  const many = Array.from(
    { length: 200 },
    (_, at): ZoneRecord => ({
      ...(address as ZoneRecord & { type: 'A' }),
      address: `192.0.2.${at}`,
    }),
  );
  const server = await startZone(many);
  const { records } = await askServer({ name: docs, type: 'A' }, server, ask);
  expect(records).toHaveLength(200);
  expect(server.asked).toHaveLength(2);
});

it('sends a question again, as UDP loses packets', async () => {
  let times = 0;
  const server = await startZone([address], {
    behave: () => ((times += 1) === 1 ? 'silent' : undefined),
  });
  const reply = await askServer({ name: docs, type: 'A' }, server, { ...ask, timeout: 600 });
  expect(reply.records).toHaveLength(1);
  expect(server.asked).toHaveLength(2);
});

it('takes no answer to another question', async () => {
  const socket = createSocket('udp4');
  socket.bind(0, '127.0.0.1');
  await once(socket, 'listening');
  onTestFinished(() => void socket.close());
  socket.on('message', (query, { port, address: from }) => {
    const reply = Buffer.from(query);
    reply.writeUInt16BE((query.readUInt16BE() + 1) & 0xffff);
    reply[2] = 0x81;
    socket.send(reply, port, from);
    socket.send(Buffer.from('no DNS at all'), port, from);
  });
  const server = { address: '127.0.0.1', port: socket.address().port };
  await expect(
    askServer({ name: docs, type: 'A' }, server, { ...ask, timeout: 100 }),
  ).rejects.toThrow('no answer within 100 ms');
});

it('goes on to the next server where one fails, and names all that do', async () => {
  const closed = { address: '127.0.0.1', port: await findFreePort() };
  const silent = await startZone([], { behave: () => 'silent' });
  const failing = await startZone([], { behave: () => 'SERVFAIL' });
  const good = await startZone([address]);
  const look = (...servers: (typeof closed)[]) =>
    createResolver({ servers, timeout: 100 }).look(docs, 'A');
  expect(await look(closed, silent, failing, good)).toMatchObject({
    outcome: 'answered',
    records: [{ data: '192.0.2.7' }],
  });
  expect(await look(closed, silent, failing)).toEqual({
    outcome: 'failed',
    reason: expect.stringMatching(
      /^no name server listens at 127\.0\.0\.1:\d+ \(ECONNREFUSED\); no answer within 100 ms from 127\.0\.0\.1:\d+; SERVFAIL from 127\.0\.0\.1:\d+$/,
    ),
  });
});

it('tells a failing name server from a missing record', async () => {
  const { check } = await startStand({ zone: { behave: () => 'SERVFAIL' } });
  const checked = await check([docs]);
  expect(rulingOf(checked, 'cname')).toMatchObject({
    verdict: 'unanswered',
    message: `The CNAME record of ${docs} could not be looked up`,
    actual: expect.stringMatching(/^SERVFAIL from 127\.0\.0\.1:\d+$/),
  });
  expect(verdictsOf(checked)).toMatchObject({
    caa: 'unanswered',
    'no-address': 'inconclusive',
    certificate: 'inconclusive',
  });
  const apex = await check(['example.test']);
  expect(verdictsOf(apex)).toMatchObject({ apex: 'unanswered' });
});

it('says that no name server answers at all', async () => {
  const { check } = await startStand({ zone: { behave: () => 'silent' } });
  await expect(check([docs], { timeout: 50 })).rejects.toThrow(
    /^No name server answered: no answer within 50 ms from 127\.0\.0\.1:\d+\. Name one that does with --dns-server ADDRESS\.$/,
  );
});
