import { count } from '../../common/cli/count.ts';
import { logCommand } from '../../common/look/visible.ts';
import type {
  ClauseVerdict,
  Finding,
  RelatedFinding,
  Report,
  SilenceResult,
  Verdict,
} from './events.ts';

/** Settings of the command that reporters need. */
export type ReportOptions = { strict: boolean };

/** The findings of a verdict, and what the verdict means. */
export type FindingGroup = { verdict: Verdict; meaning: string; findings: Finding[] };

/** The text for a silence that no response of a target shows. */
export const notObserved = 'not observed';

const meanings: Readonly<Record<Verdict, string>> = {
  drift: 'a stated clause fails',
  unanswered: 'calls got no complete response, so they cannot be judged',
  standard: 'an RFC is violated where the interface is silent',
  undocumented: 'the document does not describe the answer so',
  moved: 'unspecified behaviour differs from the profile',
  mock: 'the mock beside the target fails a clause; the target is not affected',
  known: 'listed in the baseline, with a reason',
  difference: 'the targets differ where nothing is stated',
  client: 'clients send requests that the document does not describe, and the target accepts them',
};

/** The labels of the verdicts whose names in JSON are not the words that reports show. */
const labels: Partial<Record<Verdict | ClauseVerdict, string>> = {
  kept: 'passed',
  vacuous: 'not exercised',
  unobserved: 'not exercised',
  moved: 'profile drift',
};

/** Returns the words that reports show for a verdict. */
export function toVerdictLabel(verdict: Verdict | ClauseVerdict): string {
  return labels[verdict] ?? verdict;
}

/** Whether a finding makes the run fail. */
export function isGating(
  { verdict }: { verdict: Verdict | ClauseVerdict | undefined },
  { strict }: ReportOptions,
): boolean {
  if (verdict === 'drift' || verdict === 'unanswered') return true;
  return strict && ['standard', 'undocumented', 'moved'].some((one) => one === verdict);
}

/** Whether findings of a verdict are listed in brief: those that nobody has to act on. */
export function isBrief(verdict: Verdict, options: ReportOptions): boolean {
  return (
    ['difference', 'known', 'mock'].includes(verdict) ||
    (verdict === 'undocumented' && !isGating({ verdict }, options))
  );
}

/** Returns the facts of a brief finding besides its message, such as the operations that show it. */
export function toBriefFacts(finding: Finding): string[] {
  const { verdict, expected, actual, operations } = finding;
  return [
    ...(verdict === 'undocumented' && operations.length > 1 ? [listOperations(finding)] : []),
    ...(['known', 'mock'].includes(verdict) ? [expected, actual] : []),
  ];
}

/** Whether a verdict leaves a clause undecided, so that it does not count as passed. */
export function isUndecided(verdict: ClauseVerdict | undefined): boolean {
  return verdict === undefined || ['inconclusive', 'vacuous', 'unobserved'].includes(verdict);
}

/** Returns the origin of a report in a sentence: its plan, or the period of its traffic. */
export function toOrigin({ plan, traffic }: Report): string {
  if (plan) return `Plan ${plan.hash}, seed ${plan.seed}, ${count(plan.cases, 'case')}`;
  const { from, until } = traffic ?? {};
  return from === undefined || until === undefined
    ? 'No traffic'
    : `Traffic from ${from} to ${until}`;
}

/** Returns the calls of recordings that were not judged, in a sentence; undefined without any. */
export function toLeftOut(report: Report): string | undefined {
  const list = listLeftOut(report);
  return list === undefined ? undefined : `Calls left out: ${list}.`;
}

/** How many calls were left out for which reasons: `2 to another address, 1 outside /v1`. */
export function listLeftOut({ traffic }: Report): string | undefined {
  const leftOut = traffic?.leftOut ?? [];
  return leftOut.length === 0
    ? undefined
    : leftOut.map(({ count: calls, reason }) => `${calls} ${reason}`).join(', ');
}

/** The findings by verdict, the heaviest first; verdicts without findings are left out. */
export function groupFindings({ findings }: Pick<Report, 'findings'>): FindingGroup[] {
  return (Object.keys(meanings) as Verdict[])
    .map((verdict) => ({
      verdict,
      meaning: meanings[verdict],
      findings: findings.filter((one) => one.verdict === verdict),
    }))
    .filter((group) => group.findings.length > 0);
}

