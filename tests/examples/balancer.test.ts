import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import { expect, it, onTestFinished, vi } from 'vitest';
import { type Balancer, describeWithBalancer, startBalancer } from '../support/balancer.ts';
import { itInAll } from '../support/sample.ts';

/** Something that runs where the balancer expects a twin, and what it was asked but for its health. */
type StandIn = { asked: { method: string; url: string; rawHeaders: string[] }[]; health: number };

/** Starts a server that is healthy and answers 200 unless it is told otherwise. */
async function startStandIn(
  { twinPort }: Balancer,
  address: string,
  answer: RequestListener = (_, response) => response.end(address),
): Promise<StandIn> {
  const standIn: StandIn = { asked: [], health: 200 };
  const server = createServer((request, response) => {
    const { method = '', url = '', rawHeaders } = request;
    if (url === '/__admin/health') return response.writeHead(standIn.health).end();
    standIn.asked.push({ method, url, rawHeaders });
    answer(request, response);
  });
  server.listen(twinPort, address);
  await once(server, 'listening');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return standIn;
}

const [first, second] = ['127.0.0.2', '127.0.0.3'] as const;

const breakOff: RequestListener = (_, response) => response.destroy();

/** Waits until a twin is known to be up: one that was just found is checked within a second. */
async function askUntil({ origin }: Balancer, wanted: string): Promise<void> {
  await vi.waitFor(async () => expect(await (await fetch(`${origin}/until`)).text()).toBe(wanted), {
    timeout: 20_000,
    interval: 50,
  });
}

describeWithBalancer('the balancer', () => {
  itInAll('repeats what is safe where a twin breaks off, and nothing else', async () => {
    const balancer = await startBalancer([first, second]);
    const broken = await startStandIn(balancer, first, breakOff);
    const whole = await startStandIn(balancer, second);
    const origin = balancer.origin;
    for (let number = 0; number < 10; number++)
      expect(await (await fetch(`${origin}/safe`)).text()).toBe(second);
    expect(broken.asked.length).toBeGreaterThan(0);
    const outcomes = await Promise.all(
      Array.from({ length: 10 }, () =>
        fetch(`${origin}/once`, { method: 'POST' }).then(
          () => 'answered',
          () => 'broken',
        ),
      ),
    );
    const sent = [...broken.asked, ...whole.asked].filter(({ url }) => url === '/once');
    expect(sent.length).toBe(10);
    expect(outcomes).toContain('broken');
    expect(outcomes).toContain('answered');
  });

  itInAll('repeats nothing once there was a fault, as faults break connections too', async () => {
    const balancer = await startBalancer([first]);
    const { asked } = await startStandIn(balancer, first, ({ url }, response) =>
      url === '/broken' ? response.destroy() : response.end(),
    );
    const { origin } = balancer;
    await fetch(`${origin}/sandboxes/a/__admin/faults`, { method: 'PUT', body: '{}' });
    await expect(fetch(`${origin}/broken`)).rejects.toThrow();
    expect(asked.filter(({ url }) => url === '/broken').length).toBe(1);
  });

  itInAll('finds twins that are added, and forgets those that are gone', async () => {
    const balancer = await startBalancer([first]);
    await startStandIn(balancer, first);
    await startStandIn(balancer, second);
    await askUntil(balancer, first);
    balancer.setTwins([first, second]);
    await askUntil(balancer, second);
    balancer.setTwins([second]);
    await vi.waitFor(
      async () => {
        for (let number = 0; number < 4; number++)
          expect(await (await fetch(balancer.origin)).text()).toBe(second);
      },
      { timeout: 20_000 },
    );
  });

  itInAll('answers with an Error where it reaches no twin', async () => {
    const { origin } = await startBalancer([first]);
    const response = await fetch(`${origin}/v1/pets`);
    expect(response.status).toBe(503);
    expect(response.headers.get('Content-Type')).toBe('application/json');
    expect(response.headers.get('Retry-After')).toBe('1');
    expect(await response.json()).toEqual({
      code: 'no_twin',
      message: expect.stringContaining('no twin'),
      status: 503,
    });
  });

  it('adds the token of the compose file to calls of the admin that have none', async () => {
    const balancer = await startBalancer([first]);
    const { asked } = await startStandIn(balancer, first);
    const tokenOf = async (path: string, headers = {}) => {
      await fetch(balancer.origin + path, { headers });
      const { rawHeaders = [] } = asked.at(-1) ?? {};
      const at = rawHeaders.indexOf('authorization');
      return at === -1 ? undefined : rawHeaders[at + 1];
    };
    expect(await tokenOf('/__admin')).toBe('Bearer local');
    expect(await tokenOf('/__admin/clock')).toBe('Bearer local');
    expect(await tokenOf('/sandboxes/a%20b/__admin/console')).toBe('Bearer local');
    expect(await tokenOf('/__admin/clock', { Authorization: 'Bearer own' })).toBe('Bearer own');
    expect(await tokenOf('/v1/pets')).toBeUndefined();
    expect(await tokenOf('/__administration')).toBeUndefined();
    expect(await tokenOf('/v1/__admin/clock')).toBeUndefined();
  });
});
