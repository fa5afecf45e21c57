import type { Page } from 'playwright';
import { expect, it } from 'vitest';
import { expectAccessible, usePages } from '../../../support/open-page.ts';
import { bearer, startTwin, type TestTwin } from '../../../support/twin.ts';
import { writeJson } from '../../../support/write-json.ts';

const openPage = usePages();

/** The status of a call of the API. */
async function statusOf({ api }: Pick<TestTwin, 'api'>, path = '/pets?limit=1', key = 'demo-free') {
  const response = await fetch(api + path, { headers: bearer(key) });
  await response.body?.cancel();
  return response.status;
}

/** What the page complained of, but for the refusals that a browser reports itself. */
const otherThanRefusals = (problems: readonly string[]) =>
  problems.filter((problem) => !problem.startsWith('console: Failed to load resource: '));

const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });

it('exhausts a key, bans it, lifts both and sets its plan, as the API then shows', async () => {
  const twin = await startTwin();
  const { page, problems } = await openPage(`${twin.origin}/__admin/console#limits`);
  const key = page.getByRole('listitem').filter({
    has: page.getByRole('heading', { name: 'demo-free', exact: true }),
  });
  await key.getByText('60 left').waitFor();
  expect(await statusOf(twin)).toBe(200);
  await key.getByText('59 left').waitFor();
  await key.getByText(/1 of 60 used, resets in \d+ s/).waitFor();

  await button(page, 'Exhaust the day of demo-free').click();
  await key.getByText('1,000 of 1,000 used').waitFor();
  expect(await statusOf(twin)).toBe(429);
  await key.getByText('1 of 10 strikes').waitFor();
  await button(page, 'Lift the limits of demo-free').click();
  await key.getByText('1,000 left').waitFor();
  expect(await statusOf(twin)).toBe(200);

  await key.getByText('Ban or change the plan').click();
  await page.getByLabel('Seconds of the ban of demo-free').fill('90');
  await button(page, 'curl line for: Ban demo-free').click();
  await key.getByText(`curl --json '{"ban":90}' ${twin.origin}/__admin/limits/demo-free`).waitFor();
  await button(page, 'Ban demo-free').click();
  await key.getByText(/Banned, free in 1 min \d+ s/).waitFor();
  expect(await statusOf(twin)).toBe(429);
  await page.getByLabel('Seconds of the ban of demo-free').fill('soon');
  await button(page, 'Ban demo-free').click();
  await key.getByText('"ban" must be an integer or a boolean, but is "soon".').waitFor();
  await page.getByLabel('Plan of demo-free').selectOption('pro');
  await button(page, 'Set the plan of demo-free').click();
  await key.getByText('Plan pro').waitFor();
  await page.getByLabel('Plan of demo-free').selectOption('free');
  await fetch(`${twin.origin}/__admin/limits/demo-free`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: '{"plan":"business"}',
  });
  await key.getByText('Plan business').waitFor();
  expect(await page.getByLabel('Plan of demo-free').inputValue()).toBe('business');
  expect(otherThanRefusals(problems)).toEqual([]);
});

it('exhausts a limit with the keyboard alone, in a sandbox', async () => {
  const twin = await startTwin();
  const { page, problems } = await openPage(`${twin.origin}/sandboxes/a/__admin/console#clock`);
  const press = async (name: string) => {
    for (let presses = 0; presses < 40; presses++) {
      await page.keyboard.press('Tab');
      const focused = page.locator(':focus');
      if ((await focused.textContent()) === name) return page.keyboard.press('Enter');
    }
    throw new Error(`Tab does not lead to ${name}`);
  };
  await page.getByText('What goes by this clock').waitFor();
  await press('Limits');
  await page.getByText('60 left').first().waitFor();
  await press('Exhaust the minute of demo-free');
  await page.getByRole('status').getByText('Done.').waitFor();
  expect(await statusOf({ api: `${twin.origin}/sandboxes/a/v1` })).toBe(429);
  expect(await statusOf(twin)).toBe(200);
  expect(otherThanRefusals(problems)).toEqual([]);
});

