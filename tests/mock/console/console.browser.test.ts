import { expect, it } from 'vitest';
import { usePages } from '../../support/open-page.ts';
import { startTwin } from '../../support/twin.ts';

const openPage = usePages();

it('opens in a sandbox too', async () => {
  const { origin } = await startTwin();
  for (const base of [origin, `${origin}/sandboxes/a`]) {
    const { page, problems } = await openPage(`${base}/__admin/console`);
    await page.getByRole('heading', { name: 'Console' }).waitFor();
    expect(problems).toEqual([]);
  }
});
