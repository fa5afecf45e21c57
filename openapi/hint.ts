import { defined } from '../common/defined.ts';
import { isObject } from '../common/json.ts';
import { textOf } from '../common/text-of.ts';
import { type Kind, kinds } from './model/kinds.ts';
import { parseRules, type Rules, ruleNames, ruleProblemOf } from './rules.ts';
import type { RawDocument } from './schema.ts';

/** The `x-twin` of an operation, which replaces what is inferred from the document. */
export type Hint = {
  /** The kind of the operation; `none` if it keeps no state. */
  kind?: Kind | 'none';
  /** The path of the collection, where that is not the operation's own. */
  collection?: string;
  /** The property that identifies an item. */
  id?: string;
  /** The path parameter that names an item, where that is not the last one. */
  parameter?: string;
};

/** The `x-twin` of a whole document, with other defaults of a twin. */
export type DocumentHint = {
  /** How many items a collection begins with. */
  items?: number;
  /** The name of the protected space in challenges (RFC 9110 §11.5). */
  realm?: string;
  /** Whether Accept makes no difference to an answer (RFC 9110 §12.5.1 allows that). */
  accept?: 'ignored';
  /** `strict` where a twin is to refuse all that the document does not describe, whatever its settings. */
  requests?: 'strict';
  /** The header that signs webhooks, in the place of those of Standard Webhooks. */
  webhooks?: SignatureHint;
  /** The rules of all operations; those of one go before them. */
  rules?: Pick<Rules, 'errors' | 'counts' | 'keys' | 'members' | 'aliases'>;
  /** A time in the form of those that it makes, such as `2026-01-01T00:00:00Z`. */
  times?: string;
};

/** An HMAC in a header: of which text, and how the header holds it, with names in braces. */
export type SignatureHint = {
  header: string;
  algorithm?: 'sha1' | 'sha256' | 'sha512';
  encoding?: 'hex' | 'base64';
  /** `{id}`, `{timestamp}` and `{body}`; the body alone unless given. */
  signs?: string;
  /** `{id}`, `{timestamp}` and `{signature}`; the signature alone unless given. */
  value?: string;
};

/** The hint of a whole document; what is no such hint is left out. */
export function toDocumentHint({ 'x-twin': hint = {} }: RawDocument): DocumentHint {
  const own = isObject(hint) ? hint : {};
  const { items, realm, accept, requests, webhooks, times } = own;
  return defined({
    items: Number.isSafeInteger(items) && items >= 0 ? Number(items) : undefined,
    realm: typeof realm === 'string' ? realm : undefined,
    accept: accept === 'ignored' ? accept : undefined,
    requests: requests === 'strict' ? requests : undefined,
    webhooks: isSignatureHint(webhooks) ? webhooks : undefined,
    rules: documentHintProblemOf(own) ? undefined : parseRules(own, { isOfAll: true }),
    times: typeof times === 'string' && !Number.isNaN(Date.parse(times)) ? times : undefined,
  });
}

/** Returns what is wrong with the rules of a document, as the end of a sentence; undefined if nothing is. */
export function documentHintProblemOf(hint: unknown): string | undefined {
  return ruleProblemOf(isObject(hint) ? hint : {}, { isOfAll: true });
}

/**
 * Matches header names that cannot have a signature: those that frame and route messages (RFC
 * 9110), those that only browsers set (Fetch), and those that mocks use.
 */
const usedHeader =
  /^(proxy-.*|sec-.*|access-control-.*|x-twin-.*|x-sandbox|webhook-(id|timestamp)|user-agent|content-(length|type|encoding|language|location|range)|connection|cookie2?|date|dnt|expect|host|keep-alive|origin|referer|set-cookie|te|trailer|transfer-encoding|upgrade|via)$/i;

/** The name of a header (RFC 9110 §5.1). */
const token = /^[\w!#$%&'*+.^`|~-]+$/;

function isSignatureHint(value: unknown): value is SignatureHint {
  if (!isObject(value)) return false;
  const { header, algorithm = 'sha256', encoding = 'hex', signs = '', value: held = '' } = value;
  return (
    token.test(textOf(header)) &&
    !usedHeader.test(header) &&
    ['sha1', 'sha256', 'sha512'].includes(algorithm) &&
    ['hex', 'base64'].includes(encoding) &&
    [header, signs, held].every((one) => typeof one === 'string')
  );
}

const kindMembers = ['kind', 'collection', 'id', 'parameter'];
const members = [...kindMembers, ...ruleNames];

/** Returns the problem of an `x-twin`, as the end of a sentence; undefined if there is none. */
export function hintProblemOf(value: unknown): string | undefined {
  const isHint =
    isObject(value) &&
    Object.entries(value).every(
      ([name, one]) =>
        members.includes(name) && (typeof one === 'string' || ruleNames.includes(name)),
    );
  if (!isHint)
    return `must be an object with ${kindMembers.join(', ')} as texts, and ${ruleNames.join(', ')}`;
  const problem = ruleProblemOf(value);
  if (problem !== undefined) return problem;
  const { kind, collection } = value;
  if (kind !== undefined && ![...kinds, 'none'].includes(kind))
    return `has the kind "${kind}", but may have ${kinds.join(', ')} or none`;
  if (collection === undefined) return undefined;
  if (kind === undefined) return 'names a collection, and so needs a kind';
  return collection.startsWith('/') ? undefined : 'has a collection that is no path such as /pets';
}

/** The hint of an operation that has a right `x-twin`, and its rules. */
export function toHint(value: unknown): { hint?: Hint; rules?: Rules } {
  if (!isObject(value) || hintProblemOf(value) !== undefined) return {};
  const own = Object.entries(value).filter(([name]) => kindMembers.includes(name));
  return defined({
    hint: own.length > 0 ? (Object.fromEntries(own) as Hint) : undefined,
    rules: parseRules(value),
  });
}
