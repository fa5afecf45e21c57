import { readFile } from 'node:fs/promises';
import type { Page } from 'playwright';
import { expect, it } from 'vitest';
import { expectAccessible, usePages } from '../../../support/open-page.ts';
import { bearer, projectFile, startTwin, type TestTwin } from '../../../support/twin.ts';

const openPage = usePages();

const json = { 'Content-Type': 'application/json' };

/** Calls the admin of a twin, or of a sandbox by its prefix. */
async function admin({ origin }: TestTwin, path: string, method = 'GET', body?: unknown) {
  const response = await fetch(`${origin}${path}`, {
    method,
    headers: json,
    ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  });
  return response.text();
}

/** What the page complained of, but for the refusals that a browser reports itself. */
const otherThanRefusals = (problems: readonly string[]) =>
  problems.filter((problem) => !problem.startsWith('console: Failed to load resource: '));

const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });
const row = (page: Page, name: RegExp) => page.getByRole('row', { name });
const said = (page: Page, text: string) =>
  page.getByRole('status').filter({ hasText: text }).first().waitFor();

it('shows all items with their filters, adds, changes and deletes one, as the API then shows', async () => {
  const twin = await startTwin();
  const { page, problems } = await openPage(`${twin.origin}/__admin/console#data`);
  await said(page, '120 items');
  const grid = page.getByRole('grid', { name: 'Items of pets' });
  expect(await grid.getAttribute('aria-rowcount')).toBe('121');
  await page.getByLabel('status').selectOption('sold');
  await expect.poll(() => row(page, /sold$/).count()).toBeGreaterThan(5);
  await expect.poll(() => row(page, /available$/).count()).toBe(0);
  await page.getByLabel('status').selectOption('');

  await button(page, 'Add an item ...').click();
  await page.getByLabel('name (required)').fill('Far');
  await page.getByLabel('categoryId (required)').fill('many');
  await button(page, 'Add the item').click();
  await page.getByText('"categoryId" must be an integer, but is "many".').last().waitFor();
  const category = page.getByLabel('categoryId (required)');
  expect(await category.getAttribute('aria-invalid')).toBe('true');
  await category.fill('9007199254740993');
  await page.getByLabel('id', { exact: true }).fill('9223372036854775807');
  await button(page, 'curl line for: Add the item').click();
  await page
    .getByText(
      `curl --json '{"id":9223372036854775807,"name":"Far","categoryId":9007199254740993}' ${twin.origin}/__admin/data/pets`,
    )
    .waitFor();
  await button(page, 'Add the item').click();
  await said(page, '9223372036854775807 is added.');
  await page.getByText(/^Created by request \d+: POST \/__admin\/data\/pets, at/).waitFor();
  await page.getByText('"categoryId": 9007199254740993').waitFor();
  const stored = await admin(twin, '/__admin/data/pets/9223372036854775807');
  expect(stored).toBe('{"id":9223372036854775807,"name":"Far","categoryId":9007199254740993}');

  await button(page, 'Change ...').click();
  await page.getByRole('form').getByLabel('status').selectOption('sold');
  const meanwhile = { name: 'Farther' };
  await admin(twin, '/__admin/data/pets/9223372036854775807', 'PATCH', meanwhile);
  await button(page, 'Save the item').click();
  await said(page, '9223372036854775807 is saved.');
  await page.getByText('"status": "sold"').waitFor();
  expect(await admin(twin, '/__admin/data/pets/9223372036854775807')).toBe(
    '{"id":9223372036854775807,"name":"Farther","categoryId":9007199254740993,"status":"sold"}',
  );
  await button(page, 'Change ...').click();
  await page.getByLabel('Edit as').selectOption('json');
  const text = page.getByLabel('The item as JSON');
  expect(await text.inputValue()).toContain('"id": 9223372036854775807');
  await text.fill('{"name":"Near"}');
  await button(page, 'Save the item').click();
  await page.getByText('"categoryId" is required.').last().waitFor();
  await text.fill('{"name":"Near","categoryId":9007199254740995}');
  await button(page, 'Save the item').click();
  await page.getByText('"categoryId": 9007199254740995').waitFor();

  await button(page, 'Delete the item 9223372036854775807').click();
  await page.getByText('Delete 9223372036854775807?').waitFor();
  await button(page, 'Yes: Delete the item').click();
  await said(page, '9223372036854775807 is deleted.');
  await page.getByLabel('status').selectOption('sold');
  await button(page, 'Delete these items').click();
  await button(page, 'Yes: Delete these items').click();
  await said(page, 'items are deleted.');
  await page.getByText('There is no such item.').waitFor();
  const listed = await fetch(`${twin.api}/pets?status=sold`, { headers: bearer('demo-free') });
  expect(await listed.text()).toBe('[]');
  expect(otherThanRefusals(problems)).toEqual([]);
});

