import type { Page } from 'playwright';
import { expect, it } from 'vitest';
import { expectAccessible, usePages } from '../../../support/open-page.ts';
import { bearer, projectFile, startTwin, type TestTwin } from '../../../support/twin.ts';

const openPage = usePages();

const large = '9223372036854775807';

/** A time to stop a clock at, so that no minute ends while its calls are counted. */
const noon = Date.UTC(2026, 0, 15, 12);

async function create(twin: TestTwin, key = 'demo-free'): Promise<void> {
  const headers = { ...bearer(key), 'Content-Type': 'application/json' };
  const body = `{"name":"Rex","categoryId":${large}}`;
  const response = await fetch(`${twin.api}/pets`, { method: 'POST', headers, body });
  await response.text();
}

function list(twin: TestTwin, query = '', key = 'demo-free'): Promise<Response> {
  return fetch(`${twin.api}/pets${query}`, { headers: bearer(key) });
}

/** The text of what has the focus, or nothing where nothing has it. */
function focusedIn(page: Page): Promise<string> {
  return page.evaluate(
    'document.activeElement === document.body ? "" : document.activeElement.textContent',
  );
}

it('opens a request with the keyboard alone, and copies it as curl', async () => {
  const twin = await startTwin();
  await create(twin);
  await list(twin, '?limit=0');
  await list(twin, '?limit=1');
  const { page, problems } = await openPage(`${twin.origin}/__admin/console`, {
    permissions: ['clipboard-read', 'clipboard-write'],
  });
  const grid = page.getByRole('grid', { name: 'Requests' });
  await grid
    .getByRole('row', { name: /201 POST \/v1\/pets createPet stored a new item/ })
    .waitFor();
  expect(await grid.getByRole('row').count()).toBe(4);
  const focused = () => focusedIn(page);
  for (let presses = 0; !(await focused()).includes('?limit=1'); presses++) {
    expect(presses).toBeLessThan(30);
    await page.keyboard.press('Tab');
  }
  await page.keyboard.press('End');
  await expect.poll(focused).toContain('createPet stored a new item');
  await page.keyboard.press('ArrowUp');
  await expect.poll(focused).toContain('?limit=0');
  await page.keyboard.press('Home');
  await page.keyboard.press('PageDown');
  await page.keyboard.press('Enter');
  const detail = page.getByRole('article', { name: 'Request 1' });
  await detail.getByText('201: createPet stored a new item').waitFor();
  await expect.poll(focused).toBe('Request 1');
  const body = detail.getByLabel('Response body');
  expect(await body.textContent()).toContain(`"categoryId": ${large}`);
  await detail.getByText('Bearer [Filtered]').waitFor();
  for (let presses = 0; (await focused()) !== 'Copy as curl'; presses++) {
    expect(presses).toBeLessThan(5);
    await page.keyboard.press('Tab');
  }
  await page.keyboard.press('Enter');
  await detail.getByRole('status').getByText('Copied').waitFor();
  const copied = await page.evaluate<string>('navigator.clipboard.readText()');
  expect(copied).toContain(`--data-raw '{"name":"Rex","categoryId":${large}}'`);
  expect(copied).toContain("-H 'Authorization: Bearer demo-free'");
  expect(await detail.getByText('$KEY').count()).toBe(0);
  await page.keyboard.press('Escape');
  await detail.waitFor({ state: 'detached' });
  await expect.poll(focused).toContain('createPet stored a new item');
  expect(problems).toEqual([]);
});

