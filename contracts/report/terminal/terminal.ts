import { styleText } from 'node:util';
import { count } from '../../../common/cli/count.ts';
import { createProgressLine, type Output } from '../../../common/cli/progress-line.ts';
import { wrapUpTo } from '../../../common/look/layout.ts';
import { print } from '../../../common/look/print.ts';
import { toExcerpt, toVisible } from '../../../common/look/visible.ts';
import type { ClauseVerdict, Finding, Report, RunEvent, Verdict } from '../events.ts';
import { toFacts } from '../facts.ts';
import { gapsOf } from '../gaps.ts';
import { isEmpty, toHeadline } from '../headline.ts';
import {
  type FindingGroup,
  groupFindings,
  isBrief,
  listCurls,
  notObserved,
  observedSilences,
  type ReportOptions,
  toBriefFacts,
  toCell,
  toLeftOut,
  toOperationName,
  toOrigin,
  toReachText,
  toSafeUrl,
  toVerdictLabel,
  toVerdictName,
  toWhere,
} from '../summary.ts';
import {
  bullet,
  type Cell,
  createPaint,
  heading,
  indented,
  labelled,
  type Paint,
  styles,
  toFactLines,
  toTable,
} from './paint.ts';

export type TerminalOptions = ReportOptions & {
  /** Nothing at all is printed. */
  quiet: boolean;
  /** Only progress is printed: standard output is for something else. */
  progressOnly: boolean;
  out?: Output;
  err?: Output;
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
        print(toTerminalReport(event.report, { strict, out }), out);
    },
  };
}

/**
 * The report as text: in 80 columns on a terminal and in 100 elsewhere (`curl` lines excepted),
 * coloured where the output wants that. The verdict stands first, and last; the findings come before the tables.
 */
export function toTerminalReport(
  report: Report,
  { strict, out }: ReportOptions & { out: Output },
): string {
  const paint = createPaint(out);
  if (isEmpty(report))
    return `${[...headline(report, { strict }, paint), ...leftOut(report, paint)].join('\n')}\n`;
  const blocks = [
    headline(report, { strict }, paint),
    ...groupFindings(report).map((group) => findingsOf(group, { strict }, paint)),
    operations(report, paint),
    silenceMap(report, paint),
    ...gaps(report, paint),
    totals(report, paint),
    verdict(report, { strict }, paint),
  ].filter((block) => block.length > 0);
  return `${blocks.map((block) => block.join('\n')).join('\n\n')}\n`;
}

function gaps(report: Report, paint: Paint): string[][] {
  return gapsOf(report).map(({ title, meaning, lines }) => [
    heading(title, toVisible(meaning), paint),
    ...lines.flatMap((line) => indented(toVisible(line), 2, paint)),
  ]);
}

/** Tells how a run goes on: a line when it starts and one when it ends, and a live one between. */
function createProgress(err: Output): {
  onEvent: (event: RunEvent) => void;
  /** Writes a line in place of the live one. */
  say: (line: string) => void;
} {
  const line = createProgressLine(err);
  const stages = new Map<string, string>();
  const dim = (text: string) =>
    err.write(`${styleText('dim', text, { stream: err as NodeJS.WriteStream })}\n`);
  const say = (text: string) => {
    line.clear();
    print(`${toVisible(text)}\n`, err);
  };
  return {
    say,
    onEvent(event) {
      if (event.type === 'start') {
        const names = event.targets.map(({ name, url }) => toVisible(`${name} at ${url}`));
        dim(`Verifying ${names.join(' and ')} ...`);
      } else if (event.type === 'finish') {
        line.clear();
        const made = event.report.targets.reduce((sum, { requests }) => sum + requests, 0);
        dim(`Made ${count(made, 'request')} in ${event.report.seconds.toFixed(1)} s.`);
      } else if (event.type === 'remark') say(`${event.target}: ${event.text}`);
      else if (event.type === 'stage') stages.set(event.target, event.stage);
      else {
        const { target, made, left } = event;
        const stage = stages.get(target) ?? 'begun';
        const most = left === undefined ? '' : `, at most ${Math.ceil(left / 1000)} s left`;
        line.show(`  ${target}: ${stage}, ${count(made, 'request')}${most}`);
      }
    },
  };
}

const maxBrief = 19;

/** The findings of a verdict, those in brief that fail no run. */
function findingsOf(
  { verdict, meaning, findings: list }: FindingGroup,
  options: ReportOptions,
  paint: Paint,
): string[] {
  const number = `${count(list.length, 'finding')}: ${meaning}.`;
  const head = heading(toVerdictLabel(verdict), number, paint, styles[verdict]);
  if (isBrief(verdict, options)) return [head, ...briefly(list, paint)];
  const whole = list.map((finding) => toFinding(finding, paint));
  return [head, ...whole.flatMap((lines, index) => (index === 0 ? lines : ['', ...lines]))];
}

