import type { Page } from 'playwright';
import { expect, it } from 'vitest';
import { usePages } from '../../../support/open-page.ts';
import { bearer, startTwin, type TestTwin } from '../../../support/twin.ts';

const openPage = usePages();

const large = '9223372036854775807';

async function create(twin: TestTwin, name = 'Rex'): Promise<void> {
  const headers = { ...bearer('demo-free'), 'Content-Type': 'application/json' };
  const body = `{"name":${JSON.stringify(name)},"categoryId":${large}}`;
  await (await fetch(`${twin.api}/pets`, { method: 'POST', headers, body })).text();
}

async function list(twin: TestTwin, query = '', key = 'demo-free'): Promise<void> {
  await (await fetch(`${twin.api}/pets${query}`, { headers: bearer(key) })).text();
}

/** The text of what has the focus, or nothing where nothing has it. */
const focused = (page: Page) =>
  page.evaluate<string>(
    'document.activeElement === document.body ? "" : document.activeElement.textContent',
  );

async function tabTo(page: Page, text: string): Promise<void> {
  for (let presses = 0; presses < 40; presses++) {
    if ((await focused(page)).includes(text)) return;
    await page.keyboard.press('Tab');
  }
  throw new Error(`Tab does not lead to ${text}`);
}

it('shows requests as they come, opens one with the keyboard alone, and copies it as curl', async () => {
  const twin = await startTwin();
  const { page, problems } = await openPage(`${twin.origin}/sandboxes/a/__admin/console`, {
    permissions: ['clipboard-read', 'clipboard-write'],
  });
  await page.getByText('There is no request yet.').waitFor();
  await page.getByRole('combobox', { name: 'Sandbox' }).selectOption('default');
  await create(twin);
  await list(twin, '?limit=0');
  const table = page.getByRole('table', { name: 'Requests' });
  await table.getByRole('row', { name: /^201 POST \/v1\/pets createPet stored/ }).waitFor();
  await table.getByRole('row', { name: /limit=0/ }).waitFor();
  await tabTo(page, '/v1/pets?limit=0');
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  const detail = page.getByRole('article', { name: 'Request 1' });
  await detail.getByText('201: createPet stored a new item').waitFor();
  expect(await focused(page)).toBe('Request 1');
  expect(await detail.getByLabel('Response body').textContent()).toContain(
    `"categoryId": ${large}`,
  );
  await detail.getByText('Bearer [Filtered]').waitFor();
  await tabTo(page, 'Copy as curl');
  await page.keyboard.press('Enter');
  await detail.getByRole('status').getByText('Copied').waitFor();
  const copied = await page.evaluate<string>('navigator.clipboard.readText()');
  expect(copied).toContain(`--data-raw '{"name":"Rex","categoryId":${large}}'`);
  expect(copied).toContain("-H 'Authorization: Bearer demo-free'");
  await page.keyboard.press('Escape');
  await detail.waitFor({ state: 'detached' });
  expect(await focused(page)).toContain('createPet stored a new item');
  expect(problems).toEqual([]);
});

it('filters the requests, holds still while paused, and reads on when the twin is back', async () => {
  const twin = await startTwin({ rateLimits: 'off' });
  const { page } = await openPage(`${twin.origin}/__admin/console#requests`);
  await page.getByText('There is no request yet.').waitFor();
  for (let number = 1; number <= 110; number++) await list(twin, `?n=${number}.`);
  await list(twin, '?limit=0');
  await page.getByText('111 requests, 111 shown.').waitFor();
  await page.getByText('Page 1 of 2').waitFor();
  await page.getByRole('combobox', { name: 'Status' }).selectOption('4xx');
  await page.getByText('111 requests, 1 shown.').waitFor();
  await page.getByRole('link', { name: 'Limits' }).click();
  await page.getByText('demo-free').first().waitFor();
  await page.getByRole('link', { name: 'Requests' }).click();
  await page.getByText('111 requests, 1 shown.').waitFor();
  await page.getByRole('button', { name: 'Show all requests' }).click();
  await page.getByLabel('Text in').fill('N=60.');
  await page.getByText('111 requests, 1 shown.').waitFor();
  await page.getByLabel('Text in').fill('');
  await page.getByRole('button', { name: 'Pause' }).click();
  await list(twin, '?p=1', 'demo-pro');
  await page.getByText('112 requests, 111 shown, 1 since the pause.').waitFor();
  await page.getByRole('button', { name: 'Pause' }).click();
  await page.getByText('/v1/pets?p=1').waitFor();
  await twin.close();
  await page.getByRole('status').getByText('Trying again').waitFor();
  const second = await startTwin({ port: Number(new URL(twin.origin).port) });
  await list(second, '?after');
  await page.getByText('1 request, 1 shown.').waitFor();
  await page.getByRole('row', { name: /\?after/ }).waitFor();
});

it('sends a request again, and leads to the faults that answer the next ones', async () => {
  const twin = await startTwin();
  await create(twin);
  const { page, problems } = await openPage(`${twin.origin}/__admin/console`);
  await page.getByRole('row', { name: /POST/ }).click();
  const detail = page.getByRole('article');
  await detail.getByRole('button', { name: 'Send again' }).click();
  await detail.getByText('Sent again, the response was 201.').waitFor();
  await detail.getByRole('button', { name: 'Open request 2' }).click();
  await page.getByRole('article', { name: 'Request 2' }).getByText('201: createPet').waitFor();

  await detail.getByRole('link', { name: 'Add a fault' }).click();
  const form = page.getByRole('form', { name: 'Add a fault' });
  await form.getByLabel('Operation').selectOption('createPet');
  await form.getByRole('button', { name: 'curl line for: Add the fault' }).click();
  await page.getByText(/^curl --json '{"operation":"createPet"/).waitFor();
  await page.keyboard.press('Escape');
  await page.getByText(/^curl --json/).waitFor({ state: 'detached' });
  await form.getByLabel('Status').fill('409');
  await form.getByLabel('Status').press('Enter');
  await page.getByText('fault-1 is added.').waitFor();
  await page.goBack();
  await page.getByRole('row', { name: /POST/ }).first().click();
  await detail.getByRole('button', { name: 'Send again' }).click();
  await detail.getByText('Sent again, the response was 409.').waitFor();
  // The browser says so of each status from 400 on.
  expect(problems.filter((problem) => !/status of 4\d\d/.test(problem))).toEqual([]);
});

it('shows hostile requests as text, and holds its layout', async () => {
  const twin = await startTwin();
  const attack = '</script><img src=x onerror=alert(1)>\u001b[31m\u202edrow';
  await fetch(`${twin.api}/${encodeURIComponent(attack)}?${'x'.repeat(5000)}`);
  await create(twin, attack.repeat(50));
  const { page, problems } = await openPage(`${twin.origin}/__admin/console`, {
    viewport: { width: 360, height: 900 },
  });
  const detail = page.getByRole('article');
  for (const [name, shown] of [
    [/script/, 'onerror'],
    [/201 POST/, '\\u202e'],
  ] as const) {
    await page.getByRole('row', { name }).first().click();
    await detail.getByText(shown).first().waitFor();
    const overflow = 'document.documentElement.scrollWidth - document.documentElement.clientWidth';
    expect(await page.evaluate(overflow)).toBe(0);
    await detail.getByRole('button', { name: 'Close' }).click();
    await detail.waitFor({ state: 'detached' });
  }
  expect(await page.locator('img').count()).toBe(0);
  expect(problems).toEqual([]);
});
