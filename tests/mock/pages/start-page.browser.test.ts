import { expect, it } from 'vitest';
import { expectAccessible, usePages } from '../../support/open-page.ts';
import { startTwin } from '../../support/twin.ts';

const openPage = usePages();

it('shows a browser what is served, and every other client what it showed before', async () => {
  const { origin } = await startTwin();
  const { page, problems } = await openPage(`${origin}/`);
  await page.getByRole('heading', { name: 'Pet Store Service 1.0.0' }).waitFor();
  await page.getByRole('button', { name: 'Copy' }).first().click();
  expect(problems).toEqual([]);
  const response = await fetch(`${origin}/`);
  expect([response.status, await response.json()]).toMatchObject([404, { code: 'unknown_path' }]);
});

it('works for everybody', async () => {
  const { origin } = await startTwin();
  await expectAccessible(openPage, `${origin}/`);
});
