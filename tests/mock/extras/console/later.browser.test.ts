import type { Page } from 'playwright';
import { expect, it } from 'vitest';
import { expectAccessible, usePages } from '../../../support/open-page.ts';
import { serveDocument } from '../../../support/serve-document.ts';
import { projectFile } from '../../../support/twin.ts';
import { startReceiver } from '../../../support/webhook-receiver.ts';

const openPage = usePages();

const button = (page: Page, name: string | RegExp) =>
  page.getByRole('button', typeof name === 'string' ? { name, exact: true } : { name });
const said = (page: Page, text: string | RegExp) =>
  page.getByRole('status').filter({ hasText: text }).first().waitFor();

/** A shop whose order sent a webhook that failed, so that a task is to send it again. */
async function startShop() {
  const { url, received } = await startReceiver((response) => response.writeHead(500).end('busy'));
  const twin = await serveDocument(projectFile('tests/support/shop.yaml'), {
    webhookUrl: [{ url }],
  });
  await twin.send('POST', '/orders', { quantity: 1 });
  await expect.poll(() => received.length).toBe(1);
  const { tasks, clock } = twin.app.sandboxes.defaultSandbox;
  await expect.poll(() => tasks.list().length).toBe(1);
  clock.freeze(clock.now());
  return { console: `${twin.origin}/__admin/console`, received, tasks, clock, url };
}

it('tasks: runs one now, moves the clock to one, and removes them', async () => {
  const { console, received, tasks, clock } = await startShop();
  const { page, problems } = await openPage(`${console}#tasks`);
  await page.getByRole('heading', { name: 'webhook:deliver' }).waitFor();
  await page.getByText('event: order.created').waitFor();
  await page.getByText(/Due at .* UTC, in \d+ s/).waitFor();
  await button(page, /^Run now/).click();
  await said(page, /^task-\d+ is done\.$/);
  expect(received).toHaveLength(2);
  const due = tasks.list()[0]?.due as number;
  await button(page, /^Move the clock to it/).click();
  await said(page, /^The clock stands at /);
  expect([clock.now(), received.length]).toEqual([due, 3]);
  await button(page, /^Remove task/).click();
  await said(page, /^task-\d+ is removed\.$/);
  await page.getByText('No tasks.').waitFor();
  expect(problems).toEqual([]);
});

it('webhooks: shows where they go, their tries and answers, and sends one again', async () => {
  const { console, received, url } = await startShop();
  const { page, problems } = await openPage(`${console}#webhooks`);
  await page.getByText(url).first().waitFor();
  await page.getByRole('heading', { name: 'order.created' }).waitFor();
  await page.getByText(/^pending, again at /).waitFor();
  await page.getByText(/msg_\w+\. Tries: 1, the last one at .* 500/).waitFor();
  await button(page, /^Send again/).click();
  await expect.poll(() => received.length).toBe(2);
  await button(page, /^Fail the next try/).click();
  await page.getByText('Next tries that fail: 1').waitFor();
  expect(problems).toEqual([]);
});

it.each(['tasks', 'webhooks'])('works for everybody: %s', async (panel) => {
  const { console } = await startShop();
  await expectAccessible(openPage, `${console}#${panel}`, (page) =>
    page.getByRole('button', { name: /^(Run now|Send again)/ }).waitFor(),
  );
});
