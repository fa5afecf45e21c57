import { expect, it } from 'vitest';
import { startTwin } from '../support/twin.ts';

it('gives sandboxes their own settings alone, and no secret of the twin', async () => {
  const { app } = await startTwin({ pets: 0, adminToken: 's3cret' });
  const { settings } = app.served.initialState;
  expect(Object.keys(settings).toSorted()).toEqual(['items', 'policy', 'rateLimits', 'seed']);
});
