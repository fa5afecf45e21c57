import { expect, it } from 'vitest';
import { expectAccessible, usePages } from '../../../support/open-page.ts';
import { startTwin } from '../../../support/twin.ts';
import { writeJson } from '../../../support/write-json.ts';
import { toSecuredDocument } from '../schemes/secured-document.ts';

const openPage = usePages();

it('tries operations with a key in each place, and shows on the start page where it goes', async () => {
  const { origin } = await startTwin({
    spec: await writeJson(
      toSecuredDocument({
        all: [{ basic: [], header: [], query: [] }],
        optional: [{ header: [] }, {}],
      }),
    ),
  });
  const { page, problems } = await openPage(`${origin}/__docs/operations/all.html`);
  const send = () => page.getByRole('button', { name: 'Send', exact: true }).click();
  const why = page.getByRole('region', { name: 'Why' });
  await page.getByLabel('Key').selectOption('demo-pro');
  expect(await page.getByRole('group', { name: 'curl line' }).textContent()).toBe(
    `curl -u demo:demo-pro -H 'X-Shop-Key: demo-pro' '${origin}/v2/all?appid=demo-pro'`,
  );
  await send();
  await why.getByText(/^request \d+, all, demo-pro, sandbox default$/).waitFor();
  await page.getByLabel('Key').selectOption('No key');
  await send();
  await why.getByText(/^401: no API key or other credentials were sent; expected basic/).waitFor();
  // The browser reports the 401 on its console.
  expect(problems.filter((problem) => !problem.includes('401'))).toEqual([]);
  await expectAccessible(openPage, `${origin}/`, (start) =>
    start.getByText('basic credentials with a key as the password').waitFor(),
  );
});
