import { performance } from 'node:perf_hooks';
import type { TLSSocket } from 'node:tls';
import type { Request, Response } from 'express';
import { Exchange, longestBody, toKeptBody } from '../journal/exchange.ts';
import type { Journals } from '../journal/journals.ts';
import type { Reason } from '../journal/reason.ts';
import type { Sandbox } from '../sandboxes/sandbox.ts';
import { localsOf } from './locals.ts';
import type { Sent } from './send-answer.ts';

/**
 * Puts a request into the journal of its sandbox with the reason for what it came to, and what was
 * sent, if anything. A request is noted once.
 */
export type NoteExchange = (response: Response, reason: Reason, sent?: Sent) => void;

/** Notes the answer to what never became a request in the journal of a sandbox. */
export type NoteBareAnswer = (sandbox: Sandbox, sent: Sent) => void;

type Noted = Pick<Journals, 'isOff' | 'nextId'>;

/** Makes what notes answers that were sent on a bare connection. */
export function createNoteBareAnswer(journals: Noted): NoteBareAnswer {
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
 * Makes what notes exchanges; it does nothing where nobody keeps or reads them. It is done for
 * every request, so it refers to what is there as far as that goes.
 */
export function createNoteExchange(journals: Noted): NoteExchange {
  return (response, reason, sent) => {
    if (journals.isOff) return;
    const locals = localsOf(response);
    if (locals.isNoted) return;
    locals.isNoted = true;
    const request = response.req as Request;
    const { sandbox, at, received } = locals;
    const exchange = new Exchange(journals.nextId(), sandbox.name, at, sandbox.clock.now() - at);
    exchange.microseconds = Math.round((performance.now() - locals.start) * 1000);
    exchange.method = request.method;
    exchange.target = request.originalUrl;
    // One text for all is kept more cheaply than one for each.
    exchange.httpVersion = request.httpVersion === '1.1' ? '1.1' : request.httpVersion;
    exchange.prefix = locals.prefix;
    exchange.secure = (request.socket as Partial<TLSSocket>).encrypted === true;
    exchange.rawHeaders = request.rawHeaders;
    if (received) {
      exchange.body = toKeptBody(received, locals.receivedText);
      if (received.length > longestBody) exchange.wholeBody = received.length;
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
