import type { Arbitrary } from 'fast-check';
import type { Api, Kind, Resource } from '../../openapi/index.ts';
import { collectionsOf } from '../../openapi/model/api.ts';
import type { FastCheck } from './arbitraries.ts';
import { createRandomInput, singleInputs } from './inputs.ts';
import type { Step } from './player.ts';
import { type Input, interleave, plainInput, type Subject } from './subject.ts';

/** How many random inputs of an operation are made at once. */
const batch = 20;

/** How many calls a random sequence makes of an item at most. */
const maxCalls = 5;

type Subjects = Partial<Record<Kind, Subject>>;

/** A plain call, or one with an input; `on` names the step that made the item. */
function call(subject: Subject, given: Partial<Omit<Step, 'subject'>> = {}): Step {
  return { subject, input: plainInput, ...given };
}

/** A sequence that ends with an input of a subject: on an item, it makes that first. */
export function toSequence(
  subjects: readonly Subject[],
  subject: Subject,
  input: Input,
): readonly Step[] | undefined {
  if (subject.does !== 'change') return [{ subject, input }];
  const { create } = byKind(subjects, subject.resource);
  if (!create) return undefined;
  const deletes = subject.operation.kind === 'delete';
  return deletes ? undefined : [call(create), { subject, input, on: 0 }];
}

/** The subjects of a collection, by their kind. */
function byKind(subjects: readonly Subject[], resource: Resource | undefined): Subjects {
  const own = subjects.filter((one) => one.resource !== undefined && one.resource === resource);
  return Object.fromEntries(own.map((one) => [one.operation.kind, one]));
}

/**
 * The sequences of each collection: an item that is made twice, one after the other and at once; one that
 * takes what another has; one that is used after its deletion, or after that of its parent.
 */
function findSequences(document: Api, subjects: readonly Subject[]): (readonly Step[])[] {
  return collectionsOf(document).flatMap((resource) => {
    const own = byKind(subjects, resource);
    const { create, read, delete: remove, replace, update } = own;
    if (!create) return [];
    const changes = [replace, update].filter((one) => one?.body !== undefined) as Subject[];
    const twice = [call(create), call(create, { bodyOf: 0 })];
    const taken = changes.map((one) => [
      call(create),
      call(create),
      call(one, { on: 1, bodyOf: 0 }),
    ]);
    if (!remove) return [twice, ...taken];
    const deleted = [call(create), call(remove, { on: 0 })];
    const looked = read ? [call(read, { on: 0 })] : [];
    const uses = [...looked, call(remove, { on: 0 })].map((one) => [...deleted, one]);
    // What a change of a deleted item brings back is seen, so that it is deleted again.
    const changed = changes.map((one) => [...deleted, call(one, { on: 0 }), ...looked]);
    const race = [
      ...deleted,
      call(create, { bodyOf: 0 }),
      call(create, { bodyOf: 0, isAtOnce: true }),
    ];
    return [twice, ...taken, ...uses, ...changed, race, ...belowDeleted(subjects, own)];
  });
}

/** Sequences that ask for what is below an item after its deletion, or make more there. */
function belowDeleted(
  subjects: readonly Subject[],
  { create, delete: remove, read }: Subjects,
): (readonly Step[])[] {
  const item = (read ?? remove)?.operation.path;
  if (!create || !remove || item === undefined) return [];
  const below = subjects.filter(({ operation: { path } }) => path.startsWith(`${item}/`));
  const creates = below.filter(
    ({ does, operation }) => does === 'create' && isNext(operation.path),
  );
  function isNext(path: string): boolean {
    return !path.slice(item?.length).includes('{');
  }
  return creates.flatMap((child) => {
    const ofChild = byKind(subjects, child.resource);
    const lists = ofChild.list ? [call(ofChild.list, { on: 0 })] : [];
    const reads = ofChild.read ? [call(ofChild.read, { on: 1 })] : [];
    const removal = call(remove, { on: 0 });
    const made = [call(create), call(child, { on: 0 }), removal];
    return [
      ...[...reads, ...lists].map((last) => [...made, last]),
      [call(create), removal, call(child, { on: 0 })],
    ];
  });
}

/** Creates the arbitrary of sequences of calls of an item of a collection; undefined if it has no item. */
function createRandomSequence(
  fc: FastCheck,
  document: Api,
  subjects: readonly Subject[],
  create: Subject,
): Arbitrary<readonly Step[]> | undefined {
  const { create: _, list, ...ofItem } = byKind(subjects, create.resource);
  const onItem = Object.values(ofItem).filter((one) => one.does !== 'create');
  if (onItem.length === 0) return undefined;
  const steps = onItem.map((subject) =>
    fc
      .constantFrom(plainInput, ...singleInputs(document, subject))
      .map((input): Step => ({ subject, input, on: 0 })),
  );
  const lists = list ? [fc.constant(call(list))] : [];
  return fc
    .array(fc.oneof(...steps, ...lists), { minLength: 2, maxLength: maxCalls })
    .map((all) => [call(create), ...all]);
}

/** The values that sequences are made with. */
type SequenceContext = { fc: FastCheck; document: Api; seed: number };

/** Gives the sequences to send: those of a list, and then random ones without end. */
export function* allSequences(
  making: SequenceContext,
  subjects: readonly Subject[],
): Generator<readonly Step[]> {
  const { document } = making;
  const toSequences = (subject: Subject, inputs: readonly Input[]) =>
    inputs.flatMap((input) => {
      const steps = toSequence(subjects, subject, input);
      return steps ? [steps] : [];
    });
  const singles = subjects.map((subject) => toSequences(subject, singleInputs(document, subject)));
  yield* interleave([findSequences(document, subjects), ...singles]);
  for (let round = 1; ; round++) {
    const random = subjects.map((subject) => {
      const { inputs, sequences } = randomOf(making, subjects, { subject, round });
      return [...toSequences(subject, inputs), ...sequences];
    });
    if (random.every(({ length }) => length === 0)) return;
    yield* interleave(random);
  }
}

/** Random inputs of a subject, and random sequences of what it makes; other ones in each round. */
function randomOf(
  { fc, document, seed }: SequenceContext,
  subjects: readonly Subject[],
  { subject, round }: { subject: Subject; round: number },
): { inputs: Input[]; sequences: (readonly Step[])[] } {
  const sample = { seed: seed * 1000 + round, numRuns: batch };
  const input = createRandomInput(fc, document, subject);
  const sequence =
    subject.does === 'create' ? createRandomSequence(fc, document, subjects, subject) : undefined;
  return {
    inputs: input ? fc.sample(input, sample) : [],
    sequences: sequence ? fc.sample(sequence, { ...sample, numRuns: batch / 4 }) : [],
  };
}
