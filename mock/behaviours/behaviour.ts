import type { Api, Operation, Resource } from '../../openapi/index.ts';
import type { Answer, TextAnswer } from '../answers/answer.ts';
import type { Clock } from '../clock.ts';
import type { Sandbox } from '../sandboxes/sandbox.ts';
import type { ItemStore } from '../state/store.ts';

/** The values of parameters by their places and names, of the types of their schemas. */
export type ParameterValues = Record<
  'query' | 'path' | 'header' | 'cookie' | 'querystring',
  Record<string, unknown>
>;

/** Holds the protocol and headers of a request, for links in answers and rules of its headers. */
export type RequestSource = {
  readonly protocol: string;
  readonly headers: {
    readonly host?: string | undefined;
    readonly 'content-type'?: string | undefined;
    readonly 'idempotency-key'?: string | string[] | undefined;
    readonly authorization?: string | undefined;
    readonly [name: string]: string | string[] | undefined;
  };
};

/** A call that passed authentication, limits and validation. */
export type Call = {
  /** Holds the items of the sandbox, or of the scopes in the path alone. */
  store: ItemStore;
  /** Shows the time of the sandbox. */
  clock: Clock;
  method: string;
  /** Path and query as sent. */
  url: string;
  /** Path parameters, percent-decoded. */
  params: Readonly<Record<string, string>>;
  /** The query parameters that the operation describes, each within its rules, as text. */
  query: Readonly<Record<string, string>>;
  /** All parameters, numbers as text. */
  parameters?: ParameterValues | undefined;
  source: RequestSource;
  /** The bytes of the body, if one came. */
  received?: Buffer | undefined;
  /** The API key that it was authenticated with, in whatever way that was sent. */
  caller?: string | undefined;
  /** The id that the caller prefers for a new item. */
  newId?: string;
  /** The parsed body; large integers are bigints. */
  body: unknown;
  /** The other origin of the page that a browser sent it for. */
  origin?: string | undefined;
  /** Whether its request may have preferences. */
  mayPrefer?: boolean;
  /** Asks for the answer alone: nothing is stored or sent after the call. */
  isLook?: true;
  /** The sandbox that is called; undefined where a behaviour is used without one. */
  sandbox?: Sandbox;
};

/** Answers a call of an operation, and changes the items that the call is about. */
export type Behaviour = (call: Call) => Promise<Answer | TextAnswer>;

/** An operation on the items of a collection. */
export type ItemOperation = { document: Api; resource: Resource; operation: Operation };

/** Wraps a behaviour; returns it unchanged if there is nothing to add. */
export type Around<Options = ItemOperation> = (behaviour: Behaviour, options: Options) => Behaviour;
