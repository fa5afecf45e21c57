import { expect, it } from 'vitest';
import { judgeTraffic } from '../../support/traffic.ts';
import { bearer, startTwin } from '../../support/twin.ts';
import { readAll, toFile } from './samples.ts';

it('judges the journal of a twin by the clock that its sandbox had', async () => {
  const twin = await startTwin();
  twin.app.clock.freeze(Date.UTC(2031, 0, 1));
  await (await fetch(`${twin.api}/pets?limit=1`, { headers: bearer('demo-free') })).text();
  for (const name of ['requests.har']) {
    const text = await (await fetch(`${twin.origin}/__admin/${name}`)).text();
    const { exchanges } = await readAll(toFile(text, `${name}.json`));
    const { findings, clauses } = await judgeTraffic(exchanges, { baseUrl: twin.api });
    expect(findings, name).toEqual([]);
    const reset = clauses.find(({ id }) => id === 'rate-limit-reset');
    expect(reset?.results.target?.verdict, name).toBe('kept');
  }
});
