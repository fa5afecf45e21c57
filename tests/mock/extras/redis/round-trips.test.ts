import { connect } from 'node:net';
import { expect, it, onTestFinished } from 'vitest';
import { describeWithRedis, type RedisServer, startRedis } from '../../../support/redis-server.ts';
import { type Replica, startReplicas } from '../../../support/replicas.ts';

/** Gives the names of the commands that a server gets while something is done. */
async function watchCommands(server: RedisServer) {
  let lines = '';
  const socket = connect(server.port, '127.0.0.1');
  onTestFinished(() => void socket.destroy());
  socket.on('data', (data) => (lines += data));
  socket.write('MONITOR\r\n');
  await expect.poll(() => lines).toContain('+OK');
  let marks = 0;
  /** Waits until all that the server got before is here. */
  const catchUp = async () => {
    const mark = `mark-${++marks}.`;
    server.command('ECHO', mark);
    await expect.poll(() => lines).toContain(mark);
  };
  return async (act: () => Promise<unknown>): Promise<string[]> => {
    await catchUp();
    lines = '';
    await act();
    await catchUp();
    const own = [...lines.matchAll(/^\+\S+ \[\d+ (\S+)\] "(\w+)"/gm)];
    return own
      .filter(([, client]) => client !== 'lua')
      .map(([, , command = '']) => command.toLowerCase())
      .filter((command) => command !== 'echo');
  };
}

describeWithRedis('a request of a twin on Redis', () => {
  it('takes one round trip to read, one more to create, and one more where another was faster', async () => {
    const server = await startRedis();
    const [one, two] = (await startReplicas(2, { store: server.url, journalEntries: 0 })) as [
      Replica,
      Replica,
    ];
    await one.create();
    await two.create();
    await one.send('GET', '/pets');
    const commandsOf = await watchCommands(server);
    expect(await commandsOf(() => one.send('GET', '/pets'))).toEqual(['evalsha']);
    expect(await commandsOf(() => one.send('GET', '/pets/1'))).toEqual(['evalsha']);
    expect(await commandsOf(() => one.send('GET', '/pets?limit=0'))).toEqual(['evalsha']);
    expect(await commandsOf(() => one.create())).toEqual(['evalsha', 'evalsha']);
    expect(await commandsOf(() => two.send('GET', '/pets/123'))).toEqual(['evalsha', 'evalsha']);
    expect(await commandsOf(() => two.send('GET', '/pets/123'))).toEqual(['evalsha']);
    expect(await commandsOf(() => two.send('GET', '/pets', { key: 'unknown' }))).toEqual([]);
    await one.admin('POST', 'faults', { every: 1000, status: 500 });
    await two.send('GET', '/pets');
    expect(await commandsOf(() => two.send('GET', '/pets'))).toEqual(['evalsha', 'evalsha']);
  });

  it('sends requests that come together as one batch to the journal', async () => {
    const server = await startRedis();
    const [one] = (await startReplicas(1, { store: server.url })) as [Replica];
    await one.send('GET', '/pets');
    const commandsOf = await watchCommands(server);
    const commands = await commandsOf(async () => {
      await Promise.all(Array.from({ length: 50 }, () => one.send('GET', '/pets')));
    });
    expect(commands.filter((command) => command === 'evalsha').length).toBeLessThan(100);
    await expect.poll(async () => (await one.admin('GET', 'requests')).body.meta.total).toBe(51);
  });

  it('in a sandbox is no more', async () => {
    const server = await startRedis();
    const [one] = (await startReplicas(1, { store: server.url, journalEntries: 0 })) as [Replica];
    await one.create('Rex', 'qa');
    const commandsOf = await watchCommands(server);
    const commands = await commandsOf(async () => {
      for (let call = 0; call < 10; call++) await one.send('GET', '/pets', { sandbox: 'qa' });
    });
    expect(commands).toHaveLength(10);
  });
});
