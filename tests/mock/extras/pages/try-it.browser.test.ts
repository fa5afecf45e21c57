import type { Page } from 'playwright';
import { expect, it } from 'vitest';
import { adminOf } from '../../../support/admin-requests.ts';
import { expectAccessible, findLowControls, usePages } from '../../../support/open-page.ts';
import { startTwin, type TestTwin } from '../../../support/twin.ts';
import { writeJson } from '../../../support/write-json.ts';

const openPage = usePages();

const pageOf = (origin: string, operation: string) =>
  `${origin}/__docs/operations/${operation}.html`;

const send = (page: Page) => page.getByRole('button', { name: 'Send', exact: true }).click();
const response = (page: Page) => page.getByRole('region', { name: 'Response', exact: true });
const why = (page: Page) => page.getByRole('region', { name: 'Why' });

async function admin({ origin }: TestTwin, path: string, method: string, body?: object) {
  const { status, text } = await adminOf({ origin }).send(method, path, body);
  expect([path, status < 300 ? '' : text]).toEqual([path, '']);
}

it('tries an operation with the keyboard alone: integers exact, and why', async () => {
  const { origin } = await startTwin();
  const { page, problems } = await openPage(pageOf(origin, 'listPets'));
  await page.getByRole('textbox', { name: 'limit' }).focus();
  await page.keyboard.type('9');
  await page.keyboard.press('Tab');
  await page.keyboard.type('available');
  await page.keyboard.press('Enter');
  await why(page).getByText('200: listPets listed stored items').waitFor();
  await why(page)
    .getByText(/^request \d+, listPets, demo-free, sandbox default$/)
    .waitFor();
  await response(page).getByText('200 OK').waitFor();
  for (let presses = 0; presses < 40; presses++) {
    await page.keyboard.press('Tab');
    if ((await page.evaluate('document.activeElement.ariaLabel')) === 'Body of the response') break;
  }
  expect(await page.locator(':focus').textContent()).toContain('"categoryId": 9223372036854775807');
  const line = await page.getByRole('group', { name: 'curl line' }).textContent();
  expect(line).toBe(
    `curl -H 'Authorization: Bearer demo-free' '${origin}/v1/pets?limit=9&status=available'`,
  );
  expect(problems).toEqual([]);
});

it('sends the body as it is typed, in the sandbox of the page, and explains a refusal', async () => {
  const { origin } = await startTwin();
  const { page, problems } = await openPage(pageOf(`${origin}/sandboxes/a`, 'createPet'));
  await page
    .getByRole('button', { name: /^Copy the example/ })
    .first()
    .waitFor();
  // Who has no key makes no sandbox, so the default one has the entry.
  await page.getByLabel('Key').selectOption('No key');
  await send(page);
  await why(page)
    .getByText(/^401: no API key or other credentials were sent/)
    .waitFor();
  await why(page)
    .getByText(/sandbox default$/)
    .waitFor();

  await page.getByLabel('Key').selectOption('demo-free');
  const body = page.getByRole('textbox', { name: 'Body' });
  expect(await body.inputValue()).toContain('"name": "Rex"');
  await body.fill('{"name":"Big","categoryId":9223372036854775807}');
  await send(page);
  await why(page).getByText('201: createPet stored a new item').waitFor();
  await why(page)
    .getByText(/sandbox a$/)
    .waitFor();
  const shown = page.getByRole('group', { name: 'Body of the response' });
  expect(await shown.textContent()).toContain('"categoryId": 9223372036854775807');
  await body.fill('{"name":7');
  await page.getByText(/^This is not JSON:/).waitFor();
  await send(page);
  await why(page)
    .getByText(/^400: /)
    .waitFor();

  await page.getByLabel('Key').selectOption('demo-free-2');
  await page.getByText('Further headers').click();
  await page.getByLabel(/^One a line/).fill('Prefer: code=204');
  await body.fill('{}');
  await send(page);
  await response(page).getByText('The response has no body.').waitFor();
  await why(page).getByText('204: the request asked for this response: Prefer: code=204').waitFor();

  expect(problems.filter((one) => !one.includes('Failed to load resource'))).toEqual([]);
});

it('explains a used-up limit, a broken connection, and what it waited for no longer', async () => {
  const twin = await startTwin();
  const { page } = await openPage(pageOf(twin.origin, 'getPet'));
  await admin(twin, 'clock', 'PUT', { action: 'freeze', instant: '2030-01-01T00:00:26Z' });
  for (let call = 0; call < 60; call++)
    await fetch(`${twin.api}/pets`, { headers: { Authorization: 'Bearer demo-free' } });
  await send(page);
  await why(page)
    .getByText('429: the minute of demo-free is used up, 60 of 60; free again in 34 s')
    .waitFor();

  await page.getByLabel('Key').selectOption('demo-pro');
  await admin(twin, 'faults', 'POST', { id: 'cut', fault: 'CONNECTION_RESET_BY_PEER' });
  await send(page);
  await response(page)
    .getByText(/^There is no response: the connection broke/)
    .waitFor();
  await why(page).getByText('the fault "cut" broke the connection').waitFor();

  await admin(twin, 'faults', 'DELETE');
  await admin(twin, 'faults', 'POST', {
    id: 'slow',
    delay: { type: 'fixed', milliseconds: 20_000 },
  });
  await send(page);
  await page.getByRole('button', { name: 'Cancel' }).click();
  await response(page).getByText('You cancelled the request.').waitFor();
  await why(page)
    .getByText(/it would have been delayed by 20,000 ms by "slow"$/)
    .waitFor();
});

const hostile = '</script><img src=x onerror=alert(1)>\x1b[31m\u202eevil';

it('runs nothing of names, examples and answers that attack', async () => {
  const json = { 'application/json': { schema: {}, examples: { [hostile]: { value: hostile } } } };
  const operation = {
    operationId: 'attack',
    parameters: [
      { name: hostile, in: 'query', schema: { type: 'string', enum: [hostile], default: hostile } },
    ],
    requestBody: { content: { 'application/json': { schema: {}, example: hostile } } },
    responses: { 200: { description: 'OK', content: json } },
  };
  const spec = await writeJson({
    openapi: '3.1.0',
    info: { title: hostile, version: '1' },
    paths: { '/attack': { post: operation } },
  });
  const { origin } = await startTwin({ spec });
  const { page, problems } = await openPage(pageOf(origin, 'attack'));
  await send(page);
  await why(page)
    .getByText(/^200: /)
    .waitFor();
  const shown = (await page.getByRole('region', { name: 'Try it' }).textContent()) ?? '';
  expect(shown.replaceAll('\n', '')).not.toMatch(/[\p{Cc}\p{Cf}]/u);
  expect(await page.locator('img').count()).toBe(0);
  expect(problems).toEqual([]);
});

it('works for everybody, with a response too', async () => {
  const { origin } = await startTwin();
  await expectAccessible(openPage, pageOf(origin, 'createPet'), async (page) => {
    await send(page);
    await why(page).getByText('201: createPet stored a new item').waitFor();
    await page.getByText(/^Headers \(/).click();
    await page.getByText('Further headers').click();
    expect(await findLowControls(page, '.try-it')).toEqual([]);
  });
});
