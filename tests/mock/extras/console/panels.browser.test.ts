import { readFile } from 'node:fs/promises';
import type { Page } from 'playwright';
import { expect, it } from 'vitest';
import { createDomainsClient } from '../../../support/domains-client.ts';
import {
  expectAccessible,
  findLowControls,
  findMisplaced,
  usePages,
} from '../../../support/open-page.ts';
import { bearer, startTwin, type TestTwin } from '../../../support/twin.ts';

const openPage = usePages();

/** The status of a call of the API. */
async function statusOf({ api }: Pick<TestTwin, 'api'>, path = '/pets?limit=1') {
  const response = await fetch(api + path, { headers: bearer('demo-free') });
  await response.body?.cancel();
  return response.status;
}

/** Returns what the page complained of, but for the refusals that a browser reports itself. */
const otherThanRefusals = (problems: readonly string[]) =>
  problems.filter((problem) => !problem.startsWith('console: Failed to load resource: '));

const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });
const card = (page: Page, name: string) =>
  page.getByRole('listitem').filter({ has: page.getByRole('heading', { name, exact: true }) });
const said = (page: Page, text: string) =>
  page.getByRole('status').filter({ hasText: text }).first().waitFor();

it('limits: exhausts a key, bans it, lifts both and sets its plan', async () => {
  const twin = await startTwin();
  const { page, problems } = await openPage(`${twin.origin}/__admin/console#limits`);
  const key = card(page, 'demo-free');
  await key.getByText('60 left').waitFor();
  await button(page, 'Exhaust the day of demo-free').click();
  await key.getByText('1,000 of 1,000 used').waitFor();
  expect(await statusOf(twin)).toBe(429);
  await key.getByText('1 of 10 strikes').waitFor();
  await button(page, 'Lift the limits of demo-free').click();
  await key.getByText('1,000 left').waitFor();
  expect(await statusOf(twin)).toBe(200);
  await key.getByText('Ban or change the plan').click();
  await page.getByRole('textbox', { name: 'Seconds of the ban of demo-free' }).fill('90');
  await button(page, 'Ban demo-free').click();
  await key.getByText(/Banned, free in 1 min \d+ s/).waitFor();
  await page.getByRole('combobox', { name: 'Plan of demo-free' }).selectOption('pro');
  await button(page, 'Set the plan of demo-free').click();
  await key.getByText('Plan pro').waitFor();
  expect(otherThanRefusals(problems)).toEqual([]);
});

it('clock: moves to just before a removal and to it, and back', async () => {
  const twin = await startTwin();
  const { page, problems } = await openPage(`${twin.origin}/__admin/console#clock`);
  const removal = page.getByRole('row').filter({ hasText: 'Removal of getPet' });
  await button(page, 'Just before the removal of getPet').click();
  await page.getByText('2030-12-04 23:59:59 UTC').first().waitFor();
  await removal.getByText('in 1 s', { exact: true }).waitFor();
  expect(await statusOf(twin, '/pets/1')).toBe(200);
  await page.getByLabel('Amount').fill('1');
  await page.getByLabel('Unit').selectOption('days');
  await button(page, 'Advance by 1 days').click();
  await removal.getByText('23 h 59 min ago').waitFor();
  expect(await statusOf(twin, '/pets/1')).toBe(410);
  await page.getByLabel('Date and time in UTC').fill('2029-02-28T23:59:58');
  await button(page, 'Freeze at 2029-02-28T23:59:58Z').click();
  await page.getByText('2029-02-28 23:59:58 UTC').first().waitFor();
  await button(page, 'Follow the system clock').click();
  await page.getByText('Running').waitFor();
  expect(twin.app.clock.frozen).toBe(false);
  await page.getByLabel('Amount').fill('77');
  await twin.close();
  await page.getByRole('alert').getByText('The mock does not respond').first().waitFor();
  expect(await page.getByLabel('Amount').inputValue()).toBe('77');
  expect(otherThanRefusals(problems)).toEqual([]);
});