it('shows requests as they come, filters them, and holds still while paused', async () => {
  const twin = await startTwin();
  twin.app.clock.freeze(noon);
  const { page, problems } = await openPage(`${twin.origin}/__admin/console#requests`);
  const rows = page.getByRole('grid', { name: 'Requests' }).getByRole('row');
  const first = rows.nth(1);
  await page.getByText('There is no request yet.').waitFor();
  for (let number = 1; number <= 61; number++) await list(twin, `?n=${number}`);
  await first.getByText('the minute of demo-free is used up, 60 of 60; free again in').waitFor();
  await page.getByText('61 requests, 61 shown.').waitFor();
  await page.getByLabel('Status').selectOption('429');
  await page.getByText('61 requests, 1 shown.').waitFor();
  await page.getByLabel('Status').selectOption('2xx');
  await page.getByLabel('Text in').fill('N=60');
  await page.getByText('61 requests, 1 shown.').waitFor();
  expect(await first.textContent()).toContain('/v1/pets?n=60');
  await page.getByLabel('Key').selectOption('None');
  await page.getByText('61 requests, 0 shown.').waitFor();
  await page.getByRole('button', { name: 'Show all requests' }).click();
  await page.getByLabel('Operation').selectOption('listPets');
  await page.getByText('61 requests, 61 shown.').waitFor();
  await page.getByRole('button', { name: 'Pause' }).click();
  for (let number = 1; number <= 3; number++) await list(twin, `?p=${number}`, 'demo-pro');
  await page.getByText('64 requests, 61 shown, 3 since the pause.').waitFor();
  expect(await rows.getByText('?p=').count()).toBe(0);
  await page.getByRole('button', { name: 'Pause' }).click();
  await first.getByText('/v1/pets?p=3').waitFor();
  await fetch(`${twin.origin}/__admin/requests`, { method: 'DELETE' });
  await list(twin, '?after', 'demo-pro');
  await page.getByText('1 request, 1 shown. The journal was cleared.').waitFor();
  expect(problems).toEqual([]);
});

it('sends a request again, and answers the next one with a fault', async () => {
  const twin = await startTwin();
  await create(twin);
  await list(twin);
  const { page, problems } = await openPage(`${twin.origin}/__admin/console`);
  const row = page.getByRole('row', { name: /POST/ });
  await row.click();
  const detail = page.getByRole('article');
  await detail.getByRole('button', { name: 'Send again' }).click();
  await detail.getByText('Sent again, the response was 201.').waitFor();
  await detail.getByRole('button', { name: 'Open request 3' }).click();
  await page.getByRole('article', { name: 'Request 3' }).getByText('201: createPet').waitFor();

  await detail.getByRole('button', { name: 'Answer the next one with' }).click();
  await detail.getByLabel('Status').fill('999');
  const add = detail.getByRole('button', { name: 'Add the fault', exact: true });
  await add.click();
  await detail.getByRole('status').getByText('"status" must be').waitFor();
  await detail.getByLabel('Status').fill('409');
  await detail.getByLabel('Code of the Error').fill('out_of_stock');
  await detail.getByRole('button', { name: 'curl line for: Add the fault' }).click();
  await detail.getByLabel('curl line', { exact: true }).getByText('"times":1').waitFor();
  await detail.getByLabel('Status').press('Enter');
  await detail.getByText('fired on 0 of 0 calls, 1 of 1 left').waitFor();
  await detail.getByRole('button', { name: 'Send again' }).click();
  await detail.getByText('Sent again, the response was 409.').waitFor();
  await detail.getByText('fired on 1 of 1 calls, 0 of 1 left').waitFor();
  await create(twin);
  const { requests } = (await (
    await fetch(`${twin.origin}/__admin/requests?operation=createPet&limit=2`)
  ).json()) as { requests: { status: number; response: { body: string } }[] };
  expect(requests.map(({ status }) => status)).toEqual([201, 409]);
  expect(JSON.parse(requests[1]?.response.body ?? '')).toMatchObject({ code: 'out_of_stock' });
  await detail.getByRole('button', { name: 'Delete fault-1', exact: true }).click();
  await detail.getByText('The fault fault-1 is gone.').waitFor();
  // The browser says so of each status from 400 on.
  const own = /status of 4\d\d/;
  expect(problems.filter((problem) => !own.test(problem))).toEqual([]);
});

