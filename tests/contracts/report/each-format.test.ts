import { expect, it } from 'vitest';
import type { Finding } from '../../../contracts/report/events.ts';
import { drifted, printed, reportOf, sampleReport, withoutUrls } from '../../support/report.ts';

it('lists what is undocumented briefly, unless it fails the run', () => {
  const message = 'listPets answers 404 where the document describes 200';
  const report = reportOf([{ verdict: 'undocumented', message, count: 8 }]);
  const heading = 'UNDOCUMENTED  1 finding: the document does not describe the answer so.';
  const text = printed(report, 'text');
  expect(text).toContain(`${heading}\n  ${message} (8 times)\n    listPets (2), createPet (1)\n`);
  expect(text).not.toContain('curl');
  expect(printed(report, 'text', true)).toContain('curl');
  expect(printed(report, 'markdown')).toContain(`\n- ${message}: listPets (2), createPet (1)\n`);
  expect(printed(report, 'markdown', true)).toContain('; fails the run)');
  expect(printed(report, 'markdown', true)).toContain('curl');
  expect(printed(report, 'junit')).toContain(message);
});

it('names under one name in each report what has no cases, and says who could delete what is left', () => {
  const reports = (['text', 'markdown', 'html'] as const).map((as) => printed(drifted, as));
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
  const none = printed(
    reportOf([], {
      notCalled: [],
      residue: drifted.residue.map(({ deletedBy: _, ...one }) => one),
    }),
    'text',
  );
  expect(none).not.toContain('NOT CALLED');
  expect(none).toContain('the document describes no operation that deletes');
});

it('counts the same silences in each report', () => {
  const report = sampleReport();
  const [text, page] = [printed(report, 'text'), printed(report, 'html')];
  const silences = /SILENCE MAP.*?\n\n/s.exec(text)?.[0].match(/^ {2}[a-z]/gm) ?? [];
  expect(page).toContain(`Silence map <span class="count">${silences.length}</span>`);
});

it('says in the headline how many calls of a target got no answer, whatever the finding says', () => {
  const unanswered = reportOf(
    [{ verdict: 'unanswered', message: 'too slow', actual: 'no complete answer in 1 s' }],
    { verdict: 'unanswered' },
  );
  expect(printed(unanswered, 'text').replaceAll(/\s+/g, ' ')).toContain(
    'but 3 of 30 calls to operations of the target got no complete answer in 1 s',
  );
});

it('leads in Markdown to the reference', () => {
  const text = printed(drifted, 'markdown');
  expect(text).toContain(
    'Read the clause: [success-status, §4.1, §4.2](<https://docs.test/petstore/#success-status>)',
  );
  expect(printed(withoutUrls(drifted), 'markdown')).not.toContain('](');
});

it.each(['javascript:alert(1)', 'https://me:secret@docs.test/', 'data:text/html,x', '#x'])(
  'leads nowhere for %s',
  (url) => {
    const [finding] = drifted.findings;
    const unsafe = reportOf([{ clause: { ...(finding as Finding).clause, url } }], {
      silences: drifted.silences.map((one) => ({ ...one, url })),
    });
    for (const as of ['text', 'markdown', 'junit', 'github'] as const)
      expect(printed(unsafe, as)).not.toMatch(/secret|javascript|text.html,|docs: /);
  },
);

it('gives an address that obeys nothing in a workflow or a terminal', () => {
  const url = 'https://docs.test/\x1b[31m\u202e/##[error]#a\n::error::##[x]';
  const [finding] = drifted.findings;
  const text = printed(reportOf([{ clause: { ...(finding as Finding).clause, url } }]), 'text');
  expect(text).toMatch(/^ {4}docs {6}https:\/\/docs\.test\/%1B\[31m%E2%80%AE\/#/m);
  expect(text).not.toMatch(/(?!\n)[\p{Cc}\p{Cf}]/u);
  expect(text).not.toContain('##[');
});
