import { parseJson } from '../../common/json.ts';
import type { Case } from '../cases/case.ts';
import type { Body } from './body.ts';

/**
 * A deployment: the twin or a real one. `url` is its base URL and ends in the document's base path.
 */
export type Target = { name: string; url: string };

/** How reports call the mock. */
export const twinName = 'twin';

/**
 * A request that was sent. The credential is recorded as its form and the key's name, never as the
 * key itself.
 */
export type SentRequest = {
  method: string;
  /** Path and query below the target's base URL, with each id as one segment. */
  path: string;
  /** The same as it was sent, where ids may keep their slashes. */
  sentAs?: string;
  headers: Readonly<Record<string, string>>;
  body?: string | Uint8Array;
  /** The value of the body, if it was sent as a form. */
  value?: unknown;
  /** A text that only the item of this request would hold. */
  marker?: string;
  /** Name of the key that was used, in whatever form. */
  keyName?: string;
  /** The digest of the cookies of a call by somebody else, if it has any. */
  session?: string;
  /** Texts that no report may show, besides the keys. */
  secrets?: readonly string[];
};

export type ReceivedResponse = Body & {
  status: number;
  /** Names as sent, in order. */
  headers: readonly RawHeader[];
};

/** Why there is no response. */
export type Failure = {
  kind:
    | 'unreachable'
    /** The target ended the connection before it answered, or within its answer. */
    | 'dropped'
    | 'cut-off'
    /** The connection ended before a whole answer, and the recording does not say who ended it. */
    | 'lost'
    | 'timeout'
    | 'not-http'
    | 'too-large'
    | 'undecodable'
    /** The client gave up, so nothing is known of what the target would have answered. */
    | 'aborted';
  message: string;
};

/** The item that a create made, as far as the run could tell. */
export type MadeItem = {
  /** The id of the item, where one was found. */
  id?: string;
  /** The item as it was shown at last. */
  item?: Readonly<Record<string, unknown>>;
  /**
   * `own`: it shows what only this run sends. `others`: it was there before, or may have been.
   * `shared`: several creates were answered with its id. `unproven`: nothing shows any of this.
   */
  whose: 'own' | 'others' | 'shared' | 'unproven';
  /** The id that an answer showed of it in place of its own. */
  shownId?: string;
  /** Whether the answer shows what was sent, though no read of the item has shown it yet. */
  isEchoed?: true;
  /** Whether its body had nothing that only this run sends. */
  isUnmarked?: true;
  /** Why it is not proven to be the run's own, in words that follow "as". */
  reason?: string;
};

/** One request and what came of it. Times are in Unix milliseconds. */
export type Exchange = {
  /** Number in order of sending, within a target. */
  number: number;
  case: Case;
  request: SentRequest;
  sentAt: number;
  endedAt: number;
  /** The created item, for a create of the run that succeeded. */
  made?: MadeItem;
  /** The creates that it came to, where only `--call` allowed it. */
  creates?: readonly Exchange[];
} & ({ response: ReceivedResponse; failure?: never } | { response?: never; failure: Failure });

export type Answer = Extract<Exchange, { response: ReceivedResponse }>;

/** Returns the value of a request body; undefined if unknown. */
export function sentValue({ request: { body, value } }: Pick<Exchange, 'request'>): unknown {
  return value ?? parseJson(String(body ?? ''));
}

/** A header as it was sent: name and value, in order, duplicates included. */
export type RawHeader = readonly [name: string, value: string];

/** The values of a header, by its name in any case. */
export function valuesOf(headers: readonly RawHeader[], name: string): string[] {
  const lower = name.toLowerCase();
  return headers.flatMap(([sent, value]) => (sent.toLowerCase() === lower ? [value] : []));
}

/** The values of a header of a response, by its name in any case. */
export function headerValues({ response }: Exchange, name: string): string[] {
  return valuesOf(response?.headers ?? [], name);
}

/**
 * The value of a header that was sent once or more; several are joined by a comma (RFC 9110 §5.3).
 */
export function headerValue(exchange: Exchange, name: string): string | undefined {
  const values = headerValues(exchange, name);
  return values.length === 0 ? undefined : values.join(', ');
}

/** The id of the operation that was called, for whatever; empty where it was none. */
export function calledId({ case: { operation, negotiated } }: Exchange): string {
  return (operation ?? negotiated)?.id ?? '';
}

export function isAnswered(exchange: Exchange): exchange is Answer {
  return exchange.response !== undefined;
}