it('shows the status of a redirect that it sent, and opens that very request', async () => {
  const twin = await startTwin();
  const body = JSON.stringify({ operation: 'listPets', status: 302 });
  await fetch(`${twin.origin}/__admin/faults`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body,
  });
  const send = () =>
    fetch(`${twin.api}/pets`, { headers: bearer('demo-free'), redirect: 'manual' });
  await send();
  const { page, problems } = await openPage(`${twin.origin}/__admin/console`);
  await page.getByRole('row', { name: /302 GET/ }).click();
  const detail = page.getByRole('article');
  // Somebody else sends the same request before the page looks for its own.
  await page.route('**/__admin/requests/find*', async (route) => {
    await send();
    await route.continue();
  });
  await detail.getByRole('button', { name: 'Send again' }).click();
  await detail
    .getByText(
      'The response is a redirect, which browsers do not show to pages. The journal has the status 302.',
    )
    .waitFor();
  await detail.getByRole('button', { name: 'Open request 2' }).click();
  await page.getByRole('article', { name: 'Request 2' }).getByText('X-Try-It').waitFor();
  expect(problems).toEqual([]);
});

it('says where a key is missing that it does not know', async () => {
  const keys = projectFile('tests/support/secret-keys.json');
  const twin = await startTwin({ keys });
  await fetch(`${twin.origin}/sandboxes/a/v1/pets`, { headers: bearer('s3cret-1') });
  const { page } = await openPage(`${twin.origin}/sandboxes/a/__admin/console`);
  await page.getByRole('row', { name: /200 GET/ }).click();
  const detail = page.getByRole('article');
  await detail.getByText('The curl command has $KEY in place of the key.').waitFor();
  await detail.getByLabel('API key').fill('wrong');
  await detail.getByRole('button', { name: 'Send again' }).click();
  await detail.getByText('the response was 401.').waitFor();
  await detail.getByRole('button', { name: 'Open request 2' }).waitFor();
});

it('counts each of a flood of requests, and holds the latest ones', async () => {
  const twin = await startTwin({ rateLimits: 'off' });
  const { page, problems } = await openPage(`${twin.origin}/__admin/console`);
  await page.getByRole('status').getByText('Live').waitFor();
  await page.evaluate(`
    window.frames = 0;
    window.draws = 0;
    (function count() { frames += 1; requestAnimationFrame(count); })();
    new MutationObserver(() => { draws += 1; }).observe(document.querySelector('.counts'), {
      subtree: true, characterData: true,
    });`);
  const total = 2000;
  const lanes = Array.from({ length: 8 }, async (_, lane) => {
    for (let number = lane; number < total; number += 8)
      await (await list(twin, `?n=${number}`, 'demo-business')).arrayBuffer();
  });
  await Promise.all(lanes);
  await page.getByText('2,000 requests, 1,000 shown. This page holds the latest 1,000').waitFor();
  const grid = page.getByRole('grid', { name: 'Requests' });
  expect(await grid.getByRole('row').count()).toBe(1001);
  const [frames, draws] = await page.evaluate<[number, number]>('[frames, draws]');
  expect(draws).toBeLessThanOrEqual(frames);

  // A row that the reader is at stays where it is, whatever comes above it.
  await grid.getByRole('row').nth(1).focus();
  await page.keyboard.press('PageDown');
  await page.keyboard.press('PageDown');
  const focused = page.locator(':focus');
  const before = [await focused.textContent(), (await focused.boundingBox())?.y];
  await list(twin, '?later', 'demo-business');
  await page.getByText('2,001 requests').waitFor();
  await grid.getByText('?later').waitFor({ state: 'attached' });
  expect([await focused.textContent(), (await focused.boundingBox())?.y]).toEqual(before);
  await page.keyboard.press('ArrowUp');
  await expect.poll(() => focused.textContent()).not.toBe(before[0]);
  // Where it is dropped, the next one has the focus.
  await page.keyboard.press('End');
  const last = await focused.textContent();
  await list(twin, '?last', 'demo-business');
  await expect.poll(() => focused.textContent()).not.toBe(last);
  await page.keyboard.press('ArrowUp');
  await expect.poll(() => focused.getAttribute('role')).toBe('row');
  expect(problems).toEqual([]);
});

