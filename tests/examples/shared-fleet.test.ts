import { execFile } from 'node:child_process';
import { setTimeout } from 'node:timers/promises';
import { promisify } from 'node:util';
import { afterAll, beforeAll, beforeEach, expect } from 'vitest';
import type { Report } from '../../contracts/report/events.ts';
import { describeWithBalancer } from '../support/balancer.ts';
import { docsPages, readDocsBlocks, toScript } from '../support/docs-blocks.ts';
import { type Fleet, startFleet } from '../support/fleet.ts';
import { makeFolder } from '../support/make-folder.ts';
import type { OnEnd } from '../support/name-server.ts';
import {
  describeWithRedis,
  openRedis,
  type RedisServer,
  startRedis,
} from '../support/redis-server.ts';
import { itInAll } from '../support/sample.ts';
import { bearer } from '../support/twin.ts';
import { verifyAlone } from '../support/verify-command.ts';

/** Three processes share what a busy machine has left. */
const timeout = 180_000;

const json = { 'Content-Type': 'application/json' };

/** Leaves some of the machine to the twins, one of which may be starting. */
const breathe = () => setTimeout(5);

/** A sandbox of the fleet without rate limits. */
const unlimited = { 'X-Sandbox': 'unlimited' };

/** Creates an animal, in a sandbox where its header is given. */
function create({ api }: Fleet, name: string, sandbox?: typeof unlimited): Promise<Response> {
  const headers = { ...bearer('demo-business'), ...json, ...sandbox };
  const body = JSON.stringify({ name, categoryId: 1 });
  return fetch(`${api}/pets`, { method: 'POST', headers, body });
}

/** The balancer looks at each twin once a second, and calls it healthy then. */
const untilSeen = () => setTimeout(1500);

