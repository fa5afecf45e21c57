import { expect, it } from 'vitest';
import {
  type ClauseVerdict,
  clauseVerdicts,
  type Finding,
  type Report,
  type ReportedExchange,
  verdicts,
} from '../../../contracts/report/events.ts';
import { toHeadline } from '../../../contracts/report/headline.ts';
import { countBy } from '../../../contracts/verify/to-report.ts';
import { drifted, printed } from '../../support/report.ts';

const strict = { strict: true };
const lax = { strict: false };

/** A report about traffic to one target, with a clause for each verdict that is given. */
function reportWith(
  given: readonly ClauseVerdict[],
  { findings = [], ...changes }: Partial<Report> = {},
): Report {
  const [, target] = drifted.targets;
  const { plan: _, ...others } = drifted;
  return {
    ...others,
    verdict: 'clean',
    incomplete: [],
    traffic: { ...drifted.traffic, leftOut: [] },
    targets: [{ ...(target as Report['targets'][number]), requests: 5 }],
    clauses: given.map((verdict, at) => ({
      ...{ id: `clause-${at}`, basis: 'stated', source: '§4', text: 'It holds.' },
      results: { target: { verdict, held: 1 } },
    })),
    totals: {
      target: { clauses: countBy(clauseVerdicts, given), findings: countBy(verdicts, []) },
    },
    findings,
    ...changes,
  };
}

function toFinding(id: string): Finding {
  const [finding] = drifted.findings as [Finding];
  return { ...finding, check: id, clause: { ...finding.clause, id } };
}

const many: ClauseVerdict[] = [
  ...(['kept', 'kept', 'drift', 'drift', 'standard', 'known'] as const),
  ...(['inconclusive', 'vacuous', 'unobserved'] as const),
];

it('counts the failed and the undecided clauses', () => {
  const report = reportWith(many, { verdict: 'drift', findings: [toFinding('clause-2')] });
  expect(toHeadline(report, lax)).toBe(
    '2 of 9 clauses failed on the target (1 cause: clause-2); undecided: 3.',
  );
  expect(toHeadline(report, strict)).toBe(
    '3 of 9 clauses failed on the target (1 cause: clause-2); undecided: 3.',
  );
});

it('names as many causes as it counts', () => {
  const ids = ['a', 'a', 'b', 'c', 'd', 'e', 'f', 'g'];
  const headline = (some: readonly string[]) =>
    toHeadline(reportWith(many, { verdict: 'drift', findings: some.map(toFinding) }), lax);
  expect(headline(ids)).toContain('(8 causes: a, b, c and 4 more);');
  expect(headline(ids.slice(0, 5))).toContain('(5 causes: a, b, c, d);');
});

it('calls traffic without drift no proof, in each report', () => {
  const report = reportWith(['kept', 'unobserved', 'unobserved'], {
    traffic: { leftOut: [{ reason: 'outside /v1', count: 3 }] },
  });
  const headline =
    'In 5 requests, 1 of 3 clauses passed on the target and none failed; undecided: 2.';
  expect(toHeadline(report, lax)).toBe(headline);
  expect(printed(report, 'text')).toMatch(new RegExp(`^NO DRIFT SEEN {2}${headline}\n`));
  expect(printed(report, 'markdown')).toMatch(/^## ⚪ Contract: no drift seen\n/);
  expect(printed(report, 'github')).toContain('title=Contract%3A no drift seen::');
  const page = printed(report, 'html');
  expect(page).toContain('<title>No drift seen: ');
  expect(page).toContain('<header class="masthead is-known">');
  expect(page).toContain('<dt>Calls left out</dt><dd><bdi>3 outside /v1</bdi></dd>');
  expect(page).toContain('None in the observed traffic.');
  expect(page).not.toMatch(/no clause fails/);
  expect(printed(report, 'text')).not.toMatch(/\bclean\b/i);
});

it('does not say twice that there was no answer, and counts the calls without one', () => {
  const [finding] = drifted.findings as [Finding];
  const failure = 'no answer within 2 s';
  const report = reportWith(['kept'], {
    verdict: 'unanswered',
    findings: [
      {
        ...finding,
        ...{ verdict: 'unanswered', count: 2, operations: [{ id: 'listPets', count: 2 }] },
        exchange: withoutAnswer(finding, failure),
      },
    ],
    operations: drifted.operations.slice(0, 1).map((one) => ({
      ...one,
      results: { target: { calls: 3, findings: 0 } },
    })),
  });
  expect(printed(report, 'text')).toContain(`received  ${failure}\n`);
  expect(printed(report, 'markdown')).toContain(`received  ${failure}\n`);
  expect(printed(report, 'html')).toContain(`Received <bdi>${failure}</bdi>`);
  expect(printed(report, 'text')).toContain('3 calls, 2 unanswered');
});

function withoutAnswer({ exchange }: Finding, failure: string): ReportedExchange {
  const { case: name, request } = exchange as ReportedExchange;
  return { case: name, request, failure };
}

it('lists no clauses where nothing was judged', () => {
  const [target] = reportWith([]).targets as [Report['targets'][number]];
  const report = reportWith(['unobserved', 'unobserved'], {
    verdict: 'incomplete',
    incomplete: ['no call of the target was judged'],
    targets: [{ ...target, requests: 0 }],
    traffic: { leftOut: [{ reason: 'outside /v1', count: 3 }] },
  });
  expect(printed(report, 'text')).toBe(
    [
      'INCOMPLETE  No call of the target was answered, so nothing was judged.',
      '  no call of the target was judged',
      '  Calls left out: 3 outside /v1.',
      '',
    ].join('\n'),
  );
  expect(printed(report, 'markdown')).not.toContain('Undecided');
});