it('data: filters items, adds, changes and deletes one, its numbers to the digit', async () => {
  const twin = await startTwin();
  const { page, problems } = await openPage(`${twin.origin}/__admin/console#data`);
  const row = (name: RegExp) => page.getByRole('row', { name });
  await said(page, '120 items');
  await page.getByText('Page 1 of 2').waitFor();
  await page.getByRole('combobox', { name: 'status' }).selectOption('sold');
  await expect.poll(() => row(/available$/).count()).toBe(0);
  await page.getByRole('combobox', { name: 'status' }).selectOption('');
  await button(page, 'Add an item ...').click();
  const text = page.getByRole('textbox', { name: /as JSON$/ });
  expect(JSON.parse(await text.inputValue())).toEqual({ name: '', categoryId: 0 });
  await text.fill('{"name":');
  await page.getByText('This is not JSON').waitFor();
  await text.fill('{"name":"Far","categoryId":"many"}');
  await button(page, 'Add the item').click();
  await page.getByText('"categoryId" must be an integer, but is "many".').waitFor();
  await text.fill('{"id":9223372036854775807,"name":"Far","categoryId":9007199254740993}');
  await button(page, 'Add the item').click();
  await said(page, '9223372036854775807 is added.');
  expect(await text.inputValue()).toContain('"categoryId": 9007199254740993');
  await text.fill('{"name":"Near","categoryId":9007199254740995}');
  await button(page, 'Save the item').click();
  await said(page, '9223372036854775807 is saved.');
  const stored = `${twin.origin}/__admin/data/pets/9223372036854775807`;
  expect(await (await fetch(stored)).text()).toContain('"categoryId":9007199254740995');
  await button(page, 'Delete the item 9223372036854775807').click();
  await button(page, 'Yes: Delete the item').click();
  await said(page, '9223372036854775807 is deleted.');
  await row(/^1 /).first().click();
  const heading = page.getByRole('heading', { name: '1', exact: true });
  await heading.waitFor();
  await page.keyboard.press('Escape');
  await heading.waitFor({ state: 'detached' });
  expect(await page.evaluate('document.activeElement.textContent')).toBe('1');
  await page.getByRole('combobox', { name: 'status' }).selectOption('sold');
  await button(page, 'Delete these items').click();
  await button(page, 'Yes: Delete these items').click();
  await page.getByText('There is no such item.').waitFor();
  expect(otherThanRefusals(problems)).toEqual([]);
});

it('faults: adds, edits and deletes them, and delays all responses', async () => {
  const twin = await startTwin();
  const { page, problems } = await openPage(`${twin.origin}/__admin/console#faults`);
  await page.getByText('No faults are set.').waitFor();
  await page.getByLabel('Operation').selectOption('listPets');
  await page.getByLabel('At most, times').fill('2');
  await button(page, 'Add the fault').click();
  const rule = card(page, 'fault-1');
  await rule.getByText('Respond with 503').waitFor();
  expect(await statusOf(twin)).toBe(503);
  await rule.getByText('fired on 1 of 1 calls, 1 of 2 left').waitFor();
  await button(page, 'Edit fault-1').click();
  const text = page.getByLabel('Edit fault-1, as JSON');
  await text.fill('{"operation":"listPets","fault":"EMPTY_RESPONSE","every":2}');
  await button(page, 'Save fault-1').click();
  await rule.getByText('listPets, one in 2 calls').waitFor();
  expect(await statusOf(twin)).toBe(200);
  await expect(statusOf(twin)).rejects.toThrow('fetch failed');
  await button(page, 'Delete all faults').click();
  await button(page, 'Yes: Delete all faults').click();
  await said(page, 'All faults are deleted.');
  await page.getByLabel('Delay of all responses, as JSON').fill('{"fixedDelay":5}');
  await button(page, 'Set the delay').click();
  await expect.poll(() => twin.app.sandboxes.defaultSandbox.latency.settings.fixedDelay).toBe(5);
  expect(otherThanRefusals(problems)).toEqual([]);
});

