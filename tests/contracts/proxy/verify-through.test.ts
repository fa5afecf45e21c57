import { expect, it } from 'vitest';
import type { Report } from '../../../contracts/report/events.ts';
import {
  proKey,
  quick,
  reportOf,
  startDeployment,
  useVerify,
} from '../../support/verify-command.ts';
import { startProxy } from './raw-target.ts';

const verify = useVerify();

it('shows the suite the same deployment as without it, and records each call', async () => {
  // Both runs fall into the middle of a minute, as what they see of windows depends on it.
  const ahead = 20_000 - (Date.now() % 60_000);
  const { url } = await startDeployment({ now: () => Date.now() + ahead });
  const proxy = await startProxy(url, { via: true });
  const reports: Report[] = [];
  for (const target of [url, `${proxy.origin}/v1`])
    reports.push(await reportOf(verify, ['--target', target, '--key', proKey, ...quick]));
  const [direct, proxied] = reports.map(({ verdict, clauses, silences, findings }) => ({
    verdict,
    findings: findings.map(({ check, message }) => [check, message]),
    clauses: clauses.map(({ id, results }) => [id, results.target?.verdict]),
    // What is seen of windows depends on when in a minute the run begins.
    silences: silences.flatMap(({ id, observed }) =>
      id === 'rate-limit-windows' ? [] : [[id, observed]],
    ),
  }));
  expect(direct?.verdict).toBe('clean');
  expect(proxied).toEqual(direct);
  expect(proxy.recorded).toHaveLength(reports[1]?.targets[0]?.requests ?? 0);
  expect(proxy.recorded.filter(({ failure }) => failure)).toEqual([]);
});
