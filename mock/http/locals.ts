import type { ServerResponse } from 'node:http';
import type { Response } from 'express';
import type { Operation } from '../../contracts/description/document.ts';
import type { ParameterValues } from '../behaviours/behaviour.ts';
import type { ResponseDelay } from '../journal/reason.ts';
import type { Window } from '../limits/decide.ts';
import type { ApiKey } from '../limits/plans.ts';
import type { Sandbox } from '../sandboxes/sandbox.ts';

/** The data that the steps of one request pass on to the next ones. */
export type Locals = {
  /**
   * The sandbox of the request once it is admitted; until then, the default one stands in for a
   * sandbox that does not exist yet.
   */
  sandbox: Sandbox;
  /** The name in the request. */
  sandboxName: string | undefined;
  /** The part of the URL before a path of the document: `/sandboxes/NAME`, or nothing. */
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
  /** The bytes of the body, once they are read, without their content coding. */
  received: Buffer | undefined;
  /** Their text, if they are UTF-8. */
  receivedText: string | undefined;
  /** Whether it is recorded in the journal. */
  isRecorded: boolean;
};

/**
 * The data from the first step of a request. It has every field from the beginning, and replaces
 * the object of Express, which is a dictionary and much slower.
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
    parameters: undefined,
    applied: undefined,
    ignored: undefined,
    delay: undefined,
    received: undefined,
    receivedText: undefined,
    isRecorded: false,
  };
  (response as Response).locals = locals;
}

/** The data of a request so far. */
export function localsOf({ locals }: Response): Locals {
  return locals as Locals;
}

/** Enters the sandbox of an admitted request, creating it if there is none. */
export type EnterSandbox = (response: Response, locals: Locals) => Sandbox;
