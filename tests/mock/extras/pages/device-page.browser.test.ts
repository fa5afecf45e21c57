import { expect, it } from 'vitest';
import { expectAccessible, usePages } from '../../../support/open-page.ts';
import { openOAuthTwin } from '../oauth/oauth-twin.ts';

const openPage = usePages();

it('lets the user of a device enter its code and allow it, by keyboard alone', async () => {
  const { post } = await openOAuthTwin();
  const { body } = await post('/sandboxes/qa/__oauth/device', {
    client_id: 'demo-free',
    scope: 'read',
  });
  const code = String(body.user_code);
  await expectAccessible(openPage, String(body.verification_uri));
  await expectAccessible(openPage, String(body.verification_uri_complete), (page) =>
    page.getByRole('button', { name: 'Deny' }).waitFor(),
  );
  const { page, problems } = await openPage(String(body.verification_uri));
  await page.keyboard.press('Tab');
  await page.keyboard.type(code.toLowerCase());
  await page.keyboard.press('Enter');
  await page.getByRole('button', { name: 'Allow' }).waitFor();
  expect(await page.getByRole('main').textContent()).toContain(code);
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'The device is allowed' }).waitFor();
  expect(await page.getByRole('status').textContent()).toContain('It gets its tokens');
  expect(problems).toEqual([]);
});
