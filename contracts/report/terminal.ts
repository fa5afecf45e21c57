import { stripVTControlCharacters, styleText } from 'node:util';
import { toExcerpt, toVisible } from '../look/visible.ts';
import type { Finding, Report, ReportedExchange, RunEvent, Verdict } from './events.ts';
import { padTo, toRowLines, toWidths, wrap, wrapUpTo } from './layout.ts';
import { createProgress, type Output } from './progress.ts';
import {
  callsElsewhere,
  count,
  type FindingGroup,
  groupFindings,
  groupReasons,
  listOperations,
  notObserved,
  observedSilences,
  type ReportOptions,
  toCell,
  toHeadline,
  toNotCalledText,
  toRelatedText,
  toResidueText,
  toSafeUrl,
  toSource,
} from './summary.ts';
import { widthOf } from './text-width.ts';

type Style = Parameters<typeof styleText>[0];
/**
 * Styles a text for an output, and knows how many columns that has: no end of them where it is no
 * terminal.
 */
type Paint = { (style: Style, text: string): string; readonly columns: number };

/** A cell of a table: its text, and how it looks. */
type Cell = string | [style: Style, text: string];

/**
 * Something about a finding under its label, in so many lines; without a number on one line, as no
 * terminal follows an address that is broken.
 */
type Fact = [label: string, text: string, maxLines?: number];

export type TerminalOptions = ReportOptions & {
  /** Nothing at all is printed. */
  quiet: boolean;
  /** Only progress is printed: standard output is for something else. */
  progressOnly: boolean;
  out?: Output;
  err?: Output;
};

const terminalColumns = 80;
const maxBrief = 12;
const maxIds = 12;

const styles: Readonly<Record<Verdict | Report['verdict'], Style>> = {
  drift: ['red', 'bold'],
  unanswered: ['yellow', 'bold'],
  standard: ['yellow', 'bold'],
  disagreement: ['magenta', 'bold'],
  known: 'bold',
  difference: 'bold',
  clean: ['green', 'bold'],
  incomplete: ['yellow', 'bold'],
};

/** Progress on standard error, the report on standard output. */
export function createTerminal(options: TerminalOptions): {
  onEvent: (event: RunEvent) => void;
  /** Writes a line to standard error, even where the report is not wanted. */
  say: (line: string) => void;
} {
  const { strict, quiet, progressOnly, out = process.stdout, err = process.stderr } = options;
  const progress = createProgress(err);
  return {
    say: progress.say,
    onEvent(event) {
      if (quiet) return;
      progress.onEvent(event);
      if (event.type === 'finish' && !progressOnly)
        out.write(toTerminalReport(event.report, { strict, out }));
    },
  };
}

/**
 * The report as text: on a terminal of 80 columns (`curl` lines excepted), coloured where it wants
 * that; elsewhere nothing is wrapped, so that a search finds each sentence in one line. The verdict
 * stands first, and last.
 */
export function toTerminalReport(
  report: Report,
  { strict, out }: ReportOptions & { out: Output },
): string {
  const styled = (style: Style, text: string) =>
    styleText(style, text, { stream: out as NodeJS.WriteStream });
  const paint: Paint = Object.assign(styled, {
    columns: out.isTTY ? terminalColumns : Number.POSITIVE_INFINITY,
  });
  const blocks = [
    headline(report, { strict }, paint),
    operations(report, paint),
    ...groupFindings(report).map((group) => findings(group, paint)),
    notJudged(report, paint),
    notHeld(report, paint),
    silenceMap(report, paint),
    notCalled(report, paint),
    leftBehind(report, paint),
    totals(report, paint),
    verdict(report, { strict }, paint),
  ].filter((block) => block.length > 0);
  return `${blocks.map((block) => block.join('\n')).join('\n\n')}\n`;
}

function headline(report: Report, options: ReportOptions, paint: Paint): string[] {
  return [
    ...verdict(report, options, paint),
    ...report.incomplete.flatMap((why) => indented(toVisible(why), 2, paint)),
  ];
}

function verdict(report: Report, options: ReportOptions, paint: Paint): string[] {
  const label = paint(styles[report.verdict], report.verdict.toUpperCase());
  return labelled(label, toVisible(toHeadline(report, options)), paint);
}