it('domains: adds one, follows it to active by the clock, redirects to it and removes it', async () => {
  const name = 'docs.example.com';
  const twin = await startTwin();
  const { page, problems } = await openPage(`${twin.origin}/__admin/console#domains`);
  await page.getByLabel('Domain', { exact: true }).fill(name);
  await button(page, 'Add the domain').click();
  await page.getByText(/Custom domains need a paid plan/).waitFor();
  await page.getByLabel('Project, as JSON').fill('{"plan":"pro","deploy":"succeeded"}');
  await button(page, 'Save the project').click();
  await page.getByText('The project is saved.').waitFor();
  await button(page, 'Add the domain').click();
  const domain = card(page, name);
  const current = domain.locator('[aria-current=step]');
  await domain.getByText(`${name} has no CNAME record.`).waitFor();
  expect(await current.textContent()).toContain('Pending');
  await button(page, `Set this record of ${name}`).click();
  await domain.getByText('The records to spread, which takes up to 48 hours.').waitFor();
  for (const state of ['Verified', 'Certificate issued', 'Active']) {
    await button(page, `Move the clock there for ${name}`).click();
    await current.getByText(state).waitFor();
  }
  await domain.getByText(/Serving the reference since \d{4}-/).waitFor();
  await button(page, 'Add the redirect').click();
  await page.getByText(`old.example.com → ${name}`).waitFor();
  await button(page, `Remove ${name}`).click();
  await button(page, 'Yes: Remove').click();
  await page.getByText('The project has no domain.').waitFor();
  await page.getByText(`old.example.com → ${name}`).waitFor({ state: 'detached' });
  expect(otherThanRefusals(problems)).toEqual([]);
});

it('sandboxes: makes, shows, resets and deletes one', async () => {
  const twin = await startTwin();
  const { page, problems } = await openPage(`${twin.origin}/__admin/console#sandboxes`);
  await card(page, 'default').getByText('120 pets; 0 snapshots').waitFor();
  const form = page.getByRole('form', { name: 'Create a sandbox' });
  await form.getByLabel('Name').fill('worker-1');
  await form.getByLabel('Options').fill('{"items":3,"rateLimits":"off"}');
  await button(page, 'Create the sandbox').click();
  await said(page, 'worker-1 is in its initial state.');
  const worker = card(page, 'worker-1');
  await worker.getByText(/limits off$/).waitFor();
  await fetch(`${twin.origin}/sandboxes/worker-1/__admin/data/pets`, { method: 'DELETE' });
  await worker.getByText('0 pets; 0 snapshots').waitFor();
  await button(page, 'Reset worker-1').click();
  await worker.getByRole('button', { name: 'Yes: Reset' }).click();
  await worker.getByText('3 pets; 0 snapshots').waitFor();
  await button(page, 'Show worker-1').click();
  await page.waitForURL('**/sandboxes/worker-1/__admin/console#sandboxes');
  await button(page, 'Show default').click();
  await button(page, 'Delete worker-1').click();
  await button(page, 'Yes: Delete').click();
  await said(page, 'worker-1 is deleted.');
  await expect.poll(() => worker.count()).toBe(0);
  expect(otherThanRefusals(problems)).toEqual([]);
});