it('reaches and opens the last of 200,000 items with the keyboard alone, and says where it came from', async () => {
  const twin = await startTwin({ pets: 200_000 });
  const { page, problems } = await openPage(`${twin.origin}/__admin/console#data`);
  await said(page, '200,000 items');
  const created = await fetch(`${twin.api}/pets`, {
    method: 'POST',
    headers: { ...json, ...bearer('demo-free') },
    body: '{"name":"Last","categoryId":1}',
  });
  expect(created.status).toBe(201);
  await said(page, '200,001 items');
  for (let presses = 0; presses < 40; presses++) {
    await page.keyboard.press('Tab');
    if ((await page.locator(':focus').getAttribute('role')) === 'row') break;
  }
  await page.keyboard.press('End');
  await row(page, /^200001 Last/).waitFor();
  await page.keyboard.press('ArrowUp');
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: '200000', exact: true }).waitFor();
  await page.getByText('It is one of the items that the sandbox began with.').waitFor();
  await page.keyboard.press('Escape');
  await expect
    .poll(() => page.getByRole('heading', { name: '200000', exact: true }).count())
    .toBe(0);
  await button(page, 'Next').click();
  await row(page, /^200001 Last/).click();
  await page.getByText(/^Created by request 1: POST \/v1\/pets with demo-free, at/).waitFor();
  // A page of the table is in the page of the browser, and the last one has one row.
  await page.getByText('Page 2,001 of 2,001').waitFor();
  expect(await page.getByRole('row').count()).toBe(2);
  await button(page, 'Previous').click();
  await row(page, /^199901 /).waitFor();
  expect(await page.getByRole('row').count()).toBe(101);
  await button(page, 'Next').click();
  await row(page, /^200001 Last/).waitFor();
  await admin(twin, '/__admin/requests', 'DELETE');
  await button(page, 'Close').click();
  await row(page, /^200001 Last/).click();
  await page.getByText('is no longer in the journal').waitFor();
  expect(problems).toEqual([]);
});

it('shows the changes of items among the requests, and makes one again', async () => {
  const twin = await startTwin({ pets: 3 });
  const { page, problems } = await openPage(`${twin.origin}/__admin/console#requests`);
  await admin(twin, '/__admin/data/pets', 'POST', { name: 'Rex', categoryId: 1 });
  await row(page, /the admin added an item/).click();
  await page.getByRole('heading', { name: /^Request \d+$/ }).waitFor();
  await button(page, 'Send again').waitFor();
  expect(await page.getByText('Answer the next one').count()).toBe(0);
  await button(page, 'Send again').click();
  await expect.poll(() => row(page, /the admin added an item/).count()).toBe(2);
  expect(await twin.app.store.count('pets')).toBe(5);
  expect(problems).toEqual([]);
});

it('shows hostile contents as text', async () => {
  const twin = await startTwin({ pets: 0 });
  const name = '</script><img src=x onerror=alert(1)>\u202e\u001b[31m';
  await admin(twin, '/__admin/data/pets', 'POST', { name, categoryId: 1 });
  await admin(twin, '/__admin/data/pets', 'POST', { name: 'x'.repeat(900_000), categoryId: 1 });
  const { page, problems } = await openPage(`${twin.origin}/__admin/console#data`);
  await row(page, /^1 /).click();
  await page.getByText('"name": "</script><img src=x onerror=alert(1)>').waitFor();
  await row(page, /^2 /).click();
  await page.getByRole('heading', { name: '2', exact: true }).waitFor();
  expect(await page.locator('img').count()).toBe(0);
  const overflow = await page.evaluate<number>(
    'document.documentElement.scrollWidth - document.documentElement.clientWidth',
  );
  expect([overflow, problems]).toEqual([0, []]);
});

it('offers the collections of another document with their fields', async () => {
  const twin = await startTwin({ spec: projectFile('tests/support/shelters.yaml'), pets: 3 });
  const { page } = await openPage(`${twin.origin}/__admin/console#data`);
  await row(page, /^1 /).first().click();
  await button(page, 'Change ...').click();
  await page.getByRole('form').getByLabel('open').first().selectOption('true');
  await button(page, 'Save the item').click();
  await said(page, '1 is saved.');
  expect(await admin(twin, '/__admin/data/shelters/1')).toContain('"open":true');
});

