import type { RequestHandler } from 'express';
import type { Operation } from '../../contracts/description/document.ts';
import type { Behaviour } from '../behaviours/behaviour.ts';
import type { Security } from '../http/authenticate.ts';
import type { Cors } from '../http/cors.ts';
import type { ToLimitHeaders } from '../http/limit-headers.ts';
import type { EnterSandbox } from '../http/locals.ts';
import type { RecordExchange } from '../http/record-exchange.ts';
import type { SendApiAnswer } from '../http/send-answer.ts';
import type { Deprecation } from './deprecation.ts';
import type { DocumentedAnswer } from './documented-answer.ts';
import type { InputOptions } from './operation-input.ts';

/** What the steps of calls are made of. */
export type CallOptions = InputOptions & {
  send: SendApiAnswer;
  cors: Cors;
  toLimitHeaders: ToLimitHeaders;
  security: Security;
  enter: EnterSandbox;
  behaviourOf: (operation: Operation, options: CallOptions) => Behaviour;
  /** Steps that may answer instead of an operation, by the places where they stand. */
  stepsInsteadOf: (operation: Operation, options: CallOptions) => StepsInstead;
  deprecationOf: (operation: Operation) => Deprecation | undefined;
  documentedOf: (operation: Operation) => DocumentedAnswer | undefined;
  /** Whether HEAD, other methods and unknown paths use quota. */
  countsElsewhere: boolean;
  record: RecordExchange;
};

/** An operation, and what a document says of all its answers. */
export type Called = {
  operation: Operation;
  deprecation: Deprecation | undefined;
  documented: DocumentedAnswer | undefined;
};

/** Makes a step of the calls of an operation; undefined where it has nothing to do. */
export type CreateStep = (called: Called, options: CallOptions) => RequestHandler | undefined;

/** A place for steps that answer instead of an operation: on demand, or as it is pinned. */
export type Place = 'before admission' | 'before input' | 'before behaviour';

/** Such steps of an operation. */
export type StepsInstead = Readonly<Partial<Record<Place, RequestHandler | undefined>>>;
