import type { Finding, Report, Verdict } from './events.ts';

/** What reporters need to know of the command's settings. */
export type ReportOptions = { strict: boolean };

/** The findings of a verdict, and what the verdict means. */
export type FindingGroup = { verdict: Verdict; meaning: string; findings: Finding[] };

const meanings: Readonly<Record<Verdict, string>> = {
  drift: 'a stated clause is broken',
  unanswered: 'calls got no whole answer, so nothing can be told of them',
  standard: 'an RFC is broken where the interface is silent',
  disagreement: "the suite and Prism's validators judge differently",
  known: 'in the baseline, with a reason',
  difference: 'the targets differ where nothing is stated',
};

/** Whether a finding makes the run fail. */
export function isGating({ verdict }: Pick<Finding, 'verdict'>, { strict }: ReportOptions): boolean {
  return verdict === 'drift' || verdict === 'unanswered' || (strict && verdict === 'standard');
}

/** The findings by verdict, the heaviest first; verdicts without findings are left out. */
export function groupFindings({ findings }: Report): FindingGroup[] {
  return (Object.keys(meanings) as Verdict[])
    .map((verdict) => ({ verdict, meaning: meanings[verdict], findings: findings.filter((one) => one.verdict === verdict) }))
    .filter((group) => group.findings.length > 0);
}

/** The checks that do not apply, by reason. */
export function groupReasons(notApplicable: Report['notApplicable']): { reason: string; ids: string[] }[] {
  const byReason = Map.groupBy(notApplicable, ({ reason }) => reason);
  return [...byReason].map(([reason, group]) => ({ reason, ids: group.map(({ id }) => id) }));
}

/** The whole run in a sentence. */
export function toHeadline(report: Report, options: ReportOptions): string {
  const names = report.targets.map(({ name }) => name);
  const gating = report.findings.filter((finding) => isGating(finding, options) && finding.verdict !== 'unanswered');
  const unanswered = report.findings
    .filter(({ verdict }) => verdict === 'unanswered')
    .map(({ target, message }) => message.replace(' calls got ', ` calls to the ${target} got `));
  const broken = [...Map.groupBy(gating, ({ target }) => target)].map(([target, findings]) => {
    if (!names.includes(target)) return `the ${target} has ${count(findings.length, 'entry', 'entries')} to mend`;
    const clauses = [...new Set(findings.map(({ clause }) => clause.id))];
    return `the ${target} breaks ${count(clauses.length, 'clause')} (${shortened(clauses)})`;
  });
  if (broken.length > 0) return sentence([...broken, ...unanswered].join('; '));
  const told = report.targets.map(({ name }) => {
    const kept = report.clauses.filter(({ results }) => results[name]?.verdict === 'kept').length;
    return `the ${name} keeps ${kept === report.clauses.length ? 'all' : `${kept} of`} ${count(report.clauses.length, 'clause')}`;
  });
  const rest = report.verdict === 'incomplete' ? ', but not all could be tried' : '';
  return sentence(`no drift: ${told.join(', ')}${rest}${unanswered.map((one) => `; but ${one}`).join('')}`);
}

/** What an operation's calls to a target came to, in a few words. */
export function toCell({ calls, findings }: { calls: number; findings: number } = { calls: 0, findings: 0 }): string {
  if (calls === 0 && findings === 0) return 'not called';
  return `${count(calls, 'call')}, ${findings === 0 ? 'no' : findings} drift`;
}

/** What was called besides the operations (unknown methods and paths), by target. */
export function callsElsewhere({ operations, targets, findings }: Report): Report['operations'][number]['results'] {
  const ids = operations.map(({ id }) => id);
  return Object.fromEntries(
    targets.map(({ name, requests }) => [
      name,
      {
        calls: requests - operations.reduce((sum, { results }) => sum + (results[name]?.calls ?? 0), 0),
        findings: findings.filter(
          ({ target, operation, verdict }) => target === name && verdict === 'drift' && !ids.includes(operation),
        ).length,
      },
    ]),
  );
}

/** A number with its noun: `1 call`, `2 calls`. */
export function count(number: number, one: string, many = `${one}s`): string {
  return `${number} ${number === 1 ? one : many}`;
}

/** What a clause rests on, as people cite it. */
export function toSource({ basis, source }: Finding['clause']): string {
  return basis === 'none' ? source : `${source} (${basis})`;
}

function shortened(names: readonly string[]): string {
  return names.length > 4 ? `${names.slice(0, 3).join(', ')} and ${names.length - 3} more` : names.join(', ');
}

function sentence(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}.`;
}