function operations(report: Report, paint: Paint): string[] {
  const names = report.targets.map(({ name }) => name);
  const toCells = (results: Report['operations'][number]['results']) =>
    names.map(
      (name): Cell =>
        results[name]?.findings ? ['red', toCell(results[name])] : toCell(results[name]),
    );
  const rows = report.operations.map(({ id, method, path, results }): Cell[] => [
    toVisible(id),
    ['dim', toVisible(`${method} ${path}`)],
    ...toCells(results),
  ]);
  const elsewhere = callsElsewhere(report);
  if (Object.values(elsewhere).some(({ calls, findings }) => calls + findings > 0))
    rows.push(['elsewhere', '', ...toCells(elsewhere)]);
  return [
    heading('operations', toVisible(`${report.document.title} ${report.document.version}`), paint),
    ...toTable([['', '', ...names.map((name): Cell => ['dim', toVisible(name)])], ...rows], paint),
  ];
}

function findings({ verdict, meaning, findings: list }: FindingGroup, paint: Paint): string[] {
  const head = heading(
    verdict,
    `${count(list.length, 'finding')}: ${meaning}.`,
    paint,
    styles[verdict],
  );
  if (verdict === 'difference' || verdict === 'known') return [head, ...briefly(list, paint)];
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
    toExcerpt(response ? [response.status, ...headers].join('  ') : `no answer: ${failure}`, 300),
    4,
  ];
  return [
    ['sent', toExcerpt(sent, 200), 3],
    received,
    ...(body === '' ? [] : [['', toExcerpt(body, 200), 3] satisfies Fact]),
  ];
}

function briefly(findings: Finding[], paint: Paint): string[] {
  const lines = findings
    .slice(0, maxBrief)
    .flatMap(({ message, expected, actual, count }) => [
      ...indented(`${toVisible(message)}${count > 1 ? `, ${count} times` : ''}`, 2, paint),
      ...[expected, actual].flatMap((text) =>
        wrapUpTo(toVisible(text), paint.columns - 4, 2).map((line) => `    ${paint('dim', line)}`),
      ),
    ]);
  return findings.length > maxBrief
    ? [...lines, `  and ${findings.length - maxBrief} more: see --json or --html`]
    : lines;
}

function notJudged({ clauses, targets }: Report, paint: Paint): string[] {
  const open = clauses.flatMap(({ id, results }) =>
    targets.flatMap(({ name }) => {
      const { verdict, reason } = results[name] ?? {};
      if (verdict !== 'inconclusive' && verdict !== 'vacuous') return [];
      return [{ id, name, why: `${verdict}: ${reason ?? 'nothing to judge'}` }];
    }),
  );
  if (open.length === 0) return [];
  return [
    heading('not judged', 'Undecided clauses, which never count as passed.', paint),
    ...[...Map.groupBy(open, ({ why }) => why)].flatMap(([why, ofReason]) => [
      ...indented(toVisible(why), 2, paint),
      ...toTable(
        [...Map.groupBy(ofReason, ({ name }) => name)].map(([name, ofName]): Cell[] => [
          ['dim', toVisible(name)],
          ['dim', ofName.map(({ id }) => id).join(', ')],
        ]),
        paint,
        4,
      ),
    ]),
  ];
}

function notHeld({ notApplicable }: Report, paint: Paint): string[] {
  if (notApplicable.length === 0) return [];
  return [
    heading('does not apply', 'Checks that this document does not call for.', paint),
    ...groupReasons(notApplicable).flatMap(({ reason, ids }) => [
      ...indented(toVisible(reason), 2, paint),
      ...wrap(ids.join(', '), paint.columns - 4).map((line) => `    ${paint('dim', line)}`),
    ]),
  ];
}

function silenceMap(report: Report, paint: Paint): string[] {
  const seen = observedSilences(report);
  if (seen.length === 0) return [];
  const names = report.targets.map(({ name }) => name);
  const rows = seen.map(({ id, observed }): Cell[] => {
    const [first = '', ...rest] = names.map((name) =>
      toExcerpt(observed[name] ?? notObserved, 160),
    );
    return [id, first, ...rest.map((text) => toComparedCell(first, text))];
  });
  const [url] = toSafeUrl(seen[0]?.url)?.split('#') ?? [];
  return [
    heading('silence map', 'What the interface does not specify, and what was observed.', paint),
    ...toTable([['', ...names.map((name): Cell => ['dim', toVisible(name)])], ...rows], paint),
    ...(url === undefined ? [] : [`  ${paint('dim', 'docs')}  ${url}`]),
  ];
}