it('moves the clock to just before a removal and to it, and back', async () => {
  const twin = await startTwin();
  const { page, problems } = await openPage(`${twin.origin}/__admin/console#clock`);
  const removal = page.getByRole('row').filter({ hasText: 'Removal of getPet' });
  await removal.getByText(/in \d+ (years|months)/).waitFor();
  await button(page, 'Just before the removal of getPet').click();
  await page.getByText('2030-12-04 23:59:59 UTC').first().waitFor();
  await page.getByText('Frozen').waitFor();
  await removal.getByText('in 1 s', { exact: true }).waitFor();
  expect(await statusOf(twin, '/pets/1')).toBe(200);

  await page.getByLabel('Amount').fill('1');
  await page.getByLabel('Unit').selectOption('seconds');
  await button(page, 'Advance by 1 seconds').click();
  await removal.getByText('Removed now').waitFor();
  expect(await statusOf(twin, '/pets/1')).toBe(410);
  await button(page, 'By a day').click();
  await page.getByText('2030-12-06 00:00:00 UTC').first().waitFor();
  await removal.getByText('Removed 1 day ago').waitFor();
  const day = page.getByRole('row').filter({ hasText: 'Reset of the day' });
  await day.getByText('2030-12-07 00:00:00 UTC').waitFor();

  await page.getByLabel('The same as ISO 8601').fill('2029-02-31T00:00:00Z');
  await button(page, 'Freeze at 2029-02-31T00:00:00Z').click();
  await page.getByText('"instant" must be a date and time in ISO 8601, from 1970 on.').waitFor();
  await page.getByLabel('Date and time in UTC').fill('2029-02-28T23:59:58');
  await button(page, 'Freeze at 2029-02-28T23:59:58Z').click();
  await page.getByText('2029-02-28 23:59:58 UTC').first().waitFor();
  await button(page, 'Follow the system clock').click();
  await page.getByText('Running').waitFor();
  expect(twin.app.clock.frozen).toBe(false);
  expect(otherThanRefusals(problems)).toEqual([]);
});

it('adds, edits and deletes faults, and shows what the twin refuses at the field', async () => {
  const twin = await startTwin();
  const { page, problems } = await openPage(`${twin.origin}/__admin/console#faults`);
  await page.getByText('No faults are set.').waitFor();
  await page.getByLabel('Operation').selectOption('listPets');
  const status = page.getByLabel('Status', { exact: true });
  await status.fill('99');
  await status.press('Enter');
  await page.getByRole('alert').getByText('"status" must be at least 200, but is 99.').waitFor();
  const described = await status.getAttribute('aria-describedby');
  expect(await page.locator(`[id="${described}"]`).textContent()).toContain('at least 200');
  expect(await status.getAttribute('aria-invalid')).toBe('true');
  await page.getByLabel('Id').focus();
  await button(page, 'Add the fault').click();
  await expect.poll(() => page.locator(':focus').getAttribute('aria-invalid')).toBe('true');
  await status.fill('503');
  await page.getByLabel('Id').fill('</script>\u202e');
  await button(page, 'Add the fault').click();
  await page.getByRole('alert').getByText('but is "</script>\\u202e"').waitFor();
  await page.getByLabel('Id').fill('');
  await page.getByLabel('Body', { exact: true }).selectOption('json');
  expect(await page.getByLabel('JSON of the body').inputValue()).toContain('"status": 503');
  await page.getByLabel('JSON of the body').fill('{"id":9007199254740993}');
  await page
    .getByLabel('Headers, one a line')
    .fill('X-Down: yes\nSet-Cookie: a=1\nset-cookie: b=2');
  await page.getByLabel('At most, times').fill('2');
  await button(page, 'Add the fault').click();
  const rule = page.getByRole('listitem').filter({ hasText: 'fault-1' });
  await rule.getByText('Respond with 503, headers and a body').waitFor();
  await rule.getByText('fired on 0 of 0 calls, 2 of 2 left').waitFor();

  const response = await fetch(`${twin.api}/pets`, { headers: bearer('demo-free') });
  expect([response.status, await response.text()]).toEqual([503, '{"id":9007199254740993}']);
  expect([response.headers.get('X-Down'), response.headers.getSetCookie()]).toEqual([
    'yes',
    ['a=1', 'b=2'],
  ]);
  await rule.getByText('fired on 1 of 1 calls, 1 of 2 left').waitFor();

  await button(page, 'Edit fault-1').click();
  expect(await page.getByLabel('JSON of the body').inputValue()).toContain('9007199254740993');
  await page.getByLabel('Effect').selectOption('fault');
  await page.getByLabel('Fires on').selectOption('every');
  await page.getByLabel('n', { exact: true }).fill('2');
  await button(page, 'Save fault-1').click();
  await rule.getByText('listPets, every 2nd call').waitFor();
  expect(await statusOf(twin)).toBe(200);
  await expect(statusOf(twin)).rejects.toThrow('fetch failed');

  await button(page, 'Delete fault-1').click();
  await page.getByText('No faults are set.').waitFor();
  await page.getByText('fault-1 is deleted.').waitFor();
  expect(await statusOf(twin)).toBe(200);
  expect(otherThanRefusals(problems)).toEqual([]);
});

