import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { BrowserContextOptions, Page } from 'playwright';
import { expect, it } from 'vitest';
import type { Report } from '../../../contracts/report/events.ts';
import { toHtmlReport } from '../../../contracts/report/html/page.ts';
import { makeFolder } from '../../support/make-folder.ts';
import { reportOf, sampleReport, withTexts } from '../../support/report.ts';
import { openTestPage } from '../../support/test-page.ts';

type Opened = { page: Page; problems: string[] };

/**
 * Opens a report as a file, as whoever got it by mail would. `problems` is what the page complained
 * of or tried.
 */
async function openReport(
  report: Report,
  options: BrowserContextOptions = {},
  fragment = '',
): Promise<Opened> {
  const folder = makeFolder();
  const file = join(folder, 'report.html');
  await writeFile(file, toHtmlReport(report));
  const page = await openTestPage(options);
  const problems: string[] = [];
  page.on('dialog', (dialog) => {
    problems.push(`dialog: ${dialog.message()}`);
    void dialog.dismiss();
  });
  page.on('pageerror', (error) => problems.push(`error: ${error.message}`));
  page.on('console', (message) => problems.push(`console: ${message.text()}`));
  page.on(
    'request',
    (request) =>
      request.url().startsWith(pathToFileURL(file).href) ||
      problems.push(`request: ${request.url()}`),
  );
  await page.goto(pathToFileURL(file).href + fragment);
  return { page, problems };
}

function findings(page: Page) {
  return page.locator('.finding:visible h4');
}

const openAll = `for (const one of document.querySelectorAll('details')) one.open = true`;
const act = 'window.acted=1;alert(1)';
const hostile = [
  `<script>${act}</script>`,
  `</script><script>${act}</script>`,
  `</style></title></pre></textarea><img src=x onerror="${act}">`,
  `"><img src=x onerror='${act}'>`,
  `' autofocus onfocus='${act}' tabindex=0 x='`,
  `javascript:${act}`,
  `<svg/onload=${act}><iframe srcdoc="<script>parent.acted=1</script>"></iframe><base href=//evil.example/>`,
  '\u202egnp.exe \u2066\u0000\u001b[31m\ud800',
  '<!--<script>]]>{{7*7}}&lt;script&gt;',
  '__proto__',
];

it.each(hostile)(
  'runs nothing and asks for nothing where each text of a report is %j',
  async (text) => {
    const { page, problems } = await openReport(withTexts(sampleReport(), () => text));
    await page.evaluate(openAll);
    expect(await page.evaluate('window.acted')).toBeUndefined();
    expect(await page.locator('img, iframe, base, object, script:not(:last-child)').count()).toBe(
      0,
    );
    expect(problems).toEqual([]);
  },
);

it('lets no script run that came into the page by other ways', async () => {
  const { page } = await openReport(sampleReport());
  const tried = `(() => {
    const button = document.createElement('button');
    try { button.setAttribute('onclick', 'window.acted = 1'); } catch {}
    document.body.append(button);
    button.click();
    const script = document.createElement('script');
    try { script.textContent = 'window.acted = 2'; document.body.append(script); } catch {}
    try { document.body.insertAdjacentHTML('beforeend', '<img src=x onerror="window.acted = 3">'); } catch {}
    return window.acted;
  })()`;
  expect(await page.evaluate(tried)).toBeUndefined();
});

it('opens the finding that a link names', async () => {
  const many = Array.from({ length: 6 }, (_, index) => ({
    ...{ verdict: 'difference' as const, message: `difference ${index}` },
  }));
  const { page } = await openReport(reportOf(many), {}, '#finding-6');
  await expect
    .poll(() => page.getByRole('heading', { name: 'difference 5' }).isVisible())
    .toBe(true);
});

it('copies the curl line to the letter', async () => {
  const curl = `curl -H "Authorization: Bearer $KEY" --data-binary '{"name":"<三毛> & \\u00e9"}' 'http://127.0.0.1/v1/pets?a=1&b=2'`;
  const report = reportOf([{ curl, before: [] }]);
  const { page } = await openReport(report, { permissions: ['clipboard-read', 'clipboard-write'] });
  await page.locator('.evidence summary').click();
  await page.getByRole('button', { name: 'Copy' }).click();
  await page.getByRole('status').getByText('Copied').waitFor();
  expect(await page.evaluate('navigator.clipboard.readText()')).toBe(curl);
});

it('is whole without JavaScript, and shows no control that does nothing', async () => {
  const { page } = await openReport(sampleReport(), { javaScriptEnabled: false });
  expect(await page.locator('form:visible, button:visible').count()).toBe(0);
  expect(await findings(page).count()).toBe(5);
  await page.locator('.evidence summary').first().click();
  expect(await page.getByText('204 No Content').first().isVisible()).toBe(true);
});

it.each([360, 320])(
  'needs no scrolling to the side at %i px, with long texts too',
  async (width) => {
    const long = (text: string) => `${text} ${'x'.repeat(300)}`;
    for (const report of [sampleReport(), withTexts(sampleReport(), long)]) {
      const { page } = await openReport(report, { viewport: { width, height: 800 } });
      await page.evaluate(openAll);
      expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(width);
      const cut = `[...document.querySelectorAll('main *')].filter((one) => one.getBoundingClientRect().right > innerWidth + 1).length`;
      expect(await page.evaluate(cut)).toBe(0);
    }
  },
);

it('can be walked by landmarks, headings and keys, with the focus in sight', async () => {
  const { page } = await openReport(sampleReport());
  for (const role of ['banner', 'navigation', 'main', 'contentinfo'] as const)
    expect(await page.getByRole(role).count()).toBe(1);
  const levels = (await page.evaluate(
    `[...document.querySelectorAll('h1, h2, h3, h4')].map(({ tagName }) => Number(tagName[1]))`,
  )) as number[];
  expect(levels.filter((level, index) => level > (levels[index - 1] ?? 0) + 1)).toEqual([]);
  expect(await page.getByRole('table').count()).toBe(3);
  await page.keyboard.press('Tab');
  const outline =
    'getComputedStyle(document.activeElement).outlineStyle + " " + document.activeElement.textContent';
  expect(await page.evaluate(outline)).toBe('solid Skip to the findings');
  await page.keyboard.press('Enter');
  await expect.poll(() => page.evaluate('location.hash')).toBe('#findings');
});