it('makes, shows, resets and deletes sandboxes', async () => {
  const twin = await startTwin();
  const { page, problems } = await openPage(`${twin.origin}/__admin/console#sandboxes`);
  const sandbox = (name: string) =>
    page.getByRole('listitem').filter({ has: page.getByRole('heading', { name, exact: true }) });
  await sandbox('default').getByText('120 pets; 0 snapshots').waitFor();
  const form = page.getByRole('form', { name: 'Make a sandbox' });
  await form.getByLabel('Name').fill('bad name');
  await button(page, 'Make the sandbox').click();
  await page.getByText(/The name of a sandbox must be 1 to 64 letters/).waitFor();
  await form.getByLabel('Name').fill('worker-1');
  await form.getByLabel('Items at the start').fill('3');
  await form.getByLabel('Rate limits').selectOption('off');
  await button(page, 'curl line for: Make the sandbox').click();
  await page
    .getByText(
      `curl -X PUT --json '{"items":3,"rateLimits":"off"}' ${twin.origin}/__admin/sandboxes/worker-1`,
    )
    .waitFor();
  await button(page, 'Make the sandbox').click();
  await said(page, 'worker-1 is in its initial state.');
  await sandbox('worker-1').getByText('3 pets; 0 snapshots').waitFor();
  await sandbox('worker-1')
    .getByText(/limits off$/)
    .waitFor();

  await admin(twin, '/sandboxes/worker-1/__admin/data/pets', 'DELETE');
  await sandbox('worker-1').getByText('0 pets; 0 snapshots').waitFor();
  await button(page, 'Reset worker-1').click();
  await button(page, 'Yes: Reset').click();
  await sandbox('worker-1').getByText('3 pets; 0 snapshots').waitFor();

  await button(page, 'Show worker-1').click();
  await page.waitForURL('**/sandboxes/worker-1/__admin/console#sandboxes');
  await sandbox('worker-1').getByText('Shown here').waitFor();
  await admin(twin, '/__admin/data/pets', 'DELETE');
  await sandbox('default').getByText('0 pets; 0 snapshots').waitFor();
  await button(page, 'Reset default').click();
  await button(page, 'Yes: Reset').click();
  await sandbox('default').getByText('120 pets; 0 snapshots').waitFor();
  await button(page, 'Show default').click();
  await button(page, 'Delete worker-1').click();
  await button(page, 'Yes: Delete').click();
  await said(page, 'worker-1 is deleted.');
  await expect.poll(() => sandbox('worker-1').count()).toBe(0);
  expect(otherThanRefusals(problems)).toEqual([]);
});

it('saves, restores, exports, imports and deletes snapshots', async () => {
  const twin = await startTwin({ pets: 2 });
  const { page, problems } = await openPage(`${twin.origin}/__admin/console#snapshots`);
  await page.getByText('This sandbox has no snapshot.').waitFor();
  const form = page.getByRole('form', { name: 'Save the current state' });
  await form.getByLabel('Name').fill('before');
  await page.keyboard.press('Enter');
  await said(page, 'before is saved.');
  await page.getByText('2 pets').waitFor();
  await admin(twin, '/__admin/data/pets/9223372036854775807', 'PUT', {
    name: 'Far',
    categoryId: 1,
  });
  await form.getByLabel('Name').fill('before');
  await button(page, 'Save the snapshot').click();
  await page.getByText('Replace the snapshot before?').waitFor();
  await button(page, 'Yes: Save the snapshot').click();
  await page.getByText('3 pets').waitFor();

  const download = page.waitForEvent('download');
  await button(page, 'Export before').click();
  const file = await download;
  expect(file.suggestedFilename()).toBe('before.json');
  const text = await readFile(await file.path(), 'utf8');
  expect(text).toBe(await admin(twin, '/__admin/snapshots/before'));

  await admin(twin, '/__admin/data/pets', 'DELETE');
  await button(page, 'Restore before').click();
  await button(page, 'Cancel').click();
  expect(await twin.app.store.count('pets')).toBe(0);
  await button(page, 'Restore before').click();
  await button(page, 'Yes: Restore').click();
  await said(page, 'before is restored.');
  expect(await twin.app.store.count('pets')).toBe(3);

  const chosen = page.getByLabel('Drop an exported file here, or choose one');
  await chosen.setInputFiles({
    name: 'a b.json',
    mimeType: 'application/json',
    buffer: Buffer.from('{}'),
  });
  expect(await page.getByLabel('Name of the snapshot').inputValue()).toBe('a-b');
  await button(page, 'curl line for: Import the snapshot').click();
  await page
    .getByText(`curl -X PUT --json '@a b.json' ${twin.origin}/__admin/snapshots/a-b`)
    .waitFor();
  await button(page, 'Import the snapshot').click();
  await page.getByText(/"version" is required\./).waitFor();
  await drop(page, 'copy.json', text);
  await expect.poll(() => page.getByLabel('Name of the snapshot').inputValue()).toBe('copy');
  await button(page, 'Import the snapshot').click();
  await said(page, 'copy is imported.');
  await button(page, 'Delete before').click();
  await button(page, 'Yes: Delete').click();
  await said(page, 'before is deleted.');
  expect(JSON.parse(await admin(twin, '/__admin/snapshots')).snapshots).toMatchObject([
    { name: 'copy', items: { pets: 3 } },
  ]);
  expect(otherThanRefusals(problems)).toEqual([]);
});