/** What another target does there: of interest where it is something else. */
function toComparedCell(first: string, text: string): Cell {
  if (text === first) return ['dim', 'the same'];
  return text === notObserved || first === notObserved ? ['dim', text] : ['yellow', text];
}

function notCalled({ notCalled: list }: Report, paint: Paint): string[] {
  if (list.length === 0) return [];
  return [
    heading('not called', 'Operations in the document that verify does not call.', paint),
    ...list.flatMap((one) => indented(toVisible(toNotCalledText(one)), 2, paint)),
  ];
}

function leftBehind({ residue }: Report, paint: Paint): string[] {
  if (residue.length === 0) return [];
  return [
    heading('not cleaned up', toVisible(toResidueText({ residue })), paint),
    ...[...Map.groupBy(residue, ({ target, operation }) => `${target}, ${operation}`)].flatMap(
      ([where, left]) => {
        const ids = left.slice(0, maxIds).map(({ id }) => toExcerpt(id, 40));
        const more = left.length > maxIds ? ` and ${left.length - maxIds} more` : '';
        return indented(`${toVisible(where)}: ${left.length} (${ids.join(', ')}${more})`, 2, paint);
      },
    ),
  ];
}

function totals(report: Report, paint: Paint): string[] {
  const { targets, clauses, plan, seconds } = report;
  const rows = targets.map(({ name, requests, seconds: took }): Cell[] => {
    const { kept = 0, ...others } = report.totals[name]?.clauses ?? {};
    const list = (numbers: Record<string, number>) =>
      Object.entries(numbers)
        .filter(([, number]) => number > 0)
        .map(([verdict, number]) => `${number} ${verdict}`);
    const found = list(report.totals[name]?.findings ?? {});
    return [
      toVisible(name),
      `${[`${kept} of ${count(clauses.length, 'clause')} kept`, ...list(others)].join(', ')}; findings: ${found.join(', ') || 'none'}`,
      ['dim', `${count(requests, 'request')}, ${took.toFixed(1)} s`],
    ];
  });
  return [
    heading(
      'totals',
      `Plan ${plan.hash}, seed ${plan.seed}, ${count(plan.cases, 'case')}, ${seconds.toFixed(1)} s.`,
      paint,
    ),
    ...toTable(rows, paint),
  ];
}

function heading(name: string, meaning: string, paint: Paint, style: Style = 'bold'): string {
  return labelled(paint(style, name.toUpperCase()), meaning, paint, 'dim').join('\n');
}

/** A text beside its label, wrapped there. */
function labelled(label: string, text: string, paint: Paint, style?: Style): string[] {
  const width = widthOf(stripVTControlCharacters(label)) + 2;
  const lines = wrap(text, paint.columns - width).map((line) =>
    style === undefined ? line : paint(style, line),
  );
  return lines.map((line, index) => (index === 0 ? `${label}  ${line}` : ' '.repeat(width) + line));
}

function toTable(rows: Cell[][], paint: Paint, indent = 2): string[] {
  const texts = rows.map((row) => row.map((cell) => (typeof cell === 'string' ? cell : cell[1])));
  const widths = toWidths(texts, paint.columns - indent);
  return texts.flatMap((row, at) =>
    toRowLines(row, widths, (line, column) => {
      const cell = rows[at]?.[column];
      return typeof cell === 'object' ? paint(cell[0], line) : line;
    }).map((line) => ' '.repeat(indent) + line),
  );
}

function indented(text: string, indent: number, paint: Paint): string[] {
  return wrap(text, paint.columns - indent).map((line) => ' '.repeat(indent) + line);
}

/** An item of a list, wrapped beside its mark. */
function bullet(text: string, indent: number, { columns }: Paint): string[] {
  return wrapUpTo(text, columns - indent - 2, 3).map(
    (line, index) => `${' '.repeat(indent)}${index === 0 ? '-' : ' '} ${line}`,
  );
}

/** What follows the host in a URL. */
function toPath(url: string): string {
  const { host } = URL.parse(url) ?? {};
  return host === undefined ? url : url.slice(url.indexOf(host) + host.length);
}
