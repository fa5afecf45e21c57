import { expect, it } from 'vitest';
import { checks } from '../../../contracts/checks/index.ts';
import { toApplicable } from '../../../contracts/clauses/applicable.ts';
import type { Check } from '../../../contracts/clauses/check.ts';
import type { Exchange } from '../../../contracts/transcript/exchange.ts';
import type { Transcript } from '../../../contracts/transcript/transcript.ts';
import type { Mutate } from '../../../tools/lab/deployment.ts';
import {
  type AnswerMutation,
  answerMutations,
  mutateAnswers,
  type TranscriptMutation,
  transcriptMutations,
} from '../../support/mutations.ts';
import { recordTranscript } from '../../support/recorded-transcript.ts';

/**
 * Holds that no mutation breaks, by check and the start of the case's id, each with the reason why
 * it counts all the same.
 */
const exceptions: { check: string; cases: string; reason: string }[] = [];

const letInAt = new Map<string, number>();

/**
 * The true deployment, with each header that a check looks at where it is sent. It lets a refused
 * key in again after a second.
 */
const talkative: Mutate = (truth, { usage }) => ({
  meter: (call, account) => {
    const { key = '' } = account ?? {};
    if (Date.now() >= (letInAt.get(key) ?? Number.POSITIVE_INFINITY)) {
      usage.delete(key);
      letInAt.delete(key);
    }
    const quota = truth.meter(call, account);
    if (quota.refusedFor === undefined) return quota;
    letInAt.set(key, Date.now() + 900);
    return { ...quota, refusedFor: 1 };
  },
  answer: ({ operation }, answer) => ({
    ...answer,
    headers: {
      ...answer.headers,
      ...(answer.status === 401 && { 'WWW-Authenticate': 'Bearer realm="pets"' }),
      ...(answer.status === 405 && { Allow: 'GET' }),
      ...(operation === 'getPet' && {
        Deprecation: '@1733356800',
        Sunset: 'Thu, 05 Dec 2030 00:00:00 GMT',
      }),
    },
  }),
});

const transcript = await recordTranscript({ mutate: talkative }, { wait: 2000 });

/** Returns what a check holds of a transcript, by name. */
function holdsOf({ judge }: Check, judged: Transcript): Map<string, Exchange> {
  const all = new Map<string, Exchange>();
  judge(judged, {
    hold: (_, exchange, violation) => all.set(nameOf(exchange, violation), exchange),
    inconclusive() {},
  });
  return all;
}

/** The names of those that do not keep the clause. */
function brokenIn({ judge }: Check, judged: Transcript): Set<string> {
  const broken = new Set<string>();
  judge(judged, {
    // A name takes longer to make than a hold to judge.
    hold: (isHeld, exchange, violation) => isHeld || broken.add(nameOf(exchange, violation)),
    inconclusive() {},
  });
  return broken;
}

/** Returns a name that tells one hold of a check from another, by its violation. */
function nameOf({ number }: Exchange, violation: () => unknown): string {
  return `${number} ${violation}`;
}

/** By check, what it holds of the transcript and no wrong answers break. */
function unbrokenByAnswers(judging: readonly Check[]): Map<Check, Map<string, Exchange>> {
  const left = new Map(judging.map((check) => [check, holdsOf(check, transcript)]));
  for (const mutation of answerMutations.map(remembering))
    for (const isChosen of [() => true, isEven, isOdd]) {
      // Made once for all checks, as that takes longer than to judge it.
      const mutant = mutateAnswers(transcript, mutation, isChosen);
      for (const [check, holds] of left)
        if (holds.size > 0) for (const name of brokenIn(check, mutant)) holds.delete(name);
    }
  return left;
}

/** Of what no wrong answers break, an exchange of each kind that nothing else breaks either. */
function unbreakable(check: Check, left: ReadonlyMap<string, Exchange>): Exchange[] {
  const kinds = new Map(
    [...left].map(([name, exchange]) => [`${kindOf(exchange)} ${name.replace(/^\d+/, '')}`, name]),
  );
  let ways = [...transcriptMutations, ...answerMutations.map(toTranscriptMutation)];
  return [...kinds.values()].flatMap((name) => {
    const exchange = left.get(name) as Exchange;
    const breaks = ({ apply }: TranscriptMutation) =>
      brokenIn(check, apply(transcript, exchange) ?? transcript).has(name);
    const found = ways.find(breaks);
    // The way that broke one hold is likely to break the next.
    if (found) ways = [found, ...ways.filter((way) => way !== found)];
    return found ? [] : [exchange];
  });
}

function toTranscriptMutation(mutation: AnswerMutation): TranscriptMutation {
  return {
    name: mutation.name,
    apply: (judged, { number }) =>
      mutateAnswers(judged, mutation, (exchange) => exchange.number === number),
  };
}

/** The same mutation, which changes an exchange once however often it is chosen. */
function remembering({ name, change }: AnswerMutation): AnswerMutation {
  const mutants = new Map<Exchange, Exchange | undefined>();
  return {
    name,
    change: (exchange) => {
      if (!mutants.has(exchange)) mutants.set(exchange, change(exchange));
      return mutants.get(exchange);
    },
  };
}

/** Numbered cases are alike. */
function kindOf({ case: { id }, response }: Exchange): string {
  return `${id.replace(/\d+/g, '#')} ${response?.status}`;
}

function isEven({ number }: Exchange): boolean {
  return number % 2 === 0;
}

function isOdd(exchange: Exchange): boolean {
  return !isEven(exchange);
}

const unbroken = unbrokenByAnswers(checks);

/** Leaves out the checks of changes, which verify-changes.test.ts breaks. */
const applicable = toApplicable(transcript.document, checks).checks.map(({ id }) => id);
const held = checks.filter(({ id }) => applicable.includes(id));

it.each(held)('$id holds nothing that could not fail', (check) => {
  expect(brokenIn(check, transcript)).toEqual(new Set());
  expect(holdsOf(check, transcript).size).toBeGreaterThan(0);
  const excepted = exceptions.filter((exception) => exception.check === check.id);
  const cases = unbreakable(check, unbroken.get(check) ?? new Map()).map(({ case: { id } }) => id);
  const isExcepted = (id: string) => excepted.some((exception) => id.startsWith(exception.cases));
  expect([...new Set(cases)].filter((id) => !isExcepted(id))).toEqual([]);
  for (const exception of excepted)
    expect(
      cases.some((id) => id.startsWith(exception.cases)),
      exception.cases,
    ).toBe(true);
});

it('finds a hold that nothing breaks', () => {
  const vacuous: Check = {
    ...(checks[0] as Check),
    judge: ({ exchanges: [first] }, { hold }) =>
      first && hold(true, first, () => ({ message: '', expected: '', actual: '' })),
  };
  const left = unbrokenByAnswers([vacuous]).get(vacuous) ?? new Map();
  expect(unbreakable(vacuous, left)).toEqual([transcript.exchanges[0]]);
});