describeWithBalancer('three twins behind the balancer', () => {
  describeWithRedis('with one state', () => {
    let server: RedisServer;
    let fleet: Fleet;
    const ends: Parameters<OnEnd>[0][] = [];

    // Three processes take longer to start than most tests take.
    beforeAll(async () => {
      // Otherwise a server on a busy disk may answer before it has written.
      server = await openRedis(['--appendonly', 'yes', '--appendfsync', 'always']);
      ends.push(server.close);
      fleet = await startFleet(server.url, { onEnd: (end) => ends.push(end) });
    }, timeout);

    // A test that fails may leave a twin dead.
    beforeEach(async () => {
      await Promise.all(fleet.twins.map((twin) => twin.start()));
      const call = async (method: string, path: string, body?: object) => {
        const url = `${fleet.origin}/__admin/${path}`;
        const init = { method, headers: json, ...(body && { body: JSON.stringify(body) }) };
        expect((await fetch(url, init)).ok).toBe(true);
      };
      await call('POST', 'reset');
      await call('PUT', 'sandboxes/unlimited', { rateLimits: 'off' });
    }, timeout);

    afterAll(async () => {
      for (const end of ends.toReversed()) await end();
    });

    itInAll('keep the contract, and differ in nothing from one twin', { timeout }, async () => {
      const keys = ['free=demo-free', 'free=demo-free-2', 'pro=demo-pro'];
      const { code, out } = await verifyAlone([
        // Shortly before a minute ends, one of the two could wait for the next one, and the other not.
        ...['--target', fleet.api, '--strict', '--json', '-', '--wait', '0'],
        ...keys.flatMap((key) => ['--key', key]),
      ]);
      const { findings, totals, silences } = JSON.parse(out) as Report;
      expect(findings).toEqual([]);
      expect(totals.target).toEqual(totals.twin);
      expect(totals.target?.clauses.kept).toBeGreaterThan(30);
      expect(silences.map(({ observed }) => observed.target)).toEqual(
        silences.map(({ observed }) => observed.twin),
      );
      expect(code).toBe(0);
    });

    itInAll(
      'run the lines of the docs, and agree on the clock after them',
      { timeout },
      async () => {
        // Once the balancer has seen a fault, it sends nothing again.
        const { url } = await startRedis();
        const fleet = await startFleet(url);
        const folder = makeFolder();
        const run = (block: string) =>
          promisify(execFile)('bash', ['-c', toScript(block, fleet.origin)], { cwd: folder });
        for (const page of docsPages)
          for (const block of await readDocsBlocks(page)) await run(block);
        await run('curl -X POST http://127.0.0.1:4010/__admin/reset');
        await run(
          `curl -X PUT --json '{"action":"freeze","instant":"2030-12-05T00:00:00Z"}' http://127.0.0.1:4010/__admin/clock`,
        );
        for (const { origin } of fleet.twins) {
          const response = await fetch(`${origin}/v1/pets/1`, { headers: bearer('demo-free') });
          expect(response.status).toBe(410);
        }
      },
    );

    itInAll(
      'lose no creation that was acknowledged as each is killed in turn under load',
      { timeout },
      async () => {
        const { api, twins } = fleet;
        const created = new Map<number, string>();
        let isOver = false;
        const write = async (lane: number) => {
          for (let call = 0; !isOver; call++) {
            const name = `${lane}-${call}`;
            // Nobody knows whether a creation whose connection broke was carried out.
            const response = await create(fleet, name, unlimited).catch(() => undefined);
            if (!response) continue;
            expect(response.status).toBe(201);
            const { id } = (await response.json()) as { id: number };
            expect(created.has(id)).toBe(false);
            created.set(id, name);
            await breathe();
          }
        };
        const killInTurn = async () => {
          for (const twin of twins) {
            const before = created.size;
            await expect.poll(() => created.size).toBeGreaterThan(before + 20);
            await twin.kill();
            await twin.start();
            await untilSeen();
          }
          isOver = true;
        };
        await Promise.all([killInTurn(), ...[0, 1, 2, 3].map(write)]);
        expect(created.size).toBeGreaterThan(60);
        for (const [id, name] of created) {
          const headers = { ...bearer('demo-free'), ...unlimited };
          const response = await fetch(`${api}/pets/${id}`, { headers });
          expect(await response.json()).toMatchObject({ id, name });
        }
      },
    );

    itInAll(
      'break no request, be it safe or not, as each is stopped in turn under load',
      { timeout },
      async () => {
        let isOver = false;
        let calls = 0;
        const call = async () => {
          while (!isOver) {
            expect((await create(fleet, 'Rex', unlimited)).status).toBe(201);
            calls += 1;
            await breathe();
          }
        };
        const stopInTurn = async () => {
          for (const twin of fleet.twins) {
            const before = calls;
            await expect.poll(() => calls).toBeGreaterThan(before + 20);
            await twin.kill('SIGTERM');
            await twin.start();
            await untilSeen();
          }
          isOver = true;
        };
        await Promise.all([stopInTurn(), ...Array.from({ length: 4 }, call)]);
      },
    );

    itInAll(
      'say that the store is gone, and go on with what was acknowledged when it is back',
      async () => {
        const { id } = (await (await create(fleet, 'Rex')).json()) as { id: number };
        const read = () => fetch(`${fleet.api}/pets/${id}`, { headers: bearer('demo-business') });
        await server.kill();
        // At first because the twins say so, and then because none of them is healthy.
        const until = Date.now() + 4000;
        while (Date.now() < until) {
          const response = await read();
          expect(response.status).toBe(503);
          expect(await response.json()).toMatchObject({ code: 'store_unavailable', status: 503 });
          for (const name of ['Limit', 'Remaining', 'Reset'])
            expect(response.headers.get(`X-RateLimit-${name}`)).toMatch(/^\d+$/);
          await breathe();
        }
        await server.restart();
        for (const { origin } of fleet.twins)
          await expect.poll(async () => (await fetch(`${origin}/__admin/health`)).status).toBe(200);
        for (let call = 0; call < 6; call++)
          expect(await (await read()).json()).toMatchObject({ id, name: 'Rex' });
      },
    );
  });
});
