import { performance } from 'node:perf_hooks';
import type { TLSSocket } from 'node:tls';
import type { Request, Response } from 'express';
import { longestBody, toByteText } from '../journal/exchange.ts';
import type { Journals } from '../journal/journals.ts';
import type { Reason } from '../journal/reason.ts';
import type { Sandbox } from '../sandboxes/sandbox.ts';
import type { Sent } from './answer.ts';
import { localsOf } from './locals.ts';

/**
 * Puts a request into the journal of its sandbox with the reason for what it came to, and what was sent, if anything. A
 * request is noted once.
 */
export type NoteExchange = (response: Response, reason: Reason, sent?: Sent) => void;

/** Notes the answer to what never became a request in the journal of a sandbox. */
export type NoteBareAnswer = (sandbox: Sandbox, sent: Sent) => void;

type Noted = Pick<Journals, 'isOff' | 'nextId'>;

const fromConnection: Reason = { step: 'connection' };

/** Makes what notes answers that were sent on a bare connection. */
export function createNoteBareAnswer(journals: Noted): NoteBareAnswer {
  return ({ name, clock, journal }, { status, fields, text }) => {
    if (journals.isOff) return;
    const at = Date.now();
    journal.record({
      id: journals.nextId(),
      sandbox: name,
      at,
      clockOffset: clock.now() - at,
      microseconds: undefined,
      method: undefined,
      target: undefined,
      httpVersion: undefined,
      prefix: '',
      secure: false,
      rawHeaders: [],
      body: undefined,
      wholeBody: undefined,
      operation: undefined,
      key: undefined,
      reason: fromConnection,
      status,
      fields,
      text,
      wholeText: undefined,
      size: 0,
    });
  };
}

/**
 * Makes what notes exchanges; it does nothing where nobody keeps or reads them. It is done for every request, so it refers to
 * what is there as far as that goes.
 */
export function createNoteExchange(journals: Noted): NoteExchange {
  return (response, reason, sent) => {
    if (journals.isOff) return;
    const locals = localsOf(response);
    if (locals.isNoted) return;
    locals.isNoted = true;
    const request = response.req as Request;
    const { sandbox, key, operation, received, receivedText } = locals;
    sandbox.journal.record({
      id: journals.nextId(),
      sandbox: sandbox.name,
      at: locals.at,
      clockOffset: sandbox.clock.now() - locals.at,
      microseconds: Math.round((performance.now() - locals.start) * 1000),
      method: request.method,
      target: request.originalUrl,
      // One text for all is kept more cheaply than one for each.
      httpVersion: request.httpVersion === '1.1' ? '1.1' : request.httpVersion,
      prefix: locals.prefix,
      secure: (request.socket as Partial<TLSSocket>).encrypted === true,
      rawHeaders: request.rawHeaders,
      body: received && toByteText(received, receivedText),
      wholeBody: received && received.length > longestBody ? received.length : undefined,
      operation: operation?.id,
      key: key?.name,
      reason,
      status: sent?.status,
      fields: sent?.fields ?? [],
      text: sent && request.method !== 'HEAD' ? sent.text : '',
      wholeText: undefined,
      size: 0,
    });
  };
}
