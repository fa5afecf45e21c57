import type { ServerResponse } from 'node:http';
import type { Response } from 'express';
import type { Operation } from '../../contracts/description/document.ts';
import type { ResponseDelay } from '../journal/reason.ts';
import type { Window } from '../limits/decide.ts';
import type { ApiKey } from '../limits/plans.ts';
import type { Sandbox } from '../sandboxes/sandbox.ts';

/** What the steps of one request leave for the next ones. */
export type Locals = {
  /**
   * The sandbox of the request once it is let in; until then the default one stands for one that is
   * yet to be made.
   */
  sandbox: Sandbox;
  /** The name that the request gives. */
  sandboxName: string | undefined;
  /** What the address had before a path of the document: `/sandboxes/NAME`, or nothing. */
  prefix: string;
  /** When the request came: in Unix milliseconds, and in milliseconds that only grow. */
  at: number;
  start: number;
  /** The operation that its path and method name. */
  operation: Operation | undefined;
  key: ApiKey | undefined;
  /** What the answer shows of the limits. */
  window: Window | undefined;
  query: Readonly<Record<string, string>> | undefined;
  /** The preferences of the request that the answer honours (RFC 7240 §3). */
  applied: string | undefined;
  /** The delay of the answer, in place of the sandbox's latency. */
  delay: ResponseDelay | undefined;
  /** The bytes of the body, once they are read, without their content coding. */
  received: Buffer | undefined;
  /** What they say, if they are UTF-8. */
  receivedText: string | undefined;
  /** Whether the journal has it. */
  isRecorded: boolean;
};

/**
 * What the first step of a request leaves. It has every field from the beginning, and takes the
 * place of Express's own object, which is a dictionary and by far slower.
 */
export function initLocals(response: ServerResponse, sandbox: Sandbox): void {
  const locals: Locals = {
    sandbox,
    sandboxName: undefined,
    prefix: '',
    at: Date.now(),
    start: performance.now(),
    operation: undefined,
    key: undefined,
    window: undefined,
    query: undefined,
    applied: undefined,
    delay: undefined,
    received: undefined,
    receivedText: undefined,
    isRecorded: false,
  };
  (response as Response).locals = locals;
}

/** What the steps of a request have left so far. */
export function localsOf({ locals }: Response): Locals {
  return locals as Locals;
}

/** Takes a request that is let in to its sandbox, which is made if there is none. */
export type EnterSandbox = (response: Response, locals: Locals) => Sandbox;
