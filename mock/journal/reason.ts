import type { Kind } from '../../openapi/index.ts';
import type { FaultName } from '../faults/fault-rules.ts';
import type { Problem } from '../json/validator.ts';
import type { Window } from '../limits/decide.ts';

/** The steps that can give a request its answer, in the order that a request meets them. */
export const steps = [
  'connection',
  'guard',
  'sandbox',
  'domain',
  'admin',
  'oauth',
  'options',
  'routing',
  'credentials',
  'limits',
  'forced',
  'fault',
  'forwarded',
  'removal',
  'query',
  'body',
  'magic',
  'example',
  'behaviour',
  'store',
  'failure',
] as const;

export type Step = (typeof steps)[number];

/** The step that gave a request its answer, and what it went by. */
export type Reason = StepReason & {
  /** The delay of the answer, where there was one. */
  delay?: ResponseDelay;
  /** The code of an Error in the form of the document; as the journal shows it, of any Error. */
  error?: string;
  /** The rule of `x-twin` that gave the answer. */
  xTwin?: string;
  /** Tolerated deviations of the request from the document, as sentences. */
  tolerated?: readonly string[];
  /** The option of the mock that prevents the refusal, as a sentence. */
  advice?: string;
};

/** How long an answer is delayed, in milliseconds of real time, and what asked for it. */
export type ResponseDelay = {
  milliseconds: number;
  /** `Prefer`, the id of a fault, a magic value, or `settings`. */
  by: string;
};

/** A problem with the credentials of a request. */
export type CredentialsProblem =
  | 'missing'
  | 'malformed'
  | 'unknown'
  | 'expired'
  | 'insufficient_scope';

/** The outcome of a request for a domain of the published project. */
export type DomainOutcome = 'served' | 'redirected' | 'removed' | 'waiting';

type StepReason =
  | { step: 'connection' | 'guard' | 'sandbox' | 'options' | 'routing' }
  /** A request for a domain of the published project, by its Host. */
  | { step: 'domain'; domain: string; outcome: DomainOutcome }
  /** A call of the admin that changes items or domains, by its operationId there. */
  | { step: 'admin'; operation: string }
  /** An endpoint of the OAuth server, by its path, and the error that it answered with. */
  | { step: 'oauth'; endpoint: string; problem?: string }
  /** The expected credentials, unless they are a key. */
  | { step: 'credentials'; problem: CredentialsProblem; expected?: string }
  | LimitsReason
  /** Without a preference where the one that was sent cannot be honoured. */
  | { step: 'forced'; preference?: string }
  | FaultReason
  | { step: 'removal'; sunset: string }
  /** The wrong parameter, if any, and its place unless it is the query. */
  | {
      step: 'query';
      parameter?: string;
      problem?: string;
      in?: 'path' | 'header' | 'cookie' | 'querystring';
    }
  /** With the first problems that the schema found, where the body could be parsed. */
  | { step: 'body'; problems?: readonly Problem[] }
  /** The URL at the real service, without its query. */
  | { step: 'forwarded'; url: string }
  | { step: 'magic'; value: string }
  /** The name of an example of the request, and of the response. */
  | { step: 'example'; name: string }
  /** With the collection at the path of an operation that shows and changes nothing of it. */
  | { step: 'behaviour'; kind: BehaviourKind; besides?: string }
  | { step: 'store' | 'failure'; message: string };

/**
 * The behaviour of an operation. `example` sends an example, for operations neither of a collection
 * nor stored; `own` is a behaviour of the user's own.
 */
export type BehaviourKind = Kind | 'singleton' | 'action' | 'example' | 'own';

/** Instants in Unix seconds. */
type LimitsReason = { step: 'limits'; plan: string; window: Window } & (
  | { outcome: 'exceeded' }
  | { outcome: 'banned'; ban: { until: number; seconds: number } }
);

/** The rule, and what it did: answered with a status, or broke the connection. */
type FaultReason = { step: 'fault'; rule: string } & ({ code: number } | { fault: FaultName });
