import { membersOf } from '../../common/json.ts';
import { isJsonMedia, toEssence } from '../../common/media-type.ts';
import { lettersOf } from '../../common/words.ts';
import type { Api, ServiceCall } from '../../openapi/index.ts';
import { chooseContent } from '../../openapi/model/content.ts';
import { readTextBody } from '../document/text-values.ts';
import { readBody } from './body.ts';
import { type Answer, type RawHeader, valuesOf } from './exchange.ts';
import type { SchemaProblem } from './schema/problems.ts';
import { compileSent, type FindProblems } from './schema/validator.ts';

/** A request that a deployment made itself, as it came. Times are in Unix milliseconds. */
export type ReceivedRequest = {
  method: string;
  url: string;
  headers: readonly RawHeader[];
  body: Uint8Array;
  at: number;
  /** The status of the response. */
  status: number;
};

/** A webhook or callback that arrived, and what of its body is not as the document describes it. */
export type Arrival = {
  /** Its operation is that of the receiver, and its request what the deployment sent. */
  exchange: Answer;
  /** The place of its description in the document, as a JSON pointer. */
  pointer: string;
  received: ReceivedRequest;
  problems: readonly SchemaProblem[];
};

/** The webhooks and callbacks that a deployment sent while a run listened. */
export type Webhooks = {
  arrivals: readonly Arrival[];
  /** Other requests, which the document does not describe: method, path and reason. */
  unjudged: readonly string[];
  /** The callbacks that were asked for and did not come in time, each once. */
  missing: readonly string[];
  /** The secret that signs them (Standard Webhooks), where it is known. */
  secret?: string | undefined;
};

/** A webhook or callback that a document describes, with what finds mistakes in its bodies. */
export type DescribedWebhook = ServiceCall & {
  find: FindProblems | undefined;
  /** Finds them in a text or a form; undefined where the document does not say how to read it. */
  findInText(type: string, text: string): SchemaProblem[] | undefined;
};

/** All webhooks and callbacks of a document, named as reports do. */
export function describeWebhooks(document: Api): DescribedWebhook[] {
  return document.schemas.serviceCallsOf(document.operations).map((call) => {
    const { name, sends, callback } = call;
    const id = callback ? `${callback.of.id} ${name}` : `webhook ${name}`;
    const find = sends.body && compileSent(document, sends.body.schema);
    const findInText: DescribedWebhook['findInText'] = (type, text) => {
      const content = chooseContent(sends.otherBody?.contents ?? [], type);
      const read = content && readTextBody(document, content, { type, text });
      return read?.values.flatMap(compileSent(document, read.schema));
    };
    return { ...call, sends: { ...sends, id }, find, findInText };
  });
}

/**
 * Finds the description of a received request. The method has only one, a header or a member of the
 * body names it, or the body fits it. Returns a reason if none is found.
 */
export function recognize(
  received: ReceivedRequest,
  described: readonly DescribedWebhook[],
  number: number,
): Arrival | string {
  const { method, url, headers } = received;
  const named = `${method} ${url}`;
  const candidates = described.filter(({ sends }) => sends.method === method);
  if (valuesOf(headers, 'Content-Encoding').length > 0) return `${named}: its body is encoded`;
  const body = readBody(received.body);
  if (body.unjudged !== undefined) return `${named}: ${body.unjudged}`;
  const texts = [
    ...headers.map(([, value]) => value),
    ...Object.values(membersOf(body.json) ?? {}),
  ];
  const words = new Set(texts.filter((one) => typeof one === 'string').map(lettersOf));
  const [type = ''] = valuesOf(headers, 'Content-Type');
  const textProblemsOf = ({ findInText, sends }: DescribedWebhook) =>
    sends.otherBody && !isJsonMedia(toEssence(type)) ? findInText(type, body.text) : undefined;
  const problemsOf = (one: DescribedWebhook) => {
    const { find, sends } = one;
    const isSent = body.size > 0 || sends.body?.required;
    return textProblemsOf(one) ?? (find && isSent ? find(body.json) : []);
  };
  const [
    found = candidates.length === 1
      ? candidates[0]
      : candidates.find((one) => problemsOf(one).length === 0),
  ] = candidates.filter(({ name }) => words.has(lettersOf(name)));
  if (!found) return `${named}: the document describes no such webhook`;
  const isOther = found.sends.otherBody && !isJsonMedia(toEssence(type));
  if (isOther && !textProblemsOf(found)) return `${named}: its body is no JSON`;
  return {
    pointer: found.pointer,
    received,
    problems: problemsOf(found),
    exchange: {
      number,
      case: {
        id: `${found.sends.id}/arrived`,
        operation: found.sends,
        method,
        path: url,
        credential: 'none',
        purpose: { kind: 'observed' },
        priority: 1,
        writes: false,
      },
      request: {
        method,
        path: url,
        headers: Object.fromEntries(headers),
        body: body.text,
        value: body.json,
      },
      sentAt: received.at,
      endedAt: received.at,
      response: { status: received.status, headers: [], ...readBody(new Uint8Array()) },
    },
  };
}
