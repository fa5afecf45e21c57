import type { Contender } from '../bench/server-process.ts';
import { describesAnswer, judgeAnswer, type ReceivedAnswer } from './judge-answer.ts';
import { findRoundTrips, keepsState } from './round-trips.ts';
import { type Call, noAnswer, send } from './send.ts';
import { type Peer, startPeer } from './start-peer.ts';
import { createToCall } from './to-call.ts';
import { openDocument } from './try-document.ts';

/** The outcome of serving a document with one mock. */
export type Outcome = {
  starts: boolean;
  /** Right first answers. */
  right: number;
  /** Collections that read back what they created. */
  withState: number;
  /** How often the mock ended or did not answer in time, and was started again. */
  restarts: number;
  /** The first answers that are not right, each with the reason. */
  wrong: string[];
};

/** The outcome of each mock for a document, by name. */
export type ComparedDocument = {
  answerable: number;
  roundTrips: number;
  outcomes: Record<string, Outcome>;
};

type Mock = { outcome: Outcome; send: (call: Call) => Promise<ReceivedAnswer>; stop(): void };

/** Serves a document with the twin and with other mocks, and sends all of them the same calls. */
export async function compareDocument(
  file: string,
  others: readonly Contender[],
): Promise<ComparedDocument> {
  const twin = await openDocument(file);
  const mocks = new Map<string, Mock>();
  try {
    const { operations, basePath } = twin.document;
    const { compileSchema } = twin.app.served;
    mocks.set('petstore-twin', {
      outcome: toOutcome(),
      send: (call) => send(twin.origin + basePath, call),
      stop: () => {},
    });
    await Promise.all(others.map(async (other) => mocks.set(other.name, await openMock(other))));
    const toCall = createToCall(twin);
    for (const operation of operations) {
      const { call } = await toCall(operation);
      for (const { outcome, send } of mocks.values()) {
        const answer = call && outcome.starts ? await send(call) : noAnswer;
        if (!describesAnswer(operation)) continue;
        const fault = judgeAnswer(operation, answer, compileSchema);
        if (fault === undefined) outcome.right += 1;
        else
          outcome.wrong.push(
            `${operation.id}: ${call && answer === noAnswer ? 'no answer' : fault}`,
          );
      }
    }
    const roundTrips = await findRoundTrips(twin);
    for (const roundTrip of roundTrips)
      for (const { outcome, send } of mocks.values())
        if (outcome.starts && (await keepsState(roundTrip, send))) outcome.withState += 1;
    return {
      answerable: operations.filter(describesAnswer).length,
      roundTrips: roundTrips.length,
      outcomes: Object.fromEntries([...mocks].map(([name, { outcome }]) => [name, outcome])),
    };
  } finally {
    for (const mock of mocks.values()) mock.stop();
    await twin.close();
  }
}

/** A mock that is started again where a call ended it, so that each call is tried. */
async function openMock(contender: Contender): Promise<Mock> {
  let peer: Peer | undefined = await startPeer(contender);
  const outcome = toOutcome(peer !== undefined);
  return {
    outcome,
    send: async (call) => {
      try {
        peer ??= await startPeer(contender);
        return peer ? await send(peer.base, call, AbortSignal.timeout(20_000)) : noAnswer;
      } catch {
        outcome.restarts += 1;
        peer?.stop();
        peer = undefined;
        return noAnswer;
      }
    },
    stop: () => peer?.stop(),
  };
}

function toOutcome(starts = true): Outcome {
  return { starts, right: 0, withState: 0, restarts: 0, wrong: [] };
}
