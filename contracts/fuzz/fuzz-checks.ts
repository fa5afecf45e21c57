import type { Check, Violation } from '../clauses/check.ts';
import { anyOperation } from '../clauses/needs.ts';
import type { Exchange } from '../transcript/exchange.ts';
import type { FuzzCause, FuzzResult } from '../transcript/transcript.ts';
import type { FuzzCheckId } from './symptoms.ts';

type Rule = {
  id: FuzzCheckId;
  basis: Check['clause']['basis'];
  text: string;
  /** Whether an exchange is one that the clause is about. */
  isAbout: (exchange: Exchange, fuzzing: FuzzResult) => boolean;
};

const rules: readonly Rule[] = [
  {
    id: 'no-crash',
    basis: 'stated',
    text: 'No request makes the server fail: what a client can send is answered with a success or a 4xx.',
    isAbout: () => true,
  },
  {
    id: 'no-hang',
    basis: 'stated',
    text: 'Every request is answered in the time in which a plain one is.',
    isAbout: () => true,
  },
  {
    id: 'use-after-delete',
    basis: 'stated',
    text: 'A deleted item, and what was below it, can neither be read nor changed: 404 or 410.',
    isAbout: ({ number }, { afterDeletion }) => afterDeletion.has(number),
  },
  {
    id: 'key-always-required',
    basis: 'stated',
    text: 'A call without valid credentials is refused, whatever else is in it.',
    isAbout: ({ case: { credential } }) => credential !== 'valid',
  },
  {
    id: 'invalid-input',
    basis: 'stated',
    text: 'A body or a parameter that breaks its schema is refused with the 400 or 422 that the document states.',
    isAbout: ({ case: { purpose } }) => purpose.kind === 'fuzz' && purpose.isInvalid === true,
  },
  {
    id: 'valid-input',
    basis: 'described',
    text: 'A body that its schema allows is taken, if one is that differs in one member.',
    isAbout: ({ case: { purpose, operation } }) =>
      purpose.kind === 'fuzz' && !purpose.isInvalid && !purpose.isOdd && operation?.kind !== 'read',
  },
  {
    id: 'no-race',
    basis: 'described',
    text: 'What is refused when it is sent twice is refused, too, when it is sent twice at once.',
    isAbout: ({ number }, { atOnce }) => atOnce.has(number),
  },
];

/** The checks of what fuzzing finds: each cause is a finding of its own. */
export const fuzzChecks: readonly Check[] = rules.map(toCheck);

function toCheck({ id, basis, text, isAbout }: Rule): Check {
  const clause = { basis, source: anyOperation, text };
  return {
    id,
    clause,
    unheld: 'no input was sent that it is about',
    needsCases: ['list', 'read', 'create'],
    needs: 'an operation',
    part: 'status',
    judge({ exchanges, fuzzing }, judge) {
      if (!fuzzing) return;
      for (const one of exchanges)
        if (one.case.purpose.kind === 'fuzz' && isAbout(one, fuzzing))
          judge.hold(true, one, () => ({ message: '', expected: '', actual: '' }));
      for (const cause of fuzzing.causes.filter(({ check }) => check === id))
        judge.hold(false, cause.sequence.at(-1) as Exchange, () => toViolation(cause, clause));
    },
  };
}

function pathOf({ case: { operation, negotiated } }: Exchange): string {
  return (operation ?? negotiated)?.path ?? '';
}

function toViolation(
  { check, key, group, message, expected, actual, isStated, sequence, count }: FuzzCause,
  clause: Check['clause'],
): Omit<Violation, 'exchange'> {
  return {
    ...{ message, expected, actual },
    // Of others, the same words on two operations are two causes.
    group: group ?? `${key} at ${pathOf(sequence.at(-1) as Exchange)}`,
    before: sequence.slice(0, -1),
    alike: count - 1,
    ...(check === 'no-hang' && { verdict: 'unanswered' }),
    ...(!isStated && { clause: { ...clause, basis: 'described' } }),
  };
}
