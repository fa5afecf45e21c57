import { expect, it, vi } from 'vitest';
import { createPlan } from '../../../contracts/cases/plan.ts';
import { checks } from '../../../contracts/checks/index.ts';
import type { Report } from '../../../contracts/report/events.ts';
import { createGuard } from '../../../contracts/verify/guard.ts';
import { judgeAll } from '../../../contracts/verify/judge-all.ts';
import { toReport } from '../../../contracts/verify/to-report.ts';
import { sevenMistakes } from '../../../tools/lab/seven-mistakes.ts';
import { recordTranscript } from '../../support/recorded-transcript.ts';

/** The functions that fail, as a bug in the suite would let them. */
const failing = vi.hoisted(() => new Set<string>());

const breakable = vi.hoisted(
  () =>
    async (original: () => Promise<Record<string, unknown>>): Promise<Record<string, unknown>> =>
      Object.fromEntries(
        Object.entries(await original()).map(([name, value]) => [
          name,
          typeof value === 'function' && !/^class\b/.test(String(value))
            ? (...args: unknown[]) => {
                if (failing.has(name)) throw new Error(`${name} broke`);
                return value(...args);
              }
            : value,
        ]),
      ),
);

vi.mock('../../../contracts/judging/baseline.ts', breakable);
vi.mock('../../../contracts/judging/causes.ts', breakable);
vi.mock('../../../contracts/judging/compare.ts', breakable);
vi.mock('../../../contracts/judging/judge.ts', breakable);
vi.mock('../../../contracts/judging/redact.ts', breakable);
vi.mock('../../../contracts/judging/reported-exchange.ts', breakable);
vi.mock('../../../contracts/judging/silences.ts', breakable);
vi.mock('../../../contracts/transcript/schema/second-opinion.ts', breakable);
vi.mock('../../../contracts/verify/not-called.ts', breakable);
vi.mock('../../../contracts/verify/residue.ts', breakable);
vi.mock('../../../contracts/verify/totals.ts', breakable);
vi.mock('../../../contracts/verify/why-incomplete.ts', breakable);

const target = await recordTranscript({ mutate: sevenMistakes });
const twin = { ...target, target: { name: 'twin', url: 'http://127.0.0.1:1/v1' } };
const { document } = target;
const secret = target.target.url.slice('http://'.length);

/** The report of both targets while some functions fail. */
async function reportWith(...names: string[]): Promise<Report> {
  failing.clear();
  for (const name of names) failing.add(name);
  const guard = createGuard();
  const [started, notApplicable] = [Date.now(), []];
  const plan = createPlan(document, {
    seed: 1,
    selection: { readOnly: false, includes: () => true, isNeeded: () => false },
  });
  const judged = await judgeAll([twin, target], {
    ...{ document, checks, started, guard },
    baseline: [],
    mapsSilences: true,
  });
  const runs = [twin, target].map((transcript) => ({ transcript, seconds: 1 }));
  const permissions = { writes: true, probeLimits: true, fill: true };
  const targets = [{ ...target.target, ...permissions, keys: [{ secret }] }];
  return toReport(
    { document, targets, only: [], skip: [], strict: false },
    { plan, checks, notApplicable, runs, judged, started, guard },
  );
}

const drift = ({ findings }: Report) =>
  new Set(
    findings.flatMap((one) =>
      [one, ...one.related].flatMap(({ check, verdict }) => (verdict === 'drift' ? check : [])),
    ),
  );

const whole = await reportWith();

it('reports the lot where nothing fails', () => {
  expect(whole.defects).toEqual([]);
  expect(whole.verdict).toBe('drift');
  expect(drift(whole).size).toBeGreaterThan(4);
});

it.each([
  ['applyBaseline', 'the baseline', []],
  ['groupByCause', 'grouping by cause', []],
  ['compare', 'the comparison', []],
  ['createSecondOpinion', 'the second opinion', []],
  ['mapSilences', 'the silence map', ['silences']],
  ['toClauseResults', 'the list of clauses', ['clauses']],
  ['toOperations', 'the list of operations', ['operations']],
  ['toTotals', 'counting', ['totals']],
  ['toNotCalled', 'the list of operations without cases', []],
  ['toResidue', 'the list of what was created', ['residue']],
  ['whyIncomplete', 'finding out what was not tried', []],
] as const)('reports all else where %s fails', async (name, what, lost) => {
  const report = await reportWith(name);
  const defect = `${what} failed (${name} broke)`;
  expect(report.defects).toEqual([defect]);
  expect(report.incomplete).toContain(`a bug in the suite: ${defect}`);
  expect(report.verdict).toBe('drift');
  expect(drift(report)).toEqual(drift(whole));
  for (const part of ['silences', 'clauses', 'operations', 'totals', 'residue'] as const)
    if ((lost as readonly string[]).includes(part)) expect(Object.keys(report[part])).toEqual([]);
    else expect(Object.keys(report[part])).toHaveLength(Object.keys(whole[part]).length);
});

it('calls no clause kept whose findings could not be made', async () => {
  const report = await reportWith('toReported');
  expect(report.defects.length).toBeGreaterThan(0);
  const brokenClauses = whole.clauses.filter(({ results }) => results.target?.verdict === 'drift');
  for (const { id } of brokenClauses)
    expect(report.clauses.find((clause) => clause.id === id)?.results.target).toMatchObject({
      verdict: 'inconclusive',
      reason: 'the check itself failed, which is a bug in the suite',
    });
});

it('shows nothing of a target where keys cannot be taken out', async () => {
  const report = await reportWith('redactReport');
  expect(report.defects).toEqual([
    'keys could not be removed from the report, so nothing from a target is shown',
  ]);
  expect(report.verdict).toBe('drift');
  expect(drift(report)).toEqual(drift(whole));
  expect(JSON.stringify(report.findings)).not.toContain(secret);
  expect(JSON.stringify(whole.findings)).toContain('$KEY');
});
