import { expect, it } from 'vitest';
import { expectAccessible, usePages } from '../../support/open-page.ts';
import { startTwin } from '../../support/twin.ts';

const openPage = usePages();

it('leads from the address of the reference to an operation', async () => {
  const { origin } = await startTwin();
  const { page, problems } = await openPage(`${origin}/sandboxes/a/__docs`);
  expect(page.url()).toBe(`${origin}/sandboxes/a/__docs/`);
  await page.getByRole('main').getByRole('link', { name: 'GET /pets/{petId}' }).click();
  await page.getByRole('heading', { name: 'Get an animal', level: 1 }).waitFor();
  await page.getByText('To be removed on 5 December 2030.').waitFor();
  expect(problems).toEqual([]);
});

it.each(['', 'operations/createPet.html', 'schemas/Pet.html', 'silences.html'])(
  'works for everybody: %s',
  async (path) => {
    const { origin } = await startTwin();
    await expectAccessible(openPage, `${origin}/__docs/${path}`);
  },
);
