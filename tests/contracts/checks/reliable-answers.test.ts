import { expect, it } from 'vitest';
import { reliableAnswers } from '../../../contracts/checks/reliable-answers.ts';
import { judge } from '../../../contracts/judging/judge.ts';
import type { Failure } from '../../../contracts/transcript/exchange.ts';
import { listedTranscript, type Outcome } from '../../support/listed-transcript.ts';

/** Returns what the check finds in calls that ended so, each verdict with its message. */
async function findIn(outcomes: readonly Outcome[]): Promise<(string | undefined)[][]> {
  const { findings } = judge(await listedTranscript(outcomes), [reliableAnswers]);
  return findings.map(({ verdict, message, expected }) => [verdict, message, expected]);
}

const times = (count: number, outcome: Outcome): Outcome[] =>
  Array.from({ length: count }, () => outcome);
const answered: Outcome = { status: 200, body: '[]' };
const anyAnswer = 'an answer that the interface states for listPets';

it('counts each way to fail by itself', async () => {
  const found = await findIn([
    ...times(5, answered),
    ...times(2, { kind: 'dropped', message: 'ECONNRESET' }),
    ...times(3, { status: 500, body: '{}' }),
    ...times(4, { kind: 'timeout', message: 'no complete answer within 1 s' }),
    { kind: 'not-http', message: 'HPE_INVALID_CONSTANT' },
  ]);
  expect(found).toEqual([
    ['drift', 'the target drops the connection without an answer (2 of 15 calls)', anyAnswer],
    ['drift', 'the target answers with a server error (3 of 15 calls)', anyAnswer],
    ['unanswered', '4 of 15 calls got no complete answer within 1 s', 'a complete answer in time'],
    ['drift', 'the target answers with something that is not HTTP (1 of 15 calls)', anyAnswer],
  ]);
});

it('blames the target for an answer that it ends early, and nobody where that is not known', async () => {
  const reset = 'net::ERR_CONNECTION_RESET';
  expect(
    await findIn([
      { kind: 'cut-off', message: '200, and then the body ended early (ECONNRESET)' },
      { kind: 'lost', message: reset },
    ]),
  ).toEqual([
    ['drift', 'the target ends its answer before it is complete (1 of 2 calls)', anyAnswer],
    ['unanswered', `1 of 2 calls got no complete answer: ${reset}`, 'a complete answer'],
  ]);
});

it('says in a sentence what a recorded call got, whatever the recording calls it', async () => {
  expect(
    await findIn([
      { kind: 'timeout', message: 'timed out after 30001 ms' },
      { kind: 'timeout', message: 'timed out after 30002 ms' },
      { kind: 'timeout', message: 'no answer within 2 s' },
    ]),
  ).toEqual([
    [
      'unanswered',
      '2 of 3 calls got no complete answer in time: timed out after 30001 ms',
      'a complete answer in time',
    ],
    ['unanswered', '1 of 3 calls got no answer within 2 s', 'a complete answer in time'],
  ]);
});

it('leaves a call unanswered whose body is too much to be read, unless its status is a failure by itself', async () => {
  const wide = JSON.stringify(Object.fromEntries(Array.from({ length: 5001 }, (_, at) => [at, 1])));
  const tooLarge: Failure = { kind: 'too-large', message: 'an answer of more than 8 MiB' };
  expect(
    await findIn([answered, { status: 200, body: wide }, tooLarge, { status: 500, body: wide }]),
  ).toEqual([
    [
      'unanswered',
      '1 of 4 calls got JSON with an object of more than 5000 members',
      'an answer small enough to read',
    ],
    [
      'unanswered',
      '1 of 4 calls got an answer of more than 8 MiB',
      'an answer small enough to read',
    ],
    ['drift', 'the target answers with a server error (1 of 4 calls)', anyAnswer],
  ]);
});
