import { expect, it, onTestFinished } from 'vitest';
import { readRunOptions } from '../../../contracts/command/parse-options.ts';
import { builtInDocument, loadDocument } from '../../../contracts/description/document.ts';
import { verify } from '../../../contracts/verify/verify.ts';
import { openDeployment } from '../../../tools/lab/deployment.ts';

it('sends no more than it may, those that wait for a key counted', async () => {
  const { url, calls, close } = await openDeployment({
    settings: {
      keys: { 'k-few': 'few' },
      plans: { few: { minute: 9, day: 100_000 } },
      windowSeconds: 1,
    },
  });
  onTestFinished(close);
  const report = await verify({
    document: await loadDocument(builtInDocument),
    targets: [
      {
        name: 'target',
        url,
        keys: [{ secret: 'k-few' }],
        writes: true,
        probeLimits: false,
        fill: false,
      },
    ],
    ...readRunOptions({ maxRequests: 30, wait: 2000 }),
    onEvent: () => {},
  });
  expect(calls()).toBe(30);
  expect(report.targets[0]?.requests).toBe(30);
  expect(report.incomplete.join()).toContain('as the run may make 30 requests');
}, 30_000);