it('says when the connection is lost, and reads on when the twin is back', async () => {
  const first = await startTwin();
  const port = Number(new URL(first.origin).port);
  await list(first, '?before');
  const { page } = await openPage(`${first.origin}/__admin/console`);
  await page.getByText('1 request, 1 shown.').waitFor();
  await first.close();
  await page.getByRole('status').getByText('Trying again').waitFor();
  const second = await startTwin({ port });
  await list(second, '?after');
  await page.getByText('1 request, 1 shown. The twin was started again.').waitFor();
  await page.getByRole('row', { name: /\?after/ }).waitFor();
  await page.getByRole('status').getByText('Live').waitFor();
});

it('has room for a long reason why the connection is lost', async () => {
  const twin = await startTwin();
  const { page } = await openPage(`${twin.origin}/__admin/version`, {
    viewport: { width: 360, height: 800 },
  });
  const message = 'The store at redis://127.0.0.1:6379/0 cannot be reached (ECONNREFUSED).';
  await page.route('**/requests/stream**', (route) =>
    route.fulfill({ status: 503, json: { code: 'store_unavailable', message, status: 503 } }),
  );
  await page.goto(`${twin.origin}/__admin/console`);
  await page.getByRole('status').getByText(message).waitFor();
  const heights = [page.getByRole('button', { name: 'Pause' }), page.getByText('0 requests')].map(
    async (shown) => (await shown.boundingBox())?.height ?? 0,
  );
  for (const height of await Promise.all(heights)) expect(height).toBeLessThan(60);
});

it('shows hostile requests as text, and holds its layout', async () => {
  const twin = await startTwin();
  const attack = `</script><img src=x onerror=alert(1)>\u001b[31m\u202edrow`;
  await fetch(`${twin.api}/${encodeURIComponent(attack)}?${'x'.repeat(5000)}`);
  const headers = { ...bearer('demo-free'), 'Content-Type': 'application/json' };
  await fetch(`${twin.api}/pets`, {
    method: 'POST',
    headers: { ...headers, 'X-Long': 'y'.repeat(8000) },
    body: JSON.stringify({ name: attack.repeat(50), categoryId: 1 }),
  });
  const bytes = Buffer.concat([
    Buffer.from('{"name":"'),
    Buffer.alloc(60_000, '\xff\x00', 'latin1'),
  ]);
  await fetch(`${twin.api}/pets`, { method: 'POST', headers, body: bytes });
  await fetch(`${twin.api}/pets`, { method: 'PROPFIND', headers: bearer('demo-free') });
  const { page, problems } = await openPage(`${twin.origin}/__admin/console`, {
    viewport: { width: 360, height: 900 },
  });
  const detail = page.getByRole('article');
  for (const [name, shown] of [
    [/PROPFIND/, 'PROPFIND'],
    [/script/, 'onerror'],
    [/400 POST/, 'What is not UTF-8 is shown as'],
    [/201 POST/, '\\u202e'],
  ] as const) {
    await page.getByRole('row', { name }).first().click();
    await detail.getByText(shown).first().waitFor();
    const overflow = 'document.documentElement.scrollWidth - document.documentElement.clientWidth';
    expect(await page.evaluate(overflow)).toBe(0);
    if (shown === '\\u202e') break;
    await page.keyboard.press('Escape');
    await detail.waitFor({ state: 'detached' });
  }
  expect(await detail.getByLabel('Response body').textContent()).toContain('<img src=x onerror=');
  expect(await page.locator('img').count()).toBe(0);
  expect(problems).toEqual([]);
});

