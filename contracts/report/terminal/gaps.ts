import { toExcerpt, toVisible } from '../../look/visible.ts';
import type { Report } from '../events.ts';
import { wrap } from '../layout.ts';
import { groupReasons, isUndecided, toNotCalledText, toResidueText } from '../summary.ts';
import { type Cell, heading, indented, type Paint, toTable } from './paint.ts';

/** How many ids of items that were not cleaned up are shown. */
const maxIds = 12;

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
export function leftBehind({ residue }: Report, paint: Paint): string[] {
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
