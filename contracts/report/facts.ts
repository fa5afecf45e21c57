import { count } from '../../common/cli/count.ts';
import type { Finding } from './events.ts';
import { listOperations, toFailureText, toRelatedText, toSafeUrl, toSource } from './summary.ts';

/** Something about a finding under its label. */
export type Fact = readonly [label: string, text: string];

/**
 * Returns the facts of a finding besides its message and problems: clause, both sides, operations,
 * and related findings.
 */
export function toFacts(finding: Finding): Fact[] {
  const { clause, expected, actual, operations, related } = finding;
  const url = toSafeUrl(clause.url);
  const where = operations.length > 1 ? `, on ${listOperations(finding)}` : '';
  return [
    ['clause', `${clause.text} ${toSource(clause)}`],
    ...(url === undefined ? [] : [['docs', url] satisfies Fact]),
    ['expected', expected],
    ['got', actual],
    ['seen', `${count(finding.count, 'time')}${where}`],
    ...toExchangeFacts(finding),
    ...related.map((one): Fact => [one.isConsequence ? 'causes' : 'also', toRelatedText(one)]),
  ];
}

/** The exchange of a finding; of the headers, those that the finding is about. */
function toExchangeFacts({ exchange, message, expected, actual, clause }: Finding): Fact[] {
  if (!exchange) return [];
  const { request, response, failure } = exchange;
  const about = [message, expected, actual, clause.text].join(' ').toLowerCase();
  const { pathname, search } = URL.parse(request.url) ?? { pathname: request.url, search: '' };
  const headers = (response?.headers ?? [])
    .filter(([name]) => name.toLowerCase() === 'content-type' || about.includes(name.toLowerCase()))
    .map(([name, value]) => `${name}: ${value}`);
  const received = response ? [response.status, ...headers, response.body.trim()] : [];
  return [
    ['sent', [request.method, `${pathname}${search}`, request.body ?? ''].join(' ').trim()],
    ['received', received.join('  ').trim() || toFailureText(failure)],
  ];
}