it('works for everybody', async () => {
  const twin = await startTwin();
  await create(twin);
  await list(twin, '?limit=1000');
  await expectAccessible(openPage, `${twin.origin}/__admin/console`, async (page) => {
    await page.getByRole('row', { name: /400 GET/ }).waitFor();
  });
});

it('works for everybody without a request', async () => {
  const twin = await startTwin();
  await expectAccessible(openPage, `${twin.origin}/__admin/console`, async (page) => {
    await page.getByText('There is no request yet.').waitFor();
  });
});

it('works for everybody with a request open', async () => {
  const twin = await startTwin();
  await create(twin);
  await expectAccessible(openPage, `${twin.origin}/__admin/console`, async (page) => {
    await page.getByRole('row', { name: /201 POST/ }).click();
    await page.getByRole('button', { name: 'Answer the next one with' }).click();
    await page.getByLabel('How often').waitFor();
  });
});

it('shows an empty journal a line that sends the first request, which it then lists', async () => {
  const twin = await startTwin();
  const { page, problems } = await openPage(`${twin.origin}/sandboxes/a/__admin/console`);
  const line = await page.getByLabel('curl line').textContent();
  expect(line).toBe(`curl -H 'Authorization: Bearer demo-free' ${twin.origin}/sandboxes/a/v1/pets`);
  await page.getByRole('button', { name: 'Copy the curl line' }).waitFor();
  await (
    await fetch(`${twin.origin}/sandboxes/a/v1/pets`, { headers: bearer('demo-free') })
  ).text();
  await page.getByRole('row', { name: /listPets listed what is stored/ }).waitFor();
  expect(await page.getByText('There is no request yet.').count()).toBe(0);
  expect(problems).toEqual([]);
});

it('remembers its filters when another panel was shown', async () => {
  const twin = await startTwin();
  await list(twin);
  await list(twin, '?limit=0');
  const { page } = await openPage(`${twin.origin}/__admin/console`);
  await page.getByLabel('Status').selectOption('4xx');
  await page.getByLabel('Text in').fill('limit');
  await page.getByText('2 requests, 1 shown.').waitFor();
  await page.getByRole('link', { name: 'Data' }).click();
  await page.getByLabel('status').selectOption('sold');
  await page.getByRole('link', { name: 'Requests' }).click();
  await page.getByText('2 requests, 1 shown.').waitFor();
  expect(await page.getByLabel('Status').inputValue()).toBe('4xx');
  expect(await page.getByLabel('Text in').inputValue()).toBe('limit');
  await page.getByLabel('Text in').fill('nothing has this');
  await page.getByText('No request fits the filters.').waitFor();
  await page.getByRole('link', { name: 'Data' }).click();
  await expect.poll(() => page.getByLabel('status').inputValue()).toBe('sold');
});

it('shows an open request whole at 1280 x 800, and the first request early at 360', async () => {
  const twin = await startTwin();
  twin.app.clock.freeze(noon);
  await create(twin);
  await list(twin, '?status=available&limit=100');
  await fetch(`${twin.origin}/__admin/limits/demo-free`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: '{"exhaust":"minute"}',
  });
  await list(twin, '?status=available&limit=50');
  const wide = await openPage(`${twin.origin}/__admin/console`, {
    viewport: { width: 1280, height: 800 },
  });
  await wide.page.getByRole('row', { name: /201 POST/ }).click();
  const detail = wide.page.getByRole('article');
  for (const shown of [
    detail.getByText('Authorization', { exact: true }),
    detail.getByText('X-RateLimit-Limit', { exact: true }),
    detail.getByLabel('Request body'),
    detail.getByLabel('Response body'),
  ]) {
    await shown.waitFor();
    const { y = 0, height = 0 } = (await shown.boundingBox()) ?? {};
    expect(y + height).toBeLessThan(800);
  }
  const isCut = ({ scrollWidth, clientWidth }: { scrollWidth: number; clientWidth: number }) =>
    scrollWidth > clientWidth;
  const cells = wide.page.getByRole('row', { name: /limit=50/ }).getByRole('gridcell');
  for (const cell of await cells.all()) expect(await cell.evaluate(isCut)).toBe(false);

  const narrow = await openPage(`${twin.origin}/__admin/console`, {
    viewport: { width: 360, height: 800 },
  });
  const first = narrow.page.getByRole('row', { name: /429/ });
  await first.waitFor();
  expect((await first.boundingBox())?.y).toBeLessThan(300);
  await narrow.page.getByRole('button', { name: 'Filters' }).click();
  await narrow.page.getByLabel('Status').selectOption('429');
  await narrow.page.getByRole('button', { name: 'Filters (1)' }).click();
  await narrow.page.getByText('3 requests, 1 shown.').waitFor();
});