it('keeps what it shows and what is typed while the twin is gone', async () => {
  const twin = await startTwin();
  const { page } = await openPage(`${twin.origin}/__admin/console#clock`);
  await page.getByLabel('Amount').fill('77');
  await twin.close();
  await page.getByRole('alert').getByText('The twin does not respond').first().waitFor();
  expect(await page.getByLabel('Amount').inputValue()).toBe('77');
  await page.getByRole('row').filter({ hasText: 'Removal of getPet' }).waitFor();
});

it('asks before all faults are deleted, and delays all responses', async () => {
  const twin = await startTwin();
  const post = (path: string, body: object) =>
    fetch(`${twin.origin}/__admin/${path}`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify(body),
    });
  for (const id of ['a', 'b']) await post('faults', { id, status: 503 });
  const { page, problems } = await openPage(`${twin.origin}/__admin/console#faults`);
  await button(page, 'Delete all faults').click();
  await page.getByText('Delete all 2 faults?').waitFor();
  expect(await statusOf(twin)).toBe(503);
  await button(page, 'Yes: Delete all faults').click();
  await page.getByText('All faults are deleted.').waitFor();
  expect(await statusOf(twin)).toBe(200);

  await page.getByLabel('Fixed part, in ms').fill('61000');
  await button(page, 'Set the delay').click();
  await page.getByText('"fixedDelay" must be at most 60000, but is 61000.').waitFor();
  await page.getByLabel('Fixed part, in ms').fill('5');
  await page.getByLabel('And a part that varies').selectOption('uniform');
  await page.getByLabel('From, in ms').fill('1');
  await page.getByLabel('To, in ms').fill('2');
  await button(page, 'Set the delay').click();
  await page.getByText('Every response of the API is delayed: 5 ms, plus 1 ms to 2 ms.').waitFor();
  expect(twin.app.sandboxes.defaultSandbox.latency.settings()).toEqual({
    fixedDelay: 5,
    delayDistribution: { type: 'uniform', lower: 1, upper: 2 },
  });
  await button(page, 'Delay nothing').click();
  await page.getByText('Responses are not delayed.').waitFor();
  expect(otherThanRefusals(problems)).toEqual([]);
});

it('shows 1,000 keys a page at a time, whatever they are named', async () => {
  const hostile = '</script><b>\u202etxt.exe/%2e';
  const keys = await writeJson({
    keys: [hostile, ...Array.from({ length: 999 }, (_, index) => `key-${index}`)].map(
      (name, index) => ({ key: `k${index}`, name, plan: 'free' }),
    ),
  });
  const twin = await startTwin({ keys });
  // No minute ends while its calls are counted.
  twin.app.clock.freeze(Date.UTC(2026, 0, 15, 12));
  const { page, problems } = await openPage(`${twin.origin}/__admin/console#limits`);
  await page.getByText('1,000 of 1,000 keys').waitFor();
  expect(await page.getByRole('heading', { level: 3 }).count()).toBe(25);
  await page.getByRole('heading', { name: '</script><b>\\u202etxt.exe/%2e' }).waitFor();
  await page.getByRole('button', { name: /^Exhaust the minute of <\/script>/ }).click();
  await page.getByText('60 of 60 used').waitFor();
  expect(await statusOf(twin, '/pets', 'k0')).toBe(429);
  await page.getByLabel('Show').selectOption('Exhausted or banned');
  await page.getByText('1 of 1,000 keys').waitFor();
  await page.getByLabel('Show').selectOption('All keys');
  await button(page, 'Next').click();
  await page.getByText('Page 2 of 40').waitFor();
  await page.getByRole('heading', { name: 'key-24', exact: true }).waitFor();
  await page.getByLabel('Name contains').fill('KEY-99');
  await page.getByText('10 of 1,000 keys').waitFor();
  expect(otherThanRefusals(problems)).toEqual([]);
});

it.each<[panel: string, prepare: (page: Page) => Promise<unknown>]>([
  [
    'limits',
    async (page) => {
      await page.getByText('Ban or change the plan').first().click();
      await button(page, 'curl line for: Ban demo-free').click();
      await button(page, 'Ban demo-free').click();
      await page.getByText('Banned, free in').waitFor();
    },
  ],
  ['clock', (page) => page.getByText('Removed now').waitFor()],
  [
    'faults',
    async (page) => {
      await page.getByText('fired on 0 of 0 calls').waitFor();
      await page.getByLabel('Headers, one a line').fill('no colon');
      await page.getByText('Line 1 has no colon.').waitFor();
    },
  ],
])('works for everybody: %s', async (panel, prepare) => {
  const twin = await startTwin();
  const { faults, clock } = twin.app.sandboxes.defaultSandbox;
  clock.freeze(Date.UTC(2030, 11, 5));
  faults.put({ id: 'slow', delay: { type: 'fixed', milliseconds: 1 } });
  await expectAccessible(openPage, `${twin.origin}/__admin/console#${panel}`, prepare);
});
