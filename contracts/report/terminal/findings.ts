import { count } from '../../cli/count.ts';
import { padTo, wrapUpTo } from '../../look/layout.ts';
import { toExcerpt, toVisible } from '../../look/visible.ts';
import type { Finding, ReportedExchange } from '../events.ts';
import {
  type FindingGroup,
  isBrief,
  listOperations,
  type ReportOptions,
  toBriefFacts,
  toFailureText,
  toRelatedText,
  toSafeUrl,
  toSource,
} from '../summary.ts';
import { bullet, heading, indented, labelled, type Paint, styles } from './paint.ts';

/**
 * Something about a finding under its label, in so many lines; without a number on one line, as no
 * terminal follows an address that is broken.
 */
type Fact = [label: string, text: string, maxLines?: number];

/** How many lines findings in brief take at most. */
const maxBriefLines = 20;

/** The findings of a verdict, those in brief that fail no run. */
export function findingsOf(
  { verdict, meaning, findings: list }: FindingGroup,
  options: ReportOptions,
  paint: Paint,
): string[] {
  const head = heading(
    verdict,
    `${count(list.length, 'finding')}: ${meaning}.`,
    paint,
    styles[verdict],
  );
  if (isBrief(verdict, options)) return [head, ...briefly(list, paint)];
  const whole = list.map((finding) => toFinding(finding, paint));
  return [head, ...whole.flatMap((lines, index) => (index === 0 ? lines : ['', ...lines]))];
}

function toFinding(finding: Finding, paint: Paint): string[] {
  const { target, verdict, check, operation, clause, message, expected, actual, exchange, curl } =
    finding;
  const where = [target, operation, toSource(clause)].filter((text) => text !== '').map(toVisible);
  const about = [message, expected, actual, clause.text].join(' ');
  const url = toSafeUrl(clause.url);
  const facts: Fact[] = [
    ['clause', toVisible(clause.text), 3],
    ...(url === undefined ? [] : [['docs', url] satisfies Fact]),
    ['expected', toVisible(expected), 4],
    ['got', toVisible(actual), 4],
    [
      'seen',
      count(finding.count, 'time') +
        (exchange ? `, most clearly in ${toVisible(exchange.case)}` : ''),
      2,
    ],
    ...(finding.operations.length > 1
      ? [['on', toVisible(listOperations(finding)), 3] satisfies Fact]
      : []),
    ...(exchange ? toFacts(exchange, about.toLowerCase()) : []),
  ];
  const width = 8;
  return [
    ...labelled(`  ${paint(styles[verdict], check)}`, where.join(', '), paint, 'dim'),
    ...indented(toVisible(message), 4, paint),
    ...(finding.problems ?? []).flatMap((problem) => bullet(toVisible(problem), 6, paint)),
    ...facts.flatMap(([label, text, maxLines]) => {
      const lines =
        maxLines === undefined ? [text] : wrapUpTo(text, paint.columns - 6 - width, maxLines);
      return lines.map(
        (line, index) => `    ${paint('dim', padTo(index === 0 ? label : '', width))}  ${line}`,
      );
    }),
    ...finding.related.flatMap((one, index, all) => {
      const label = one.isConsequence ? 'leads to' : 'also';
      const isFirst = index === 0 || all[index - 1]?.isConsequence !== one.isConsequence;
      return wrapUpTo(toVisible(toRelatedText(one)), paint.columns - 6 - width, 3).map(
        (line, at) =>
          `    ${paint('dim', padTo(isFirst && at === 0 ? label : '', width))}  ${line}`,
      );
    }),
    ...(curl === undefined ? [] : [`    ${paint('cyan', toVisible(curl))}`]),
  ];
}

/** The exchange in a few lines; of the headers, those that the finding is about. */
function toFacts({ request, response, failure }: ReportedExchange, about: string): Fact[] {
  const sent = `${request.method} ${toPath(request.url)}${request.body ? ` ${request.body}` : ''}`;
  const body = response?.body.trim() ?? '';
  const headers = (response?.headers ?? [])
    .filter(([name]) => name.toLowerCase() === 'content-type' || about.includes(name.toLowerCase()))
    .map(([name, value]) => `${name}: ${value}`);
  const received: Fact = [
    'received',
    toExcerpt(response ? [response.status, ...headers].join('  ') : toFailureText(failure), 300),
    4,
  ];
  return [
    ['sent', toExcerpt(sent, 200), 3],
    received,
    ...(body === '' ? [] : [['', toExcerpt(body, 200), 3] satisfies Fact]),
  ];
}

function briefly(findings: Finding[], paint: Paint): string[] {
  const blocks = findings.map((finding) => [
    ...indented(
      `${toVisible(finding.message)}${finding.count > 1 ? ` (${finding.count} times)` : ''}`,
      2,
      paint,
    ),
    ...toBriefFacts(finding).flatMap((text) =>
      wrapUpTo(toVisible(text), paint.columns - 4, 2).map((line) => `    ${paint('dim', line)}`),
    ),
  ]);
  let room = maxBriefLines - 1;
  const shown = blocks.filter(({ length }) => (room -= length) >= 0);
  const more = blocks.length - shown.length;
  return [...shown.flat(), ...(more > 0 ? [`  and ${more} more: see --json or --html`] : [])];
}

/** What follows the host in a URL. */
function toPath(url: string): string {
  const { host } = URL.parse(url) ?? {};
  return host === undefined ? url : url.slice(url.indexOf(host) + host.length);
}
