import type { RequestHandler } from 'express';
import type { ApiDocument, Operation } from '../../contracts/description/document.ts';
import type { Behaviour } from '../behaviours/behaviour.ts';
import type { Security } from '../http/authenticate.ts';
import type { Cors } from '../http/cors.ts';
import type { DocumentedAnswer } from '../http/documented-answer.ts';
import type { ToLimitHeaders } from '../http/limit-headers.ts';
import type { EnterSandbox } from '../http/locals.ts';
import type { RecordExchange } from '../http/record-exchange.ts';
import type { SendApiAnswer } from '../http/send-api-answer.ts';
import type { CompileSchema } from '../json/validator.ts';
import type { Pins } from '../pins/pins.ts';
import type { Deprecation } from './deprecation.ts';

/** What the steps of calls are made of. */
export type CallOptions = {
  document: ApiDocument;
  send: SendApiAnswer;
  cors: Cors;
  toLimitHeaders: ToLimitHeaders;
  security: Security;
  enter: EnterSandbox;
  compileSchema: CompileSchema;
  behaviourOf: (operation: Operation) => Behaviour;
  /** Steps that may answer instead of an operation, by the places where they stand. */
  stepsInsteadOf: (operation: Operation) => Readonly<Partial<Record<Place, RequestHandler>>>;
  record: RecordExchange;
  /** How the twin behaves where the interface is silent, if that is pinned. */
  pins?: Pins | undefined;
};

/** An operation, and what a document says of all its answers. */
export type Called = {
  operation: Operation;
  deprecation: Deprecation | undefined;
  documented: DocumentedAnswer | undefined;
};

/** Makes a step of the calls of an operation; undefined where it has nothing to do. */
export type CreateStep = (called: Called, options: CallOptions) => RequestHandler | undefined;

/** A place for steps that answer on demand: a status that a client prefers, a fault, a magic value. */
export type Place = 'before input' | 'before behaviour';
