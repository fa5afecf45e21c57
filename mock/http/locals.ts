import type { Response } from 'express';
import type { Reason } from '../journal/reason.ts';
import type { Window } from '../limits/decide.ts';
import type { ApiKey } from '../limits/plans.ts';
import type { Sandbox } from '../sandboxes/sandbox.ts';
import type { KeptBack } from './keep-back.ts';

/** What the steps of one request leave for the next ones. */
export type Locals = {
  sandbox: Sandbox;
  /** What the address had before a path of the document: `/sandboxes/NAME`, or nothing. */
  prefix: string;
  key?: ApiKey;
  /** What the answer shows of the limits. */
  window?: Window;
  query?: Readonly<Record<string, string>>;
  /** The preferences of the request that the answer honours (RFC 7240 §3). */
  applied?: string;
  /** What keeps the answer back in place of the sandbox's latency. */
  keptBack?: KeptBack;
  reason?: Reason;
};

/** What the steps of a request have left so far. */
export function localsOf({ locals }: Response): Locals {
  return locals as Locals;
}
