import type { TLSSocket } from 'node:tls';
import type { Request, Response } from 'express';
import { Exchange, maxBody, toRetainedBody } from '../journal/exchange.ts';
import type { Journals } from '../journal/journals.ts';
import type { Reason } from '../journal/reason.ts';
import type { ByteText } from '../json/exact-json.ts';
import type { Sandbox } from '../sandboxes/sandbox.ts';
import { localsOf } from './locals.ts';

/** What was sent: status, a flat list of names and values of headers, and the content. */
export type Sent = { status: number; fields: readonly string[]; content: ByteText };

/**
 * Records a request in the journal of its sandbox, with the reason for its outcome, and what was
 * sent, if anything. A request is recorded once.
 */
export type RecordExchange = (response: Response, reason: Reason, sent?: Sent) => void;

/** Records the answer to something that never became a request. */
export type RecordBareAnswer = (sandbox: Sandbox, sent: Sent) => void;

type Recorder = Pick<Journals, 'isOff' | 'nextId'>;

/** Makes what records answers that were sent on a bare connection. */
export function createRecordBareAnswer(journals: Recorder): RecordBareAnswer {
  return (sandbox, { status, fields, content }) => {
    if (journals.isOff) return;
    const at = Date.now();
    const exchange = new Exchange(journals.nextId(), sandbox.name, at, sandbox.clock.now() - at);
    exchange.status = status;
    exchange.fields = fields;
    exchange.content = content;
    sandbox.journal().record(exchange);
  };
}

/**
 * Makes what records exchanges; it does nothing where none is retained or reported. It is done for
 * every request, so it refers to what is there as far as that goes.
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
    exchange.method = request.method;
    exchange.target = request.originalUrl;
    exchange.httpVersion = request.httpVersion;
    exchange.prefix = locals.prefix;
    exchange.secure = (request.socket as Partial<TLSSocket>).encrypted === true;
    exchange.rawHeaders = request.rawHeaders;
    if (received) {
      exchange.body = toRetainedBody(received, locals.receivedText);
      if (received.length > maxBody) exchange.wholeBody = received.length;
    }
    exchange.operation = locals.operation?.id;
    exchange.key = locals.key?.name;
    exchange.reason = reason;
    if (sent) {
      exchange.status = sent.status;
      exchange.fields = sent.fields;
      if (request.method !== 'HEAD') exchange.content = sent.content;
    }
    sandbox.journal().record(exchange);
  };
}
