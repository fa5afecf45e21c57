import { count } from '../../common/cli/count.ts';
import { type Check, called, clearest, type Violation } from '../clauses/check.ts';
import { anyOperation, pointerTo } from '../clauses/needs.ts';
import type { ClauseResult, ClauseVerdict, Finding } from '../report/events.ts';
import { calledId, type Exchange } from '../transcript/exchange.ts';
import { firstCause, toSkipText } from '../transcript/skip-reasons.ts';
import { type Defect, type Transcript, toDefect } from '../transcript/transcript.ts';
import { toReported } from './reported-exchange.ts';

/** Violations of one kind that a check found on one operation, with the clearest of them. */
export type FoundKind = Omit<Finding, 'operations' | 'related'> & {
  /** The same on every operation. */
  kind: string;
  /** The operations that it is about. */
  calledIds?: readonly string[];
  violations: readonly Violation[];
  /** The part of a finding that describes violations of this kind, by the clearest of them. */
  show(
    violations: readonly Violation[],
  ): Pick<
    Finding,
    'operation' | 'clause' | 'message' | 'problems' | 'expected' | 'actual' | 'exchange' | 'before'
  >;
};

/** The result of the checks on one target. */
export type Judgement = {
  findings: FoundKind[];
  results: {
    check: Check;
    verdict: ClauseVerdict;
    held: number;
    /** The ids of the operations on whose answers it was held. */
    operations: ReadonlySet<string>;
    reason?: string;
  }[];
  /** Failures of the checks themselves. */
  defects: Defect[];
};

export type JudgeOptions = {
  /** Called for each exchange that a check is held against. */
  onHold?: (check: Check, exchange: Exchange) => void;
};

/** The verdict on a broken clause, by the basis of the clause. */
export const verdictOf: Record<Check['clause']['basis'], 'drift' | 'standard' | 'undocumented'> = {
  stated: 'drift',
  standard: 'standard',
  described: 'undocumented',
};

/**
 * Holds a transcript against the checks. One finding for each kind of violation on an operation,
 * with the exchange that shows it best.
 */
export function judge(
  transcript: Transcript,
  checks: readonly Check[],
  { onHold }: JudgeOptions = {},
): Judgement {
  const judgement: Judgement = { findings: [], results: [], defects: [] };
  for (const check of checks) {
    const { violations, held, operations, reasons, defect } = holdAgainst(
      check,
      transcript,
      onHold,
    );
    const found = toFindings(check, violations, transcript);
    if (defect) {
      judgement.defects.push(defect);
      reasons.unshift('the check itself failed, which is a bug in the suite');
    }
    const unanswered = found.filter(({ verdict }) => verdict === 'unanswered');
    reasons.push(...unanswered.map(({ message }) => message));
    const isBroken = unanswered.length < found.length;
    const isUnsure = held === 0 || reasons.length > 0;
    const reason = reasons[0] ?? (held === 0 ? whyNothing(check, transcript) : undefined);
    const undecided = reasons.length > 0 ? 'inconclusive' : 'vacuous';
    const verdict = isBroken ? heaviest(found) : isUnsure ? undecided : 'kept';
    judgement.findings.push(...found);
    judgement.results.push({
      ...{ check, verdict, held, operations },
      ...(isUnsure && reason !== undefined && { reason }),
    });
  }
  return judgement;
}

/** The reports of a check until it finished or failed. */
type CheckReports = {
  violations: Violation[];
  held: number;
  operations: Set<string>;
  reasons: string[];
  defect?: Defect;
};

function holdAgainst(
  check: Check,
  transcript: Transcript,
  onHold: JudgeOptions['onHold'],
): CheckReports {
  const seen: CheckReports = { violations: [], held: 0, operations: new Set(), reasons: [] };
  try {
    check.judge(transcript, {
      hold(kept, exchange, violation) {
        seen.held += 1;
        for (const one of operationsOf(transcript, exchange)) seen.operations.add(one);
        onHold?.(check, exchange);
        if (!kept) seen.violations.push({ exchange, ...violation() });
      },
      inconclusive: (reason) => seen.reasons.push(reason),
    });
  } catch (error) {
    seen.defect = toDefect(error, `the check ${check.id}`);
  }
  return seen;
}

/** Joins what was judged of two transcripts of a target: a clause fails if it does in either. */
export function joinJudgements(one: Judgement, other: Judgement): Judgement {
  const ranks: readonly ClauseVerdict[] = [...Object.values(verdictOf), 'inconclusive', 'kept'];
  const rankOf = ({ verdict }: Judgement['results'][number]) =>
    ranks.indexOf(verdict) === -1 ? ranks.length : ranks.indexOf(verdict);
  return {
    findings: [...one.findings, ...other.findings],
    results: one.results.map((result) => {
      const beside = other.results.find(({ check }) => check === result.check);
      if (!beside) return result;
      const { verdict, reason } = rankOf(beside) < rankOf(result) ? beside : result;
      const { check } = result;
      return {
        ...{ check, verdict, held: result.held + beside.held },
        operations: result.operations.union(beside.operations),
        ...(reason !== undefined && { reason }),
      };
    }),
    defects: [...one.defects, ...other.defects],
  };
}

