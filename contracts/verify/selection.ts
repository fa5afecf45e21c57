import { nearestName } from '../../common/cli/nearest-name.ts';
import { UsageError } from '../../common/cli/usage-error.ts';
import type { Api, Operation } from '../../openapi/index.ts';
import type { Case, CaseKind } from '../cases/case.ts';
import { createPlan, type Plan } from '../cases/plan.ts';
import { checks } from '../checks/index.ts';
import { type Applicable, toApplicable } from '../clauses/applicable.ts';
import type { Check } from '../clauses/check.ts';
import { fuzzChecks } from '../fuzz/fuzz-checks.ts';
import { type Choice, wants } from '../run/choices.ts';

/** The selected part of the document, and how long inputs are made up for it, if they are. */
export type Selection = {
  document: Api;
  only: readonly string[];
  skip: readonly string[];
  fuzzTime?: number | undefined;
};

/** All checks, those of fuzzing last. */
const all: readonly Check[] = [...checks, ...fuzzChecks];

const maxListed = 20;

/**
 * Explains the first name for --only or --skip that is no operation, check or source of a clause.
 */
export function explainUnknownName(document: Api, names: readonly string[]): string | undefined {
  const operations = document.operations.map(({ id }) => id);
  const unknown = names.find((name) => !operations.includes(name) && !isOfChecks(document, name));
  if (unknown === undefined) return undefined;
  const sections = checks.flatMap(({ clause }) => clause.source.split(', '));
  const similar = nearestName(unknown, [
    ...operations,
    ...all.map(({ id }) => id),
    ...sections.filter((section) => isOfChecks(document, section)),
  ]);
  const more = operations.length > maxListed ? ` and ${operations.length - maxListed} more` : '';
  return [
    `"${unknown}" is not an operation, check or § of the interface.`,
    ...(similar === undefined ? [] : [`Did you mean ${similar}?`]),
    `Operations: ${operations.slice(0, maxListed).join(', ')}${more}.`,
  ].join(' ');
}

/** Whether a name is that of a check, or the source of a clause that applies to the document. */
function isOfChecks(document: Api, name: string): boolean {
  return (
    all.some(({ id }) => id === name) ||
    toApplicable(document, checks).checks.some(({ clause }) =>
      clause.source.split(', ').some((source) => isWithin(source, name)),
    )
  );
}

/** Whether a source is a section or lies in it: §4.1 is within §4. */
function isWithin(source: string, section: string): boolean {
  return source === section || (section.startsWith('§') && source.startsWith(`${section}.`));
}

/** Whether a check is to be held, by its id and the sources of its clause. */
function createIsChosen({ only, skip, document }: Selection): (...names: string[]) => boolean {
  const aboutChecks = only.filter((name) => isOfChecks(document, name));
  return (...names) => {
    const listed = (list: readonly string[]) =>
      names.some((name) => list.some((given) => isWithin(name, given)));
    return (aboutChecks.length === 0 || listed(aboutChecks)) && !listed(skip);
  };
}

/** Whether an operation is to be tried; calls of none are, unless operations are named. */
function isOperationChosen(
  { only, skip, document }: Selection,
  operation: Operation | undefined,
): boolean {
  const operations = only.filter((name) => document.operations.some(({ id }) => id === name));
  const id = operation?.id ?? '';
  return (operations.length === 0 || operations.includes(id)) && !skip.includes(id);
}

/**
 * Whether an operation that is not chosen may be called for what chosen ones need: a list shows ids
 * to read and values to create with, and what was created is deleted.
 */
function isOperationNeeded(selection: Selection, operation: Operation): boolean {
  if (isOperationChosen(selection, operation) || selection.skip.includes(operation.id))
    return false;
  const isChosen = (one: Operation | undefined) =>
    one !== undefined && isOperationChosen(selection, one);
  return selection.document.resources.some(
    ({ operations: { list, create, read, delete: remove } }) =>
      (list === operation && [create, read].some(isChosen)) ||
      (remove === operation && isChosen(create)),
  );
}

/** Whether all checks are held, so that a run looks at the whole of what its operations do. */
export function holdsAllChecks({ only, document }: Selection): boolean {
  return !only.some((name) => isOfChecks(document, name));
}

