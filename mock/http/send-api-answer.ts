import type { Response } from 'express';
import type { FaultName } from '../faults/fault-rules.ts';
import type { Random } from '../faults/random.ts';
import type { Reason } from '../journal/reason.ts';
import type { Sandbox } from '../sandboxes/sandbox.ts';
import { type Answer, sendAnswer } from './answer.ts';
import { apiHeaders } from './api-headers.ts';
import { breakConnection } from './break-connection.ts';
import type { Cors } from './cors.ts';
import { type KeptBack, keepBack } from './keep-back.ts';
import { localsOf } from './locals.ts';

/** Sends an answer of the API, with the headers that each of them carries, and notes why. */
export type SendApiAnswer = (response: Response, answer: Answer, reason: Reason) => void;

/** Fails in place of an answer of the API, and notes why; `random` draws the bytes that are no HTTP. */
export type FailApiCall = (response: Response, fault: { name: FaultName; random: Random }, reason: Reason) => void;

/** Makes the sender of the API's answers. */
export function createSendApiAnswer(cors: Cors): SendApiAnswer {
  return (response, answer, reason) => conclude(response, reason, () => sendAnswer(response, answer, apiHeaders(response, cors)));
}

/** Makes what fails in place of the API's answers. */
export function createFailApiCall(cors: Cors): FailApiCall {
  return (response, { name, random }, reason) =>
    conclude(response, reason, () => breakConnection(response, name, { random, headers: apiHeaders(response, cors) }));
}

/**
 * Notes the reason for what a call comes to, and lets it come to that: at once, or after the wait that the request, a fault
 * or the sandbox asks for, if the client is still there.
 */
function conclude(response: Response, reason: Reason, act: () => void): void {
  const locals = localsOf(response);
  const keptBack = locals.keptBack ?? latencyOf(locals.sandbox);
  locals.reason = keptBack ? { ...reason, keptBack } : reason;
  if (!keptBack || keptBack.milliseconds === 0) act();
  else
    keepBack(response, keptBack.milliseconds)
      .then((isThere) => isThere && act())
      .catch((error) => response.destroy(error));
}

function latencyOf({ latency }: Sandbox): KeptBack | undefined {
  return latency.any() ? { milliseconds: latency.next(), by: 'settings' } : undefined;
}
