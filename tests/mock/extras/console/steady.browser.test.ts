import type { Locator } from 'playwright';
import { expect, it } from 'vitest';
import { placesUpTo } from '../../../support/button-places.ts';
import { usePages } from '../../../support/open-page.ts';
import { bearer, startTwin } from '../../../support/twin.ts';

const openPage = usePages();

/** Presses a button, and expects that none moved that stands no lower. */
async function pressSteadily(button: Locator, shown: Locator): Promise<void> {
  const before = await placesUpTo(button);
  await button.click();
  await shown.first().waitFor();
  expect(await placesUpTo(button)).toMatchObject(before);
}

it('moves no button under the pointer', async () => {
  const twin = await startTwin();
  await (await fetch(`${twin.api}/pets`, { headers: bearer('demo-free') })).text();
  const { page } = await openPage(`${twin.origin}/__admin/console#limits`);
  const button = (name: string) => page.getByRole('button', { name, exact: true });
  const done = page.getByRole('status').getByText('Done.');
  const question = page.getByRole('button', { name: 'Cancel' });
  const line = page.getByLabel('curl line', { exact: true });
  await pressSteadily(button('Exhaust the minute of demo-free'), done);
  await pressSteadily(button('curl line for: Lift the limits of demo-free'), line);
  await page.getByRole('link', { name: 'Clock' }).click();
  await pressSteadily(button('Freeze now'), done);
  await pressSteadily(button('curl line for: By a minute'), line);
  await page.getByLabel('Amount').fill('soon');
  const refused = page.getByRole('status').getByText('durationMillis');
  await pressSteadily(button('Advance by soon minutes'), refused);
  await page.getByRole('link', { name: 'Data' }).click();
  await pressSteadily(button('curl line for: Delete all items'), line);
  await pressSteadily(button('Delete all items'), question);
  await page.getByRole('link', { name: 'Requests' }).click();
  await page.getByRole('row', { name: /GET/ }).click();
  await pressSteadily(button('Copy as curl'), page.getByRole('status').getByText('opied'));
  await pressSteadily(button('Send again'), page.getByRole('button', { name: 'Open request' }));
  await pressSteadily(button('curl line for: Delete all requests'), line);
  await pressSteadily(button('Delete all requests'), question);
  await page.getByRole('link', { name: 'Sandboxes' }).click();
  await pressSteadily(button('Reset default'), question);
  await pressSteadily(button('curl line for: Reset default'), line);
});