/** Drops a file on the place for it, as a person does from a folder. */
async function drop(page: Page, name: string, text: string): Promise<void> {
  const data = await page.evaluateHandle(
    `(() => { const data = new DataTransfer(); data.items.add(new File([${JSON.stringify(text)}], ${JSON.stringify(name)})); return data; })()`,
  );
  const place = page.locator('.drop');
  await place.dispatchEvent('dragover', { dataTransfer: data });
  await place.dispatchEvent('drop', { dataTransfer: data });
}

it.each<[string, string, (page: Page) => Promise<unknown>]>([
  [
    'an item',
    'data',
    async (page) => {
      await row(page, /^1 /).first().click();
      await page.getByText('It is one of the items').waitFor();
    },
  ],
  [
    'the form of an item',
    'data',
    async (page) => {
      await button(page, 'Add an item ...').click();
      await page.getByLabel('name (required)').waitFor();
    },
  ],
  [
    'sandboxes',
    'sandboxes',
    async (page) => {
      await button(page, 'Delete worker-1').click();
      await page.getByText('Delete worker-1 with all that it holds?').waitFor();
    },
  ],
  ['snapshots', 'snapshots', (page) => page.getByText('30 pets').waitFor()],
])('shows %s to everybody', async (_, panel, prepare) => {
  const twin = await startTwin({ pets: 30 });
  await admin(twin, '/__admin/sandboxes/worker-1', 'PUT', { pets: 3, rateLimits: 'off' });
  await admin(twin, '/__admin/snapshots/before', 'PUT');
  await expectAccessible(openPage, `${twin.origin}/__admin/console#${panel}`, prepare);
});

it('shows and changes the orders of --data, whose fields nobody describes', async () => {
  const twin = await startTwin({ data: projectFile('examples/data.yaml') });
  const { page, problems } = await openPage(`${twin.origin}/__admin/console#data`);
  await page.getByLabel('Collection').selectOption('store/orders');
  await said(page, '2 items');
  for (const name of ['id', 'petId', 'quantity', 'status'])
    await page.getByRole('columnheader', { name, exact: true }).waitFor();
  await row(page, /^1 2 1 placed/).click();
  await page.getByText(/^It is one of the items of --data, or/).waitFor();
  await button(page, 'Change ...').click();
  const text = page.getByLabel('The item as JSON');
  await text.fill((await text.inputValue()).replace('placed', 'cancelled'));
  await button(page, 'Save the item').click();
  await said(page, '1 is saved.');
  await button(page, 'Add an item ...').click();
  await page.getByText('The document describes no fields of these items').waitFor();
  await text.fill('{"id":"A-3","note":{"gift":true}}');
  await button(page, 'Add the item').click();
  await said(page, 'A-3 is added.');
  await page.getByRole('columnheader', { name: 'note' }).waitFor();
  const listed = await fetch(`${twin.api}/store/orders`, { headers: bearer('demo-free') });
  expect(await listed.json()).toMatchObject([
    { id: 1, status: 'cancelled' },
    { id: 2, status: 'delivered' },
    { id: 'A-3', note: { gift: true } },
  ]);
  await page.goto(`${twin.origin}/__admin/console#sandboxes`);
  await page.getByText('items of --data at the start').waitFor();
  expect(problems).toEqual([]);
});