/** Which operations a run may call, and what it has to send. */
export function toChoice(selection: Selection): Choice {
  return {
    isChosen: (operation) => isOperationChosen(selection, operation),
    isNeeded: (operation) => isOperationNeeded(selection, operation),
    kinds: findNeededKinds(selection),
  };
}

/** The kinds of case that checks named by --only need; undefined where everything is sent. */
function findNeededKinds(selection: Selection): ReadonlySet<CaseKind> | undefined {
  if (!selection.only.some((name) => isOfChecks(selection.document, name))) return undefined;
  const { checks: chosen } = chooseChecks(selection);
  if (chosen.some(({ needsCases }) => needsCases === undefined)) return undefined;
  return new Set(chosen.flatMap(({ needsCases = [] }) => needsCases));
}

/** Whether a case is sent for a check that the run holds, or shows items that others begin with. */
function isCaseWanted({ purpose, stage, priority }: Case, choice: Choice): boolean {
  const isPlain = purpose.kind === 'create' && priority === 1 && !purpose.mayRefuse;
  const isFirst = purpose.kind === 'list' && stage === 'before';
  const kind = purpose.kind === 'silence' ? purpose.silence : purpose.kind;
  return wants(choice, kind as CaseKind) || (isPlain && wants(choice, 'items')) || isFirst;
}

/**
 * The checks that a run holds, and those chosen that do not apply to its document. Throws {@link
 * NothingChecked} where none is left.
 */
export function chooseChecks(options: Selection): Applicable {
  const held = options.fuzzTime === undefined ? checks : all;
  const { checks: applicable, notApplicable } = toApplicable(options.document, held);
  const isChosen = createIsChosen(options);
  const chosen = {
    checks: applicable.filter(({ id, clause }) => isChosen(id, ...clause.source.split(', '))),
    notApplicable: notApplicable.filter(({ id }) => isChosen(id)),
  };
  const [first] = chosen.notApplicable;
  if (chosen.checks.length === 0)
    throw new NothingChecked(
      first && `No check ran: ${first.id} does not apply, as ${first.reason}`,
    );
  return chosen;
}

/** The cases that a run makes. Throws {@link NothingChecked} where none is left. */
export function chooseCases(
  options: Selection & {
    seed: number;
    targets: readonly { name: string; writes: boolean }[];
    call?: readonly string[];
  },
): Plan {
  const choice = toChoice(options);
  const plan = createPlan(options.document, {
    seed: options.seed,
    selection: {
      readOnly: options.targets.every(({ writes }) => !writes),
      allowed: options.call ?? [],
      includes: (one) => isOperationChosen(options, one.operation) && isCaseWanted(one, choice),
      isNeeded: choice.isNeeded,
    },
  });
  const chosen = plan.stages.flatMap(({ cases }) => cases).filter(({ isNeeded }) => !isNeeded);
  const isTested = ({ writes }: { writes: boolean }) => chosen.some((one) => writes || !one.writes);
  const untested = options.targets.find((target) => !isTested(target));
  if (options.document.operations.length === 0)
    throw new NothingChecked('No check ran', 'The document describes no operation.');
  const mayChange = options.document.operations.some(
    (one) => one.method !== 'GET' && choice.isChosen(one),
  );
  if (untested && !untested.writes && mayChange)
    throw new NothingChecked(
      `No check ran: all that was chosen may change something, and nothing may be changed on the ${untested.name}`,
      'Leave out --read-only, or give --allow-writes beyond loopback.',
    );
  if (untested) throw new NothingChecked();
  return plan;
}

/** No check had anything to hold, so the run says nothing; `why` begins the message. */
export class NothingChecked extends UsageError {
  constructor(
    why = 'No check ran',
    advice = 'Widen --only or narrow --skip; --list-clauses shows what there is.',
  ) {
    super(`${why}. ${advice}`);
  }
}

/** Every check that applies to a document, with its clause; those of fuzzing, too, or not. */
export function clauseLedger(
  document: Api,
  { isFuzzed = true }: { isFuzzed?: boolean } = {},
): readonly Check[] {
  return toApplicable(document, isFuzzed ? all : checks).checks;
}