/** Returns the run's verdict for a reader; for clean traffic, `no drift seen`. */
export function toVerdictName({ verdict, traffic }: Report): string {
  return verdict === 'clean' && traffic ? 'no drift seen' : verdict;
}

/** Returns the result of an operation's calls to a target, in a few words. */
export function toCell(
  report: Pick<Report, 'findings'>,
  target: string,
  { id, results }: Pick<Report['operations'][number], 'id' | 'results'>,
): string {
  const { calls, findings } = results[target] ?? { calls: 0, findings: 0 };
  if (calls === 0 && findings === 0) return 'not called';
  const unanswered = countUnanswered(report, target, id);
  const drift = `${findings === 0 ? 'no' : findings} drift`;
  return [
    count(calls, 'call'),
    ...(unanswered === 0 ? [] : [`${unanswered} unanswered`]),
    ...(unanswered > 0 && findings === 0 ? [] : [drift]),
  ].join(', ');
}

/** Tells how many operations a target answered with a success; undefined where nobody counted. */
export function toReachText({ operations }: Pick<Report, 'operations'>, target: string) {
  const counted = operations.map(({ results }) => results[target]?.successes);
  if (counted.length === 0 || counted.includes(undefined)) return undefined;
  const reached = counted.filter((one) => one !== 0).length;
  return `${reached} of ${count(operations.length, 'operation')} answered with a success`;
}

function countUnanswered({ findings }: Pick<Report, 'findings'>, target: string, id: string) {
  return findings
    .filter((finding) => finding.target === target && finding.verdict === 'unanswered')
    .flatMap(({ operations }) => operations.filter((operation) => operation.id === id))
    .reduce((sum, operation) => sum + operation.count, 0);
}

/** Returns the text for a missing response: `no answer: the connection was refused`. */
export function toFailureText(failure = 'the reason is not known'): string {
  return /^(?:no|an?|more than)\b/.test(failure) ? failure : `no answer: ${failure}`;
}

const maxOperations = 5;

/** The operations that show a finding, each with how often: `listPets (16), createPet (15)`. */
export function listOperations({ operations }: Pick<Finding, 'operations'>): string {
  const named = operations
    .slice(0, maxOperations)
    .map(({ id, count: times }) => `${toOperationName(id)} (${times})`);
  const more = operations.length - named.length;
  return `${named.join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
}

/** Names the targets and operations of a finding: `target, listPets and 3 more`. */
export function toWhere({ target, operation, operations }: Finding): string {
  const more = operations.length > 1 ? ` and ${operations.length - 1} more` : '';
  return operation === '' ? target : `${target}, ${operation}${more}`;
}

/** Returns a related finding in a sentence. */
export function toRelatedText({ check, clause, message, count: times }: RelatedFinding): string {
  return `${check}, ${toSource(clause)}: ${message} (${count(times, 'time')})`;
}

/** Returns the source of a clause as people cite it, with its basis. */
export function toSource({ basis, source }: Finding['clause']): string {
  return basis === 'none' ? source : `${source} (${basis})`;
}

/** Returns the lines that send the requests of a finding again, in order. */
export function listCurls({ before = [], curl }: Pick<Finding, 'before' | 'curl'>): string[] {
  return [...before.map((one) => one.curl), curl].filter((one) => one !== undefined);
}

/**
 * The address where something can be read, as it may stand in any report and lead there: only http
 * and https, without credentials. A report may have been changed since it was made.
 */
export function toSafeUrl(url: string | undefined): string | undefined {
  const { protocol = '', username, password, href } = (url && URL.parse(url)) || {};
  const isSafe = /^https?:$/.test(protocol) && username === '' && password === '';
  return isSafe ? href?.replace(logCommand, '#%23') : undefined;
}

/** How reports call an operation; calls of none, such as of unknown paths, are made elsewhere. */
export function toOperationName(id: string): string {
  return id || 'elsewhere';
}

/** Returns the silences that a response of some target shows. */
export function observedSilences({ silences }: Report): SilenceResult[] {
  return silences.filter(({ observed }) =>
    Object.values(observed).some((what) => what !== notObserved),
  );
}
