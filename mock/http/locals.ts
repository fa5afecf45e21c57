import type { Response } from 'express';
import type { Operation } from '../../contracts/document.ts';
import type { Window } from '../limits/decide.ts';
import type { ApiKey } from '../limits/plans.ts';
import type { Sandbox } from '../sandboxes/sandbox.ts';
import type { KeptBack } from './keep-back.ts';

/** What the steps of one request leave for the next ones. */
export type Locals = {
  /** The sandbox of the request once it is let in; until then the default one stands for one that is yet to be made. */
  sandbox: Sandbox;
  /** The name that the request gives. */
  sandboxName?: string;
  /** What the address had before a path of the document: `/sandboxes/NAME`, or nothing. */
  prefix: string;
  /** When the request came: in Unix milliseconds, and in milliseconds that only grow. */
  at: number;
  start: number;
  /** The operation that its path and method name. */
  operation?: Operation;
  key?: ApiKey;
  /** What the answer shows of the limits. */
  window?: Window;
  query?: Readonly<Record<string, string>>;
  /** The preferences of the request that the answer honours (RFC 7240 §3). */
  applied?: string;
  /** What keeps the answer back in place of the sandbox's latency. */
  keptBack?: KeptBack;
  /** The bytes of the body, once they are read, without their content coding. */
  received?: Buffer;
  /** Whether the journal has it. */
  isNoted?: boolean;
};

/** What the steps of a request have left so far. */
export function localsOf({ locals }: Response): Locals {
  return locals as Locals;
}

/** Takes a request that is let in to its sandbox, which is made if there is none. */
export type EnterSandbox = (response: Response, locals: Locals) => Sandbox;
