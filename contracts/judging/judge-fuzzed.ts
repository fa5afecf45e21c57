import type { Check } from '../clauses/check.ts';
import { fuzzChecks } from '../fuzz/fuzz-checks.ts';
import type { Exchange } from '../transcript/exchange.ts';
import type { Transcript } from '../transcript/transcript.ts';
import { type Judgement, joinJudgements, judge } from './judge.ts';

/** The checks that hold of any answer, whatever was asked for. */
const ofAnyAnswer = [
  ...['error-shape', 'error-status', 'media-type', 'body-schema', 'no-byte-order-mark'],
  ...['described-status', 'required-headers', 'header-values'],
];

/** Statuses that say of a request what no document needs to describe: its size, or its form. */
const ofForm = [405, 406, 408, 413, 414, 415, 431, 501, 505];

/**
 * Judges the exchanges of fuzzing: what it found, and each answer to a request of the described form by
 * itself.
 */
export function judgeFuzzed(transcript: Transcript, checks: readonly Check[]): Judgement {
  const isOfFuzzing = ({ id }: Check) => fuzzChecks.some((one) => one.id === id);
  const found = judge(transcript, checks.filter(isOfFuzzing));
  const exchanges = transcript.exchanges.filter(isOfDescribedForm);
  const answers = judge(
    { ...transcript, exchanges },
    checks.filter(({ id }) => ofAnyAnswer.includes(id)),
  );
  return joinJudgements(
    { ...found, results: [...found.results, ...answers.results] },
    { ...answers, results: [] },
  );
}

function isOfDescribedForm({ case: { purpose, operation }, response }: Exchange): boolean {
  const { status = 500 } = response ?? {};
  const isOdd = purpose.kind === 'fuzz' && purpose.isOdd === true;
  const isStated = operation?.responses.some((one) => one.status === String(status));
  return !isOdd && (status < 500 || isStated === true) && !ofForm.includes(status);
}
