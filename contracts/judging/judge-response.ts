import { count } from '../../common/cli/count.ts';
import type { Api } from '../../openapi/index.ts';
import { checksOfOneAnswer } from '../checks/index.ts';
import { toApplicable } from '../clauses/applicable.ts';
import type { ResponseJudgement } from '../report/events.ts';
import { isAnswered } from '../transcript/exchange.ts';
import { countOf } from '../transcript/items.ts';
import {
  type FetchResponse,
  type SentDetails,
  toObservedExchange,
} from '../transcript/observed-exchange.ts';
import { maxItems } from '../transcript/sample.ts';
import { ownRun, type Transcript } from '../transcript/transcript.ts';
import { judge } from './judge.ts';

export type JudgeResponseOptions = {
  /** The request, if a check needs more than the URL of the response. */
  sent?: SentDetails;
  /** The plan of the key; the limits shown are compared with it. */
  plan?: string;
  /** The time at the target, if it differs from that of this machine. */
  now?: Date | number;
};

/**
 * Judges one response with the checks. Throws a TypeError if it cannot be judged, and an Error if a
 * check fails; the message says why.
 */
export type JudgeResponse = (
  response: FetchResponse,
  operation: string,
  options?: JudgeResponseOptions,
) => Promise<ResponseJudgement>;

/**
 * Gives the function that holds one response against those checks of the suite that an answer alone
 * can break: its status is one of the operation's, the body matches its schema or is an Error, media
 * type and rate-limit headers are as stated, a Retry-After, a Sunset date and a challenge have
 * their form, and lists, created and read items are what was asked for, as far as the request is
 * known. Throws a DocumentError for a schema that cannot be compiled.
 */
export function createResponseJudge(document: Api): JudgeResponse {
  const { checks } = toApplicable(document, checksOfOneAnswer);
  return async (response, operationId, { sent = {}, plan, now = Date.now() } = {}) => {
    const operation = document.operations.find(({ id }) => id === operationId);
    if (!operation)
      throw new TypeError(
        `"${operationId}" is not an operation of ${document.title}. Its operations are ${document.operations.map(({ id }) => id).join(', ')}.`,
      );
    if (plan !== undefined && !Object.hasOwn(document.plans, plan))
      throw new TypeError(
        `"${plan}" is not a plan. Plans are ${Object.keys(document.plans).join(', ')}.`,
      );
    if (!isResponse(response))
      throw new TypeError(
        'Only a Response, as fetch returns it, can be checked against the contract.',
      );
    const exchange = await toObservedExchange(response, {
      document,
      operation,
      sent,
      now: Number(now),
    });
    const { status, unjudged } = exchange.response;
    const called = `this ${status} of ${operation.id}`;
    if (unjudged !== undefined)
      throw new TypeError(`The body of ${called} cannot be judged, as ${unjudged}.`);
    const transcript = {
      document,
      target: { name: 'target', url: '' },
      observer: ownRun,
      keys: [{ name: 'key', ...(plan !== undefined && { plan }) }],
      exchanges: [exchange],
      refusedKeys: [],
      trials: [],
      skipped: [],
    };
    const { findings, results, defects } = judge(transcript, checks);
    if (defects.length > 0)
      throw new Error(
        `Not all checks could judge ${called}, which is a bug in the suite: ${defects.map(({ message }) => message).join('; ')}.`,
      );
    return {
      operation: operation.id,
      status,
      findings: findings.map(({ verdict, check, clause, message, problems, expected, actual }) => ({
        verdict,
        check,
        clause,
        message,
        ...(problems && { problems }),
        expected,
        actual,
      })),
      held: results.filter(({ held }) => held > 0).map(({ check }) => check.id),
    };
  };
}

function isResponse(value: unknown): value is FetchResponse {
  if (typeof value !== 'object' || value === null) return false;
  const { status, headers, clone } = value as Partial<FetchResponse>;
  return (
    typeof status === 'number' &&
    typeof headers?.forEach === 'function' &&
    typeof clone === 'function'
  );
}

/** Returns what was too large or too long to be judged whole, one sentence each. */
export function whyNotAllJudged({ target, exchanges }: Transcript): string[] {
  const unjudged = exchanges.flatMap(({ response }) => response?.unjudged ?? []);
  const lengths = exchanges.filter(isAnswered).map(countOf);
  const long = lengths.filter((length) => length > maxItems);
  const longest = long.reduce((most, length) => Math.max(most, length), 0);
  return [
    ...[...Map.groupBy(unjudged, (reason) => reason)].map(([reason, { length: answers }]) =>
      toUnjudgedBodies(answers, reason),
    ),
    ...(long.length > 0
      ? [
          `of ${count(long.length, 'list')} only the first ${maxItems} items were judged, as ${long.length === 1 ? 'it has' : 'they have up to'} ${longest}`,
        ]
      : []),
  ].map((what) => `${target.name}: ${what}`);
}

/** How many bodies were not judged, and why. */
export function toUnjudgedBodies(answers: number, reason: string): string {
  const bodies =
    answers === 1 ? 'the body of 1 answer was' : `the bodies of ${answers} answers were`;
  return `${bodies} not judged, as ${reason}`;
}
