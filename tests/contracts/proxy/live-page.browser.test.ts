import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, it, onTestFinished } from 'vitest';
import { createOwnPages, type Health } from '../../../contracts/proxy/own-pages.ts';
import { formatReport } from '../../../contracts/report/files.ts';
import { expectAccessible, usePages } from '../../support/open-page.ts';
import { sampleReport } from '../../support/sample-report.ts';

const openPage = usePages();

/** The proxy's own pages, of a proxy whose state the test sets. */
async function servePages() {
  const health: Health = {
    target: 'https://staging.example.com/v1',
    startedAt: '2026-01-01T00:00:00.000Z',
    passed: 1,
    underWay: 0,
    dropped: 0,
    findings: {},
  };
  const state = { health, title: 'Pet Store Service' };
  const answer = createOwnPages({
    health: () => state.health,
    render: async (format) => {
      const document = { title: state.title, version: '1.0.0' };
      return formatReport(sampleReport({ document }), format, { strict: false });
    },
  });
  const server = createServer((request, response) => {
    if (!answer(request, response, request.url ?? '')) response.writeHead(404).end();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const close = async () => {
    server.closeAllConnections();
    server.close();
  };
  onTestFinished(close);
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, state, close };
}

it('is accessible, and asks for nothing of another origin', async () => {
  const { url } = await servePages();
  await expectAccessible(openPage, `${url}/__proxy/report`, async (page) => {
    await page.getByRole('status').getByText('1 call · no findings').waitFor();
    // The report has its own test; what runs in a page reaches no other frame.
    await page.locator('iframe').evaluate((frame) => frame.remove());
  });
});

it('counts live, loads the report anew on a new finding, and says when the proxy ended', async () => {
  const { url, state, close } = await servePages();
  const { page, problems } = await openPage(`${url}/__proxy/report`);
  const status = page.getByRole('status');
  const report = page.frameLocator('iframe');
  await status.getByText('1 call · no findings').waitFor();
  await report.getByText('Pet Store Service').first().waitFor();
  state.health = { ...state.health, passed: 1234, dropped: 2, findings: { drift: 1, client: 2 } };
  state.title = 'Renamed Service';
  await status
    .getByText('1,234 calls · 2 too fast to be judged · findings: 1 drift, 2 client')
    .waitFor();
  await report.getByText('Renamed Service').first().waitFor();

  await page.getByRole('checkbox', { name: 'Update automatically' }).uncheck();
  state.title = 'Service of later';
  state.health = { ...state.health, passed: 2000, findings: { drift: 9 } };
  await status.getByText('2,000 calls').waitFor();
  expect(await report.getByText('Renamed Service').first().isVisible()).toBe(true);
  await page.getByRole('button', { name: 'Update now' }).click();
  await report.getByText('Service of later').first().waitFor();
  await page.getByRole('checkbox', { name: 'Update automatically' }).check();
  expect(problems).toEqual([]);

  await close();
  await status.getByText('The proxy has ended. This is what it had found.').waitFor();
  const automatic = page.getByRole('checkbox', { name: 'Update automatically' });
  expect(await automatic.isDisabled()).toBe(true);
  expect(await page.getByRole('button', { name: 'Update now' }).isDisabled()).toBe(true);
});
