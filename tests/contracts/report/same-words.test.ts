import { PassThrough } from 'node:stream';
import { expect, it } from 'vitest';
import type { Report } from '../../../contracts/report/events.ts';
import { toHtmlReport } from '../../../contracts/report/html/page.ts';
import { toMarkdownReport } from '../../../contracts/report/markdown.ts';
import { toTerminalReport } from '../../../contracts/report/terminal/terminal.ts';
import { drifted, reportOf } from '../../support/report.ts';
import { sampleReport } from '../../support/sample-report.ts';

/** What a pipe gets. */
function terminalText(report: Report): string {
  const out = new PassThrough() as unknown as NodeJS.WriteStream;
  return toTerminalReport(report, { strict: false, out });
}

it('names under one name in each report what has no cases, and says who could delete what is left', () => {
  const reports = [
    terminalText(drifted),
    toMarkdownReport(drifted, { strict: false }),
    toHtmlReport(drifted),
  ];
  for (const text of reports.map((one) =>
    one.replaceAll(/&#124;|<\/?bdi>/g, '').replace(/\s+/g, ' '),
  )) {
    expect(text).toMatch(/not called/i);
    expect(text).toContain('deletePet (DELETE): no cases for this kind');
    expect(text).toContain(
      'Items that the run created and did not delete; deletePet can delete them.',
    );
    expect(text).not.toMatch(/nothing removes|would remove/);
  }
  const none = terminalText(
    reportOf([], {
      notCalled: [],
      residue: drifted.residue.map(({ deletedBy: _, ...one }) => one),
    }),
  );
  expect(none).not.toContain('NOT CALLED');
  expect(none).toContain('the document describes no operation that deletes');
});

it('counts the same silences in each report', () => {
  const report = sampleReport();
  const [text, page] = [terminalText(report), toHtmlReport(report)];
  const silences = /SILENCE MAP.*?\n\n/s.exec(text)?.[0].match(/^ {2}[a-z]/gm) ?? [];
  expect(page).toContain(`Silence map <span class="count">${silences.length}</span>`);
});

it('says in the headline how many calls of a target got no answer, whatever the finding says', () => {
  const unanswered = reportOf(
    [{ verdict: 'unanswered', message: 'too slow', actual: 'no complete answer in 1 s' }],
    { verdict: 'unanswered' },
  );
  expect(terminalText(unanswered).replaceAll(/\s+/g, ' ')).toContain(
    'but 3 of 30 calls to operations of the target got no complete answer in 1 s',
  );
});
