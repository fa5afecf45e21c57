// Tests a page against the mock: npx playwright test examples/playwright
import { expect, test } from 'petstore-twin/playwright';

const file = new URL('index.html', import.meta.url).href;

// Each test has its own sandbox, so it never sees what another test added, used up or broke.
test.beforeEach(({ page, twin }) =>
  page.goto(`${file}?api=${encodeURIComponent(twin.url)}&key=${twin.key('free')}`),
);

test('lists the first twenty', async ({ page }) => {
  await expect(page.getByRole('listitem')).toHaveCount(20);
  await expect(page.getByRole('listitem').first()).toHaveText('Rex');
});

test('adds one', async ({ page, twin }) => {
  await page.getByLabel('Name').fill('Bello');
  await page.getByRole('button', { name: 'Add' }).click();
  await expect(page.getByRole('listitem').last()).toHaveText('Bello');
  expect(await twin.requests({ operation: 'createPet', status: 201 })).toHaveLength(1);
});

test('says how long to wait when the limit is used up', async ({ page, twin }) => {
  await twin.clock.freeze(new Date()); // the minute does not end meanwhile
  await twin.limits.exhaust('demo-free');
  await page.reload();
  await expect(page.getByRole('alert')).toHaveText(/Too many calls\. Try again in \d+ s\./);
  await twin.clock.advance(60_000);
  await page.reload();
  await expect(page.getByRole('listitem')).toHaveCount(20);
});

test('says so when the store cannot be reached', async ({ page, twin }) => {
  await twin.faults.add({ operation: 'listPets', fault: 'CONNECTION_RESET_BY_PEER' });
  await page.reload();
  await expect(page.getByRole('alert')).toHaveText('The store cannot be reached.');
});

test.describe('with three pets', () => {
  test.use({ sandboxOptions: { items: 3 } });

  test('lists them', async ({ page }) => {
    await expect(page.getByRole('listitem')).toHaveText(['Rex', 'Mittens', 'Goldie']);
  });
});
