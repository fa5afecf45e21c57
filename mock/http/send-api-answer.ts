import type { Response } from 'express';
import { type Answer, contentOf, type TextAnswer } from '../answers/answer.ts';
import type { FaultName } from '../faults/fault-rules.ts';
import type { Random } from '../faults/random.ts';
import type { Reason, ResponseDelay } from '../journal/reason.ts';
import type { Sandbox } from '../sandboxes/sandbox.ts';
import { apiHeaders } from './api-headers.ts';
import { breakConnection } from './break-connection.ts';
import type { Cors } from './cors.ts';
import { delayResponse } from './delay-response.ts';
import { localsOf } from './locals.ts';
import type { RecordExchange } from './record-exchange.ts';
import { type Sent, sendAnswer, tooManyUnread } from './send-answer.ts';
import { reserveUnread } from './unread-answers.ts';

/** Sends an answer of the API, with the headers that each of them carries, and records why. */
export type SendApiAnswer = (
  response: Response,
  answer: Answer | TextAnswer,
  reason: Reason,
) => void;

/**
 * Fails in place of an answer of the API, and records why; `random` draws the bytes that are no HTTP.
 */
export type FailApiCall = (
  response: Response,
  fault: { name: FaultName; random: Random },
  reason: Reason,
) => void;

/** Makes the sender of the API's answers. */
export function createSendApiAnswer(cors: Cors, record: RecordExchange): SendApiAnswer {
  return (response, answer, reason) => {
    // One that is delayed takes as much memory as one that nobody reads.
    const whole = reserveUnread(response, contentOf(answer).length) ? answer : tooManyUnread;
    conclude(response, reason, record, () =>
      sendAnswer(response, whole, apiHeaders(response, cors)),
    );
  };
}

/** Makes what fails in place of the API's answers. */
export function createFailApiCall(cors: Cors, record: RecordExchange): FailApiCall {
  return (response, { name, random }, reason) =>
    conclude(response, reason, record, () => {
      breakConnection(response, name, { random, headers: apiHeaders(response, cors) });
      return undefined;
    });
}

/**
 * Lets a call come to what it comes to, and records that: at once, or after the wait that the
 * request, a fault or the sandbox asks for, if the client is still there.
 */
function conclude(
  response: Response,
  reason: Reason,
  record: RecordExchange,
  act: () => Sent | undefined,
): void {
  const locals = localsOf(response);
  const delay = locals.delay ?? latencyOf(locals.sandbox);
  if (!delay || delay.milliseconds === 0) record(response, reason, act());
  else
    delayResponse(response, delay.milliseconds)
      .then((isConnected) =>
        record(response, { ...reason, delay }, isConnected ? act() : undefined),
      )
      .catch((error) => response.destroy(error));
}

function latencyOf({ latency }: Sandbox): ResponseDelay | undefined {
  return latency.any() ? { milliseconds: latency.next(), by: 'settings' } : undefined;
}