it('snapshots: saves, exports, restores, imports and deletes one', async () => {
  const twin = await startTwin({ pets: 2 });
  const { page, problems } = await openPage(`${twin.origin}/__admin/console#snapshots`);
  await page.getByText('This sandbox has no snapshot.').waitFor();
  const form = page.getByRole('form', { name: 'Save the current state' });
  await form.getByLabel('Name').fill('before');
  await page.keyboard.press('Enter');
  await said(page, 'before is saved.');
  const download = page.waitForEvent('download');
  await button(page, 'Export before').click();
  const file = await download;
  const text = await readFile(await file.path(), 'utf8');
  expect(text).toBe(await (await fetch(`${twin.origin}/__admin/snapshots/before`)).text());
  await fetch(`${twin.origin}/__admin/data/pets`, { method: 'DELETE' });
  await button(page, 'Restore before').click();
  await button(page, 'Yes: Restore').click();
  await said(page, 'before is restored.');
  expect(await twin.app.store.count('pets')).toBe(2);
  const toFile = (name: string, content: string) => ({
    name,
    mimeType: 'application/json',
    buffer: Buffer.from(content),
  });
  const chosen = page.getByLabel('An exported file');
  await chosen.setInputFiles(toFile('a b.json', '{}'));
  await expect.poll(() => page.getByLabel('Name of the snapshot').inputValue()).toBe('a-b');
  await button(page, 'Import the snapshot').click();
  await page.getByText(/"version" is required\./).waitFor();
  await chosen.setInputFiles(toFile('copy.json', text));
  await expect.poll(() => page.getByLabel('Name of the snapshot').inputValue()).toBe('copy');
  await button(page, 'Import the snapshot').click();
  await said(page, 'copy is imported.');
  await button(page, 'Delete before').click();
  await card(page, 'before').getByRole('button', { name: 'Yes: Delete' }).click();
  await said(page, 'before is deleted.');
  expect(otherThanRefusals(problems)).toEqual([]);
});

/** Prepares what is looked at in each panel. */
const looks: readonly [panel: string, prepare: (page: Page) => Promise<unknown>][] = [
  ['requests', (page) => page.getByRole('row', { name: /404 GET/ }).waitFor()],
  [
    'requests',
    async (page) => {
      await page.getByRole('row', { name: /404 GET/ }).click();
      await page.getByRole('link', { name: 'Add a fault' }).waitFor();
      expect(await findLowControls(page, 'main')).toEqual([]);
    },
  ],
  [
    'limits',
    async (page) => {
      await page.getByText('Ban or change the plan').first().click();
      await button(page, 'Ban demo-free').click();
      await page.getByText('Banned, free in').waitFor();
    },
  ],
  [
    'limits',
    (page) =>
      page
        .getByRole('button', { name: /^curl line/ })
        .first()
        .click(),
  ],
  ['clock', (page) => page.getByRole('row', { name: /^Removal of getPet/ }).waitFor()],
  [
    'data',
    async (page) => {
      await page.getByRole('row', { name: /^1 / }).first().waitFor();
      expect(await findMisplaced(page)).toEqual([]);
      await page.getByRole('row', { name: /^1 / }).first().click();
      await page.getByRole('heading', { name: '1', exact: true }).waitFor();
    },
  ],
  ['faults', (page) => page.getByText('fired on 0 of 0 calls').waitFor()],
  ['domains', (page) => page.getByText('old.example.com →').waitFor()],
  [
    'sandboxes',
    async (page) => {
      await button(page, 'Delete worker-1').click();
      await page.getByText('Delete worker-1 and its contents?').waitFor();
    },
  ],
  ['snapshots', (page) => page.getByText('30 pets').waitFor()],
];

it.each(looks)('works for everybody: %s', async (panel, prepare) => {
  const twin = await startTwin({ pets: 30 });
  const client = createDomainsClient(twin);
  await client.activate('docs.example.com');
  await client.add('a-very-long-name-of-a-subdomain-of-the-project.documentation.example.com');
  await client.redirect('old.example.com', 'docs.example.com');
  await client.call('POST', 'faults', { id: 'slow', operation: 'createPet', status: 503 });
  await client.call('PUT', 'sandboxes/worker-1', { items: 3 });
  await client.call('PUT', 'snapshots/before');
  await statusOf(twin, '/pets/999');
  await expectAccessible(openPage, `${twin.origin}/__admin/console#${panel}`, async (page) => {
    await prepare(page);
    expect(await findMisplaced(page)).toEqual([]);
  });
});
