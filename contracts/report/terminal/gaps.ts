import { wrap } from '../../look/layout.ts';
import { toVisible } from '../../look/visible.ts';
import type { Report, Residue } from '../events.ts';
import {
  groupReasons,
  isUndecided,
  leftAloneText,
  toLeftLines,
  toNotCalledText,
  toResidueText,
} from '../summary.ts';
import { type Cell, heading, indented, type Paint, toTable } from './paint.ts';

/** Clauses that were not decided. */
export function notJudged({ clauses, targets }: Report, paint: Paint): string[] {
  const open = clauses.flatMap(({ id, results }) =>
    targets.flatMap(({ name }) => {
      const { verdict, reason } = results[name] ?? {};
      if (!isUndecided(verdict)) return [];
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

/** Checks that the document does not call for. */
export function notApplicable({ notApplicable: list }: Report, paint: Paint): string[] {
  if (list.length === 0) return [];
  return [
    heading('does not apply', 'Checks that this document does not call for.', paint),
    ...groupReasons(list).flatMap(({ reason, ids }) => [
      ...indented(toVisible(reason), 2, paint),
      ...wrap(ids.join(', '), paint.columns - 4).map((line) => `    ${paint('dim', line)}`),
    ]),
  ];
}

/** Operations that were not called. */
export function notCalled({ notCalled: list }: Report, paint: Paint): string[] {
  if (list.length === 0) return [];
  return [
    heading('not called', 'Operations in the document that verify does not call.', paint),
    ...list.flatMap((one) => indented(toVisible(toNotCalledText(one)), 2, paint)),
  ];
}

/** Items that were not cleaned up. */
export function leftBehind(report: Report, paint: Paint): string[] {
  return leftList('not cleaned up', toResidueText(report), report.residue, paint);
}

/** Items that creates were answered with and that are not the run's own. */
export function leftAlone({ leftAlone: left = [] }: Report, paint: Paint): string[] {
  return leftList('left alone', leftAloneText, left, paint);
}

function leftList(name: string, text: string, left: readonly Residue[], paint: Paint): string[] {
  if (left.length === 0) return [];
  const lines = toLeftLines(left).flatMap((line) => indented(toVisible(line), 2, paint));
  return [heading(name, toVisible(text), paint), ...lines];
}
