import { expect } from 'vitest';
import { describeWithBalancer } from '../support/balancer.ts';
import { startFleet } from '../support/fleet.ts';
import { itInAll } from '../support/sample.ts';
import { bearer } from '../support/twin.ts';

describeWithBalancer('three twins behind the balancer', () => {
  itInAll('lose no safe request where one is killed under load', async () => {
    const { api, twins } = await startFleet('memory', { args: ['--rate-limits', 'off'] });
    const statuses: number[] = [];
    const lanes = Array.from({ length: 8 }, async (_, lane) => {
      for (let call = 0; call < 100; call++) {
        if (lane === 0 && call === 30) await twins[1].kill();
        const method = call % 5 === 0 ? 'HEAD' : 'GET';
        const response = await fetch(`${api}/pets?limit=${call + 1}`, {
          method,
          headers: bearer('demo-free'),
        });
        await response.text();
        statuses.push(response.status);
      }
    });
    await Promise.all(lanes);
    expect(statuses.length).toBe(800);
    expect(new Set(statuses)).toEqual(new Set([200]));
  });
});
