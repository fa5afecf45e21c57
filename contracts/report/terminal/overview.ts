import { count } from '../../../common/cli/count.ts';
import { toExcerpt, toVisible } from '../../../common/look/visible.ts';
import type { ClauseVerdict, Report, Verdict } from '../events.ts';
import { toHeadline } from '../headline.ts';
import {
  notObserved,
  observedSilences,
  type ReportOptions,
  toCell,
  toLeftOut,
  toOperationName,
  toOrigin,
  toReachText,
  toSafeUrl,
  toVerdictLabel,
  toVerdictName,
} from '../summary.ts';
import { type Cell, heading, indented, labelled, type Paint, styles, toTable } from './paint.ts';

const maxReasons = 8;

/** The verdict of the run, and why it is incomplete. */
export function headline(report: Report, options: ReportOptions, paint: Paint): string[] {
  const { incomplete } = report;
  const more = incomplete.length - maxReasons;
  return [
    ...verdict(report, options, paint),
    ...incomplete.slice(0, maxReasons).flatMap((why) => indented(toExcerpt(why, 300), 2, paint)),
    ...(more > 0 ? [`  and ${count(more, 'more reason')}: see --json or --html`] : []),
  ];
}

/** The verdict of the run. */
export function verdict(report: Report, options: ReportOptions, paint: Paint): string[] {
  const name = toVerdictName(report);
  const style = name === report.verdict ? styles[report.verdict] : 'bold';
  const label = paint(style, name.toUpperCase());
  return labelled(label, toVisible(toHeadline(report, options)), paint);
}

/** Calls and findings of each operation. */
export function operations(report: Report, paint: Paint): string[] {
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
export function silenceMap(report: Report, paint: Paint): string[] {
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
export function totals(report: Report, paint: Paint): string[] {
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
export function leftOut(report: Report, paint: Paint): string[] {
  const text = toLeftOut(report);
  return text === undefined ? [] : indented(toVisible(text), 2, paint);
}