function toFinding(finding: Finding, paint: Paint): string[] {
  const { verdict, check, message, problems = [] } = finding;
  return [
    ...labelled(`  ${paint(styles[verdict], check)}`, toVisible(toWhere(finding)), paint, 'dim'),
    ...indented(toVisible(message), 4, paint),
    ...problems.flatMap((problem) => bullet(toVisible(problem), 6, paint)),
    ...toFactLines(toFacts(finding), paint),
    ...listCurls(finding).map((curl) => `    ${paint('cyan', toVisible(curl))}`),
  ];
}

function briefly(findings: readonly Finding[], paint: Paint): string[] {
  const more = findings.length - maxBrief;
  return [
    ...findings
      .slice(0, maxBrief)
      .flatMap((finding) => [
        ...indented(
          `${toVisible(finding.message)}${finding.count > 1 ? ` (${finding.count} times)` : ''}`,
          2,
          paint,
        ),
        ...toBriefFacts(finding).flatMap((text) =>
          wrapUpTo(toVisible(text), paint.columns - 4, 2).map(
            (line) => `    ${paint('dim', line)}`,
          ),
        ),
      ]),
    ...(more > 0 ? [`  and ${more} more: see --json or --html`] : []),
  ];
}

const maxReasons = 8;

/** The verdict of the run, and why it is incomplete. */
function headline(report: Report, options: ReportOptions, paint: Paint): string[] {
  const { incomplete } = report;
  const more = incomplete.length - maxReasons;
  return [
    ...verdict(report, options, paint),
    ...incomplete.slice(0, maxReasons).flatMap((why) => indented(toExcerpt(why, 300), 2, paint)),
    ...(more > 0 ? [`  and ${count(more, 'more reason')}: see --json or --html`] : []),
  ];
}

/** The verdict of the run. */
function verdict(report: Report, options: ReportOptions, paint: Paint): string[] {
  const name = toVerdictName(report);
  const style = name === report.verdict ? styles[report.verdict] : 'bold';
  const label = paint(style, name.toUpperCase());
  return labelled(label, toVisible(toHeadline(report, options)), paint);
}

/** Calls and findings of each operation. */
function operations(report: Report, paint: Paint): string[] {
  const names = report.targets.map(({ name }) => name);
  const rows = report.operations.map(({ id, method, path, results }): Cell[] => [
    toVisible(toOperationName(id)),
    ['dim', toVisible(`${method} ${path}`.trim())],
    ...names.map((name): Cell => {
      const text = toCell(report, name, { id, results });
      return results[name]?.findings ? ['red', text] : text;
    }),
  ]);
  const reached = names.flatMap((name): Cell[][] => {
    const text = toReachText(report, name);
    return text === undefined ? [] : [[['dim', `${toVisible(name)}: ${text}`]]];
  });
  return [
    heading('operations', toVisible(`${report.document.title} ${report.document.version}`), paint),
    ...toTable([['', '', ...names.map((name): Cell => ['dim', toVisible(name)])], ...rows], paint),
    ...toTable(reached, paint),
  ];
}

/** Returns what was observed where the interface specifies nothing. */
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
    heading('silence map', 'Unspecified behaviour, as observed on each target.', paint),
    ...toTable([['', ...names.map((name): Cell => ['dim', toVisible(name)])], ...rows], paint),
    ...(url === undefined ? [] : [`  ${paint('dim', 'docs')}  ${url}`]),
  ];
}

/** Returns the cell of a further target, highlighted if it differs from the first. */
function toComparedCell(first: string, text: string): Cell {
  if (text === first) return ['dim', 'the same'];
  return text === notObserved || first === notObserved ? ['dim', text] : ['yellow', text];
}

/** Clauses and findings of each target. */
function totals(report: Report, paint: Paint): string[] {
  const { targets, clauses, seconds } = report;
  const rows = targets.map(({ name, requests, seconds: took }): Cell[] => {
    const { kept = 0, ...others } = report.totals[name]?.clauses ?? {};
    const list = (numbers: Record<string, number>) =>
      Object.entries(numbers)
        .filter(([, number]) => number > 0)
        .map(
          ([verdict, number]) => `${number} ${toVerdictLabel(verdict as Verdict | ClauseVerdict)}`,
        );
    const found = list(report.totals[name]?.findings ?? {});
    return [
      toVisible(name),
      `${[`${kept} of ${count(clauses.length, 'clause')} passed`, ...list(others)].join(', ')}; findings: ${found.join(', ') || 'none'}`,
      ['dim', `${count(requests, 'request')}, ${took.toFixed(1)} s`],
    ];
  });
  return [
    heading('totals', `${toOrigin(report)}, ${seconds.toFixed(1)} s.`, paint),
    ...toTable(rows, paint),
    ...leftOut(report, paint),
  ];
}

/** Returns the part of the traffic that was not judged. */
function leftOut(report: Report, paint: Paint): string[] {
  const text = toLeftOut(report);
  return text === undefined ? [] : indented(toVisible(text), 2, paint);
}
