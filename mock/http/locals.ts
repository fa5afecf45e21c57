import type { ServerResponse } from 'node:http';
import type { TLSSocket } from 'node:tls';
import type { Request, Response } from 'express';
import type { Operation } from '../../openapi/index.ts';
import type { ParameterValues } from '../behaviours/behaviour.ts';
import { Exchange, maxBody, toRetainedBody } from '../journal/exchange.ts';
import type { Journals } from '../journal/journals.ts';
import type { Reason, ResponseDelay } from '../journal/reason.ts';
import type { ByteText } from '../json/exact-json.ts';
import type { Window } from '../limits/decide.ts';
import type { ApiKey } from '../limits/plans.ts';
import type { Sandbox } from '../sandboxes/sandbox.ts';

/** The data that the steps of one request pass on to the next ones. */
export type Locals = {
  readonly request: Request;
  readonly response: Response;
  /**
   * The sandbox of the request. Until the request is admitted, the default sandbox stands for one
   * that does not exist yet.
   */
  sandbox: Sandbox;
  /** The name in the request. */
  sandboxName: string | undefined;
  /** The part of the URL before a path of the document: `/API/sandboxes/NAME`, or nothing. */
  prefix: string;
  /** When the request arrived: in Unix milliseconds, and in milliseconds of a monotonic clock. */
  at: number;
  start: number;
  /** The operation that its path and method name. */
  operation: Operation | undefined;
  key: ApiKey | undefined;
  /** The window that the answer shows. */
  window: Window | undefined;
  query: Readonly<Record<string, string>> | undefined;
  /** All parameters, numbers as text. */
  parameters: ParameterValues | undefined;
  /** The preferences of the request that the answer honours (RFC 7240 §3). */
  applied: string | undefined;
  /** The names of preferences that are not known, as its X-Ignored-Preferences lists them. */
  ignored: string | undefined;
  /** The delay of the answer, in place of the sandbox's latency. */
  delay: ResponseDelay | undefined;
  /** Lists the deviations that were tolerated, as sentences. */
  tolerated: string[] | undefined;
  /** The bytes of the body, once they are read, without their content coding. */
  received: Buffer | undefined;
  /** The length of the body, if only its beginning was retained. */
  wholeBody: number | undefined;
  /** Their text, if they are UTF-8. */
  receivedText: string | undefined;
  /** Whether the request may have preferences, in its Prefer header (RFC 7240 §2) or its query. */
  mayPrefer: boolean;
  /** Whether nothing that the call changes is to stay. */
  isStateless: boolean;
  /** Whether the journal has the request already. */
  isRecorded: boolean;
};

/**
 * The data from the first step of a request. It has every field from the beginning, and replaces
 * the object of Express, which is a dictionary and much slower.
 */
export function initLocals(response: ServerResponse, sandbox: Sandbox, mount: string): void {
  const locals: Locals = {
    request: response.req as Request,
    response: response as Response,
    sandbox,
    sandboxName: undefined,
    prefix: mount,
    at: Date.now(),
    start: performance.now(),
    operation: undefined,
    key: undefined,
    window: undefined,
    query: undefined,
    parameters: undefined,
    applied: undefined,
    ignored: undefined,
    mayPrefer: false,
    isStateless: false,
    delay: undefined,
    tolerated: undefined,
    received: undefined,
    wholeBody: undefined,
    receivedText: undefined,
    isRecorded: false,
  };
  (response as Response).locals = locals;
}

/** The data of a request so far. */
export function localsOf({ locals }: Response): Locals {
  return locals as Locals;
}

/** Notes what is tolerated in a request, as a sentence that its reason shows. */
export function tolerate(response: Response, sentence: string): void {
  const locals = localsOf(response);
  locals.tolerated ??= [];
  locals.tolerated.push(sentence);
}

/** Enters the sandbox of an admitted request, creating it if there is none. */
export type EnterSandbox = (response: Response, locals: Locals) => Sandbox;

/**
 * Holds a response as sent. `fields` lists names and values of headers in turn; `wholeContent` is
 * the length of a content that was cut.
 */
export type SentResponse = {
  status: number;
  fields: readonly string[];
  content: ByteText;
  wholeContent?: number;
};

/**
 * Records a request in the journal of its sandbox, with the reason for its outcome, and what was
 * sent, if anything. A request is recorded once.
 */
export type RecordExchange = (response: Response, reason: Reason, sent?: SentResponse) => void;

/** Records the answer to something that never became a request. */
export type RecordBareAnswer = (sandbox: Sandbox, sent: SentResponse) => void;

type Recorder = Pick<Journals, 'isOff' | 'nextId' | 'api'>;

/** Creates a recorder of answers that were sent on a bare connection. */
export function createRecordBareAnswer(journals: Recorder): RecordBareAnswer {
  return (sandbox, { status, fields, content }) => {
    if (journals.isOff) return;
    const at = Date.now();
    const exchange = new Exchange(journals.nextId(), sandbox.name, at, sandbox.clock.now() - at);
    exchange.api = journals.api;
    exchange.status = status;
    exchange.fields = fields;
    exchange.content = content;
    sandbox.journal.record(exchange);
  };
}

/**
 * Creates a recorder of exchanges, which does nothing if none is retained or reported. Every
 * request runs it, so the record refers to existing objects instead of copies.
 */
export function createRecordExchange(journals: Recorder): RecordExchange {
  return (response, reason, sent) => {
    if (journals.isOff) return;
    const locals = localsOf(response);
    if (locals.isRecorded) return;
    locals.isRecorded = true;
    const request = response.req as Request;
    const { sandbox, at, received } = locals;
    const exchange = new Exchange(journals.nextId(), sandbox.name, at, sandbox.clock.now() - at);
    exchange.microseconds = Math.round((performance.now() - locals.start) * 1000);
    exchange.api = journals.api;
    exchange.method = request.method;
    exchange.target = request.originalUrl;
    exchange.httpVersion = request.httpVersion;
    exchange.prefix = locals.prefix;
    exchange.secure = (request.socket as Partial<TLSSocket>).encrypted === true;
    exchange.rawHeaders = request.rawHeaders;
    if (received) {
      exchange.body = toRetainedBody(received, locals.receivedText);
      const whole = locals.wholeBody ?? received.length;
      if (whole > maxBody) exchange.wholeBody = whole;
    }
    exchange.operation = locals.operation?.id;
    exchange.key = locals.key?.name;
    exchange.reason = locals.tolerated ? { ...reason, tolerated: locals.tolerated } : reason;
    if (sent) {
      exchange.status = sent.status;
      exchange.fields = sent.fields;
      if (request.method !== 'HEAD') exchange.content = sent.content;
      if ((sent.wholeContent ?? 0) > maxBody) exchange.wholeContent = sent.wholeContent;
    }
    sandbox.journal.record(exchange);
  };
}
