import { toExcerpt } from '../../common/look/visible.ts';
import type { Learned, Report, Residue } from './events.ts';
import { isUndecided, toVerdictLabel } from './summary.ts';

/** A section of a report besides its findings: a title, its meaning, and its lines. */
export type Gap = { title: string; meaning: string; lines: string[] };

/** Returns what was not judged, not called, and not cleaned up, without empty sections. */
export function gapsOf(report: Report): Gap[] {
  const { residue, leftAlone = [], refused = [], learned = [], notFuzzed = [] } = report;
  const gaps = [
    {
      title: 'undecided',
      meaning: 'Clauses without a verdict; they never count as passing.',
      lines: undecidedClauses(report),
    },
    {
      title: 'does not apply',
      meaning: 'Checks that do not apply to this document.',
      lines: groupReasons(report.notApplicable).map(
        ({ reason, ids }) => `${ids.join(', ')}: ${reason}`,
      ),
    },
    {
      title: 'not called',
      meaning: 'Operations in the document that verify does not call.',
      lines: report.notCalled.map(toNotCalledText),
    },
    {
      title: 'refused',
      meaning: 'Operations of which no call was answered with a success, and the last answer.',
      lines: refused.map(toNotCalledText),
    },
    {
      title: 'learned',
      meaning: 'What refusals taught about bodies; --save-overlay FILE keeps it for the next run.',
      lines: learned.map(toLearnedText),
    },
    {
      title: 'not fuzzed',
      meaning: 'Optional parameters of reads; they may do more than select, order, page or shape.',
      lines: notFuzzed,
    },
    { title: 'not cleaned up', meaning: toResidueText({ residue }), lines: toLeftLines(residue) },
    { title: 'left alone', meaning: leftAloneText, lines: toLeftLines(leftAlone) },
  ];
  return gaps.filter(({ lines }) => lines.length > 0);
}

function undecidedClauses({ clauses, targets }: Report): string[] {
  const open = clauses.flatMap(({ id, results }) =>
    targets.flatMap(({ name }) => {
      const { verdict, reason = 'nothing to judge' } = results[name] ?? {};
      return isUndecided(verdict)
        ? [
            {
              why: `${toVerdictLabel(verdict ?? 'vacuous')} (${reason})`,
              id: targets.length > 1 ? `${id} on the ${name}` : id,
            },
          ]
        : [];
    }),
  );
  return [...Map.groupBy(open, ({ why }) => why)].map(
    ([why, group]) => `${group.map(({ id }) => id).join(', ')}: ${toExcerpt(why, 400)}`,
  );
}

function groupReasons(notApplicable: Report['notApplicable']): { reason: string; ids: string[] }[] {
  const byReason = Map.groupBy(notApplicable, ({ reason }) => reason);
  return [...byReason].map(([reason, group]) => ({ reason, ids: group.map(({ id }) => id) }));
}

/** An operation that is not called, with its reason: `deletePet (DELETE): no cases`. */
export function toNotCalledText({
  operation,
  method,
  reason,
}: Report['notCalled'][number]): string {
  return `${toCallName(operation, method)}: ${reason}`;
}

/** An operation with its method, unless its name begins with that. */
function toCallName(operation: string, method: string): string {
  return operation.startsWith(`${method} `) ? operation : `${operation} (${method})`;
}

/** Words a lesson about an operation: `createUser (POST): sends password; leaves out home_page`. */
function toLearnedText({ operation, method, ...learned }: Learned): string {
  const parts = [
    ...(learned.with.length > 0 ? [`sends ${learned.with.join(', ')}`] : []),
    ...(learned.without.length > 0 ? [`leaves out ${learned.without.join(', ')}`] : []),
  ];
  return `${toCallName(operation, method)}: ${parts.join('; ')}`;
}

/** Describes the items that a run left behind, and the operations that can delete them. */
function toResidueText({ residue }: Pick<Report, 'residue'>): string {
  const operations = [...new Set(residue.flatMap(({ deletedBy }) => deletedBy ?? []))];
  if (operations.length === 0)
    return 'Items that the run created; the document describes no operation that deletes them.';
  const some = residue.some(({ deletedBy }) => deletedBy === undefined) ? 'some of them' : 'them';
  return `Items that the run created and did not delete; ${operations.join(', ')} can delete ${some}.`;
}

const maxIds = 12;

/**
 * Returns a line for each target, operation and reason: the ids of the items, and a body that was
 * sent.
 */
function toLeftLines(left: readonly Residue[]): string[] {
  const groups = Map.groupBy(left, ({ target, operation, reason }) =>
    [`${target}, ${operation}`, ...(reason === undefined ? [] : [reason])].join(': '),
  );
  return [...groups].map(([where, items]) => {
    const ids = items.slice(0, maxIds).map(({ id = 'unknown id' }) => toExcerpt(id, 40));
    const more = items.length > maxIds ? ` and ${items.length - maxIds} more` : '';
    const { sent } = items[0] as Residue;
    const body = sent === undefined ? '' : `; sent: ${toExcerpt(sent, 160)}`;
    return `${where}: ${items.length} (${ids.join(', ')}${more})${body}`;
  });
}

const leftAloneText =
  'Items that a create returned, or that are new, and that are not verified as created by the run. It changed and deleted none of them.';
