import { PassThrough } from 'node:stream';
import { expect, it } from 'vitest';
import type { Finding, Report } from '../../../contracts/report/events.ts';
import { toGithubReport } from '../../../contracts/report/github.ts';
import { toJunitReport } from '../../../contracts/report/junit.ts';
import { toMarkdownReport } from '../../../contracts/report/markdown.ts';
import { toTerminalReport } from '../../../contracts/report/terminal/terminal.ts';
import { drifted, reportOf } from '../../support/report.ts';

const lax = { strict: false };

/** What a file or a pipe gets. */
function pipedText(report: Report): string {
  const out = new PassThrough() as unknown as NodeJS.WriteStream;
  return toTerminalReport(report, { ...lax, out });
}

/** The same report of a run that knew of no reference. */
function withoutUrls(): Report {
  const isLink = (name: string, value: unknown) =>
    name === 'url' && String(value).startsWith('https://');
  return JSON.parse(
    JSON.stringify(drifted, (name, value) => (isLink(name, value) ? undefined : value)),
  );
}

it('leads in Markdown to the reference', () => {
  const text = toMarkdownReport(drifted, lax);
  expect(text).toContain(
    'Read the clause: [success-status, §4.1, §4.2](<https://docs.test/petstore/#success-status>)',
  );
  expect(toMarkdownReport(withoutUrls(), lax)).not.toContain('](');
});

it.each(['javascript:alert(1)', 'https://me:secret@docs.test/', 'data:text/html,x', '#x'])(
  'leads nowhere for %s',
  (url) => {
    const [finding] = drifted.findings;
    const unsafe = reportOf([{ clause: { ...(finding as Finding).clause, url } }], {
      silences: drifted.silences.map((one) => ({ ...one, url })),
    });
    const texts = [
      pipedText(unsafe),
      toMarkdownReport(unsafe, lax),
      toJunitReport(unsafe, lax),
      toGithubReport(unsafe, lax),
    ];
    for (const text of texts) expect(text).not.toMatch(/secret|javascript|text.html,|docs: /);
  },
);

it('gives an address that obeys nothing in a workflow or a terminal', () => {
  const url = 'https://docs.test/\x1b[31m\u202e/##[error]#a\n::error::##[x]';
  const [finding] = drifted.findings;
  const text = pipedText(reportOf([{ clause: { ...(finding as Finding).clause, url } }]));
  expect(text).toMatch(/^ {4}docs {6}https:\/\/docs\.test\/%1B\[31m%E2%80%AE\/#/m);
  expect(text).not.toMatch(/(?!\n)[\p{Cc}\p{Cf}]/u);
  expect(text).not.toContain('##[');
});