it('keeps the request that is opened and closed where it is', async () => {
  const twin = await startTwin({ rateLimits: 'off' });
  for (let number = 0; number < 60; number++) await list(twin, `?n=${number}.`);
  const { page } = await openPage(`${twin.origin}/__admin/console`, {
    viewport: { width: 1280, height: 800 },
  });
  const row = page.getByRole('row', { name: /n=22\./ });
  await row.scrollIntoViewIfNeeded();
  const middle = async () => {
    const { y = 0, height = 0 } = (await row.boundingBox()) ?? {};
    return y + height / 2;
  };
  const before = await middle();
  await row.click();
  await page.getByRole('article').waitFor();
  expect(await row.getAttribute('aria-selected')).toBe('true');
  expect(Math.abs((await middle()) - before)).toBeLessThan(30);
  await page.keyboard.press('Escape');
  await page.getByRole('article').waitFor({ state: 'detached' });
  expect(Math.abs((await middle()) - before)).toBeLessThan(30);
});

it('scrolls the list alone at 1280 x 800', async () => {
  const twin = await startTwin({ rateLimits: 'off' });
  for (let number = 0; number < 40; number++) await list(twin);
  const { page } = await openPage(`${twin.origin}/__admin/console`, {
    viewport: { width: 1280, height: 800 },
  });
  await page.getByText('40 requests, 40 shown.').waitFor();
  const room = 'document.documentElement.scrollHeight - document.documentElement.clientHeight';
  expect(await page.evaluate(room)).toBe(0);
  await page.getByRole('row', { name: /GET/ }).first().click();
  await page.getByRole('article').getByLabel('Response body').waitFor();
  expect(await page.evaluate(room)).toBe(0);
});

it('keeps what is in a card within it at 390, and says that there are more tabs', async () => {
  const twin = await startTwin();
  await list(twin);
  const { page } = await openPage(`${twin.origin}/__admin/console`, {
    viewport: { width: 390, height: 844 },
  });
  await page.getByRole('row', { name: /GET/ }).click();
  const detail = page.getByRole('article');
  const hint = detail.getByText('The journal does not record keys.');
  await hint.waitFor();
  const edges = [detail, hint].map(async (one) => {
    const { x = 0, width = 0 } = (await one.boundingBox()) ?? {};
    return x + width;
  });
  const [card = 0, text = 0] = await Promise.all(edges);
  expect(text).toBeLessThan(card);
  const tabs = page.getByRole('navigation', { name: 'Panels' }).getByRole('list');
  expect(await tabs.evaluate((list) => list.scrollWidth > list.clientWidth)).toBe(true);
  const colour = async (x: number) => {
    const { y = 0, height = 0 } = (await tabs.boundingBox()) ?? {};
    const clip = { x, y: y + height - 8, width: 1, height: 1 };
    return (await page.screenshot({ clip })).toString('base64');
  };
  const [shaded, plain] = [await colour(388), await colour(300)];
  expect(shaded).not.toBe(plain);
  await tabs.evaluate((list) => list.scrollTo(list.scrollWidth, 0));
  await expect.poll(() => colour(388)).toBe(plain);
});
