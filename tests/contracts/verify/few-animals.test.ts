import { expect, it } from 'vitest';
import { resultOf, verifyDeployment } from '../../support/verify-deployment.ts';

const deployment = { settings: { animals: 3 } };

it('says what a deployment with three animals cannot show, and how many it takes', async () => {
  const { report } = await verifyDeployment(deployment, { only: ['page-size', 'filter'] });
  expect(report).toMatchObject({ verdict: 'clean', incomplete: [] });
  expect(resultOf(report, 'page-size')).toMatchObject({
    verdict: 'inconclusive',
    reason: expect.stringMatching(
      /^only \d+ items could be seen; testing the maximum of 100 takes 100$/,
    ),
  });
});

it('tries all of a deployment with three animals where it may add some', async () => {
  const { report } = await verifyDeployment(deployment, { only: ['page-size'], fill: true });
  expect(report).toMatchObject({ verdict: 'clean', incomplete: [] });
  expect(resultOf(report, 'page-size')).toMatchObject({ verdict: 'kept' });
});
