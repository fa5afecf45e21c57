import type { Page } from 'playwright';
import { expect, it } from 'vitest';
import { readZoneText, toZoneText } from '../../../../mock/extras/console/browser/words.ts';
import { createDomainsClient } from '../../../support/domains-client.ts';
import { expectAccessible, findLowControls, usePages } from '../../../support/open-page.ts';
import { startTwin } from '../../../support/twin.ts';
import { startZone, type ZoneRecord } from '../../../support/zone-server.ts';

const openPage = usePages();
const name = 'docs.example.com';

const button = (page: Page, label: string) =>
  page.getByRole('button', { name: label, exact: true });

it('adds a domain, follows it to active by the clock, redirects to it and removes it', async () => {
  const twin = await startTwin();
  const client = createDomainsClient(twin);
  const { page, problems } = await openPage(`${twin.origin}/__admin/console#domains`);
  await page.getByText('The project has no domain.').waitFor();
  await page.getByLabel('Domain', { exact: true }).fill(name);
  await button(page, 'Add the domain').click();
  await page.getByText(/Custom domains need a paid plan/).waitFor();
  await page.getByLabel('Plan').selectOption('pro');
  await page.getByLabel('Last deploy').selectOption('succeeded');
  await button(page, 'Save the project').click();
  await page.getByText('The project is saved.').waitFor();
  await button(page, 'Add the domain').click();

  const card = page.getByRole('listitem').filter({
    has: page.getByRole('heading', { name, exact: true }),
  });
  const current = card.locator('[aria-current=step]');
  await card.getByText(`${name} has no CNAME record.`).waitFor();
  expect(await current.textContent()).toContain('Pending');
  await button(page, `Copy the TTL of ${name}`).click();
  await card.getByText('Copied').first().waitFor();

  await page
    .getByLabel('Records', { exact: true })
    .fill(`${name} 3600 CNAME domains.petstore.example\n${name} 3600 A 192.0.2.1`);
  await button(page, 'Save the records').click();
  await card.getByText(`Remove every A and AAAA record of ${name}.`).waitFor();
  await button(page, `Set this record of ${name}`).click();
  await card.getByText('The records to spread, which takes up to 48 hours.').waitFor();
  for (const state of ['Verified', 'Certificate issued', 'Active']) {
    await button(page, `Move the clock there for ${name}`).click();
    await current.getByText(state).waitFor();
  }
  await card.getByText(/Serving the reference since \d{4}-/).waitFor();

  await page.getByLabel('From').fill('old.example.com');
  await page.getByLabel('Status').selectOption('308');
  await button(page, 'Add the redirect').click();
  await page.getByText(`old.example.com → ${name}`).waitFor();

  await button(page, `Remove ${name}`).focus();
  await page.keyboard.press('Enter');
  await page.getByText(`Remove ${name} and its redirects (1)?`).waitFor();
  await page.keyboard.press('Escape');
  expect((await client.call('GET', 'domains')).json.domains).toHaveLength(1);
  await page.keyboard.press('Enter');
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  await page.getByText(`${name} is removed.`).waitFor();
  await page.getByText('The project has no domain.').waitFor();
  await page.getByText('There is no redirect.').waitFor();
  expect(problems.filter((one) => !one.startsWith('console: Failed to load'))).toEqual([]);
});

it('verifies a domain again whose certificate CAA records blocked', async () => {
  const twin = await startTwin();
  const client = createDomainsClient(twin);
  await client.activate();
  await client.add(name);
  const record = { name, type: 'CNAME', value: 'domains.petstore.example' };
  await client.setDns([
    record,
    { name: 'example.com', type: 'CAA', value: '0 issue "other.example"' },
  ]);
  await client.advance(1000);
  const { page } = await openPage(`${twin.origin}/__admin/console#domains`);
  await page.getByText(/does not let ca.petstore.example issue/).waitFor();
  await client.setDns([record]);
  await page.getByText(/and allow it now/).waitFor();
  await button(page, `Verify again ${name}`).click();
  await page.locator('[aria-current=step]').getByText('Certificate issued').waitFor();
});

it('verifies domains again whose records are looked up, and changes no record', async () => {
  const records: ZoneRecord[] = [
    { name, type: 'CNAME', domain: 'domains.petstore.example' },
    { name: 'domains.petstore.example', type: 'A', address: '192.0.2.1' },
  ];
  const { address, port } = await startZone(records);
  const twin = await startTwin({ dnsServer: `${address}:${port}` });
  const client = createDomainsClient(twin);
  await client.freeze('2030-01-01T00:00:00Z');
  await client.publish({ issuanceMinutes: 0 });
  await client.add(name);
  await client.advance(60_000);
  const { page } = await openPage(`${twin.origin}/__admin/console#domains`);
  await page.getByText(`Looked up at ${address}:${port} (--dns-server)`).waitFor();
  await page.getByText(`${name} 3600 CNAME domains.petstore.example`).waitFor();
  expect(await page.getByRole('button', { name: 'Save the records' }).count()).toBe(0);
  const current = page.locator('[aria-current=step]');
  await current.getByText('Active').waitFor();
  records[0] = { name, type: 'A', address: '192.0.2.9' };
  await client.advance(1000);
  await button(page, `Verify again ${name}`).click();
  await current.getByText('Pending').waitFor();
  await page.getByText(`${name} has no CNAME record.`).waitFor();
  await page.getByText('Once they are right, verify again').waitFor();
  expect(await page.getByRole('button', { name: /^Set this record/ }).count()).toBe(0);
});

it('takes a domain beyond ASCII, and shows it in both forms', async () => {
  const twin = await startTwin();
  await createDomainsClient(twin).publish();
  const { page } = await openPage(`${twin.origin}/__admin/console#domains`);
  await page.getByLabel('Domain', { exact: true }).fill('docs.münchen.example');
  await button(page, 'Add the domain').click();
  await page.getByRole('heading', { name: 'docs.münchen.example' }).waitFor();
  await page.getByText('In DNS: docs.xn--mnchen-3ya.example', { exact: true }).waitFor();
  await page.getByLabel('From').fill('ältere.example.com');
  await button(page, 'Add the redirect').click();
  await page.getByText('ältere.example.com → docs.münchen.example', { exact: true }).waitFor();
  await page.getByText('In DNS: xn--ltere-fra.example.com → docs.xn--mnchen-3ya.example').waitFor();
});

it('is accessible, however wide the page is', async () => {
  const twin = await startTwin();
  const client = createDomainsClient(twin);
  await client.activate(name, 'example.org');
  await client.add('a-very-long-name-of-a-subdomain-of-the-project.documentation.example.com');
  await client.redirect('old.example.com', name);
  await expectAccessible(openPage, `${twin.origin}/__admin/console#domains`, async (page) => {
    await page.getByText('old.example.com →').waitFor();
    expect(await findLowControls(page, 'main')).toEqual([]);
  });
}, 60_000);

it('reads records from lines as it shows them', () => {
  const records = [
    { name, type: 'CNAME' as const, ttl: 60, value: 'a.example' },
    { name, type: 'CAA' as const, ttl: 3600, value: '0 issue "ca.example"' },
  ];
  expect(readZoneText(`\n${toZoneText(records)}\n`)).toEqual({ records });
  expect(readZoneText('docs.example.com CNAME a.example')).toMatchObject({
    problem: 'Line 1 must be a name, a TTL, a type and a value.',
  });
});