/** Returns the most severe verdict among the findings. */
function heaviest(found: readonly FoundKind[]): ClauseVerdict {
  const broken = Object.values(verdictOf);
  return broken.find((one) => found.some(({ verdict }) => verdict === one)) ?? 'drift';
}

/**
 * The clauses with their verdict on each target; a clause whose findings are all known is known.
 */
export function toClauseResults(
  checks: readonly Check[],
  judgements: ReadonlyMap<string, Judgement>,
  findings: readonly Pick<Finding, 'check' | 'target' | 'verdict'>[],
): ClauseResult[] {
  const isKnown = (id: string, name: string) => {
    const ofClause = findings.filter(({ check, target }) => check === id && target === name);
    return ofClause.length > 0 && ofClause.every(({ verdict }) => verdict === 'known');
  };
  return checks.map((check) => ({
    id: check.id,
    ...check.clause,
    results: Object.fromEntries(
      [...judgements].map(([target, { results }]) => {
        const { verdict, held, reason } = results.find(
          (result) => result.check === check,
        ) as Judgement['results'][number];
        const known = isKnown(check.id, target);
        return [
          target,
          { verdict: known ? 'known' : verdict, held, ...(reason !== undefined && { reason }) },
        ];
      }),
    ),
  }));
}

/** The operations that an exchange is about: what it called, and the change that it looks at. */
function operationsOf({ exchanges }: Transcript, exchange: Exchange): string[] {
  const { purpose } = exchange.case;
  if (purpose.kind !== 'look') return [calledId(exchange)];
  const change = exchanges.findLast(
    ({ number, case: { purpose: one } }) =>
      number < exchange.number && one.kind === 'change' && one.id === purpose.id,
  );
  return [exchange, change ?? exchange].map(calledId);
}

function toFindings(
  { id, clause, sumUp }: Check,
  violations: Violation[],
  transcript: Transcript,
): FoundKind[] {
  const { target } = transcript;
  const groups = Map.groupBy(
    violations,
    ({ group, message, exchange, clause: own = clause }) =>
      `${called(exchange)} ${own.basis} ${group ?? message}`,
  );
  const show = (all: readonly Violation[]) => {
    const violation = sumUp?.(all) ?? clearest(all);
    const { exchange, message, problems, expected, actual, verdict, before = [] } = violation;
    const operation = calledId(exchange);
    const { basis, text } = violation.clause ?? clause;
    const source = sourceOf(violation.clause ?? clause, violation);
    return {
      operation,
      clause: verdict === 'unanswered' ? timeOrSize(id) : { id, basis, source, text },
      message,
      ...(problems && { problems }),
      expected,
      actual,
      exchange: toReported(exchange, target.url),
      ...(before.length > 0 && {
        before: before.map((one) => ({ exchange: toReported(one, target.url) })),
      }),
    };
  };
  return [...groups.values()].map((group) => {
    const shown = clearest(group);
    return {
      target: target.name,
      verdict: shown.verdict ?? verdictOf[(shown.clause ?? clause).basis],
      check: id,
      ...show(group),
      calledIds: group.flatMap(({ exchange }) => operationsOf(transcript, exchange)),
      count: group.length,
      kind: (shown.group ?? shown.message).replaceAll(
        called(shown.exchange),
        sumUp ? '$&' : 'the operation',
      ),
      violations: group,
      show,
    };
  });
}

/**
 * Returns the source of a clause. If the document states it by operation, points to the operation
 * that breaks it.
 */
function sourceOf({ source }: Check['clause'], { exchange }: Violation): string {
  const { operation } = exchange.case;
  return source === anyOperation && operation ? pointerTo(operation) : source;
}

/** Takes the place of a clause where a call got no complete response. */
function timeOrSize(id: string): Finding['clause'] {
  return {
    id,
    basis: 'none',
    source: 'no time or size is stated',
    text: 'The interface does not state how long an answer may take or how large it may be.',
  };
}

/** Whether a finding already reports what is wrong with a part of an answer. */
export function findJudgedParts(
  findings: readonly Pick<FoundKind, 'target' | 'check' | 'violations'>[],
  checks: readonly Check[],
): (target: string, exchange: number, part: NonNullable<Check['part']>) => boolean {
  const parts = new Map(checks.map(({ id, part }) => [id, part]));
  const judged = new Set(
    findings.flatMap(({ target, check, violations }) =>
      violations.map(({ exchange }) => `${target} ${exchange.number} ${parts.get(check)}`),
    ),
  );
  return (target, exchange, part) => judged.has(`${target} ${exchange} ${part}`);
}

/**
 * Why a check judged nothing: the cases that it needs were not made, or it gives a reason of its
 * own.
 */
function whyNothing({ unheld, cases }: Check, { skipped }: Transcript): string {
  const missed = skipped.filter(
    ({ case: { purpose, priority } }) => priority < 3 && cases?.includes(purpose.kind),
  );
  const reason = firstCause(missed);
  return reason
    ? `${unheld} (${count(missed.length, 'case for it was', 'cases for it were')} not made: ${toSkipText(reason)})`
    : unheld;
}
