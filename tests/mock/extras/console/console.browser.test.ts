import { expect, it } from 'vitest';
import { usePages } from '../../../support/open-page.ts';
import { bearer, startTwin } from '../../../support/twin.ts';

const openPage = usePages();

it('names the twin and the sandbox, and switches as a whole to another one', async () => {
  const { origin } = await startTwin();
  for (const name of ['a', 'b'])
    await fetch(`${origin}/sandboxes/${name}/v1/pets/${name}`, { headers: bearer('demo-free') });
  const { page, problems } = await openPage(`${origin}/sandboxes/a/__admin/console#requests`);
  await page.getByText('Pet Store Service 1.0.0, petstore-twin').waitFor();
  await page.getByText('/v1/pets/a').first().waitFor();
  const sandbox = page.getByRole('combobox', { name: 'Sandbox' });
  expect(await sandbox.inputValue()).toBe('a');
  await sandbox.selectOption('b');
  await page.getByText('/v1/pets/b').first().waitFor();
  expect(page.url()).toBe(`${origin}/sandboxes/b/__admin/console#requests`);
  expect(await page.title()).toBe('Requests, b: petstore-twin console');
  expect(await page.getByText('/v1/pets/a').count()).toBe(0);
  await page.goBack();
  await page.getByText('/v1/pets/a').first().waitFor();
  expect(problems).toEqual([]);
});

it('asks first, shows the curl line that does the same, and what the twin refuses', async () => {
  const twin = await startTwin();
  const count = async () => {
    const response = await fetch(`${twin.origin}/__admin/requests`);
    return ((await response.json()) as { meta: { total: number } }).meta.total;
  };
  await fetch(`${twin.api}/pets`);
  const { page, problems } = await openPage(`${twin.origin}/__admin/console`);
  const button = page.getByRole('button', { name: 'Delete all requests', exact: true });
  await button.focus();
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  await page.getByText(`curl -X DELETE ${twin.origin}/__admin/requests`).waitFor();
  await page.keyboard.press('Escape');
  await button.press('Enter');
  const question = page.getByRole('dialog', { name: 'Delete all requests of this sandbox' });
  await question.waitFor();
  await page.keyboard.press('Escape');
  await question.waitFor({ state: 'hidden' });
  expect(await count()).toBe(1);
  await page.keyboard.press('Enter');
  await question.waitFor();
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  await page.getByRole('status').getByText('Done.').waitFor();
  expect(await count()).toBe(0);
  expect(problems).toEqual([]);

  await twin.close();
  await button.click();
  await page.getByRole('button', { name: 'Yes: Delete all requests' }).click();
  await page
    .getByRole('status')
    .getByText(/^The mock does not respond.*running\.$/)
    .waitFor();
});

it('asks for the token, and holds it in memory alone', async () => {
  const twin = await startTwin({ adminToken: 'open-sesame' });
  const { page } = await openPage(`${twin.origin}/__admin/console#requests`);
  await page.getByRole('alert').getByText('The admin needs its token.').waitFor();
  const field = page.getByLabel('Token of the admin');
  await field.fill('wrong');
  await field.press('Enter');
  await page.getByRole('alert').getByText('This is not the token.').waitFor();
  await field.fill('open-sesame');
  await field.press('Enter');
  await page.getByRole('heading', { name: 'Requests' }).waitFor();
  expect(page.url()).toBe(`${twin.origin}/__admin/console#requests`);
  const stored = await page.evaluate<unknown>(
    '[localStorage.length, sessionStorage.length, document.cookie, JSON.stringify(history.state)]',
  );
  expect(stored).toEqual([0, 0, '', 'null']);
  await page.getByRole('button', { name: 'curl line for: Delete all requests' }).click();
  await page.getByText('curl -X DELETE -H "Authorization: Bearer $TOKEN" http').waitFor();
  await page.reload();
  await page.getByRole('alert').getByText('The admin needs its token.').waitFor();
});
