import type { Request } from 'express';
import { isObject, stringifyExact } from '../../common/json.ts';
import { isRange, isYamlMedia } from '../../common/media-type.ts';
import { oncePer } from '../../common/once-per.ts';
import { valueAt } from '../../common/property-path.ts';
import type { Api, Content, Operation, ResponseDescription } from '../../openapi/index.ts';
import { findResource } from '../../openapi/model/api.ts';
import { isJsonContent, toSentType } from '../../openapi/model/content.ts';
import { listRulesOf } from '../../openapi/model/lists.ts';
import { idParameterOf } from '../../openapi/model/resource.ts';
import { type Answer, isolated, type TextAnswer, toErrorAnswer } from '../answers/answer.ts';
import { toTarget } from '../curl/place-key.ts';
import { chooseAccepted } from '../documented/accepted.ts';
import { hasState } from '../documented/answer-source.ts';
import { echo, echoedBy, headersOf, type SentHeaders } from '../documented/response-headers.ts';
import { findResponse, findSuccess, itemsAt } from '../documented/responses.ts';
import {
  eventStream,
  makeSequence,
  makeText,
  type Sequence,
  sequencesOf,
  textsOf,
} from '../documented/sequences.ts';
import { createWriteXml } from '../http/xml/write-xml.ts';
import { fieldsOf } from '../items/stored-item.ts';
import { parseExact, toText } from '../json/exact-json.ts';
import { makerOf } from '../json/make-fitting.ts';
import { findVariants, primaryOf } from './content-variants.ts';
import { hasEntityTags, withEntityTag } from './entity-tags.ts';

/** The answers of an operation, as a document describes them besides their content. */
export type DocumentedAnswer = {
  /** The 406 for a request that accepts nothing that the operation answers with. */
  refusal: (request: Request) => Answer | undefined;
  /** The answer with the media type and the headers that are described for its status. */
  complete: (answer: Answer | TextAnswer, request: Request, prefix: string) => Answer | TextAnswer;
  /** The contents of its success that say something else than its first JSON, or its first content. */
  variants: ReadonlySet<Content>;
  /** Returns the content of its success that a request accepts best; undefined where it accepts none. */
  choose: (request: Request) => Content | undefined;
  /** Whether its successes have the entity tag of their content. */
  isTagged: boolean;
};

/** Creates the checks and additions for an operation's successes; undefined if there are none. */
export function createDocumentedAnswer(
  document: Api,
  operation: Operation,
): DocumentedAnswer | undefined {
  const responses = operation.responses.filter(({ status }) => !/^[45]/.test(status));
  const variants = findVariants(document, operation);
  const success = findSuccess(operation);
  const offered = success ? offeredContents(document, success, variants) : [];
  const isNegotiated = offered.length > 0 && document.hint.accept !== 'ignored';
  const byResponse = new Map(
    responses.map((response) => {
      const contents = response === success ? offered : offeredContents(document, response);
      return [response, toParts(document, { operation, response, contents })] as const;
    }),
  );
  const isPlain = [...byResponse.values()].every(
    ({ contents, headers, echoed, locates }) =>
      !locates &&
      echoed.length === 0 &&
      Object.keys(headers).length === 0 &&
      contents.every((one) => toSentType(one) === 'application/json'),
  );
  const isTagged = hasEntityTags(operation);
  if (!isNegotiated && isPlain && !isTagged) return undefined;
  const locate = createLocate(document, operation);
  const writeXml = createWriteXml(document);
  const toSequence = createToSequence(document, operation);
  const isStored = hasState(operation);
  const make = makerOf(document);
  /** Returns the text of content that is no JSON: its example, or one that is made. */
  const textOf = oncePer((content: Content): string => {
    const example = Object.values(content.examples).find((one) => typeof one === 'string');
    return example ?? makeText(content, make).text;
  });
  const completed: DocumentedAnswer['complete'] = (answer, request, prefix) => {
    if ('error' in answer && answer.error) return answer;
    const response = findResponse(operation, answer.status);
    const parts = response && byResponse.get(response);
    if (!parts) return answer;
    const location = parts.locates ? locate(answer, request) : undefined;
    const own = location === undefined ? {} : { Location: prefix + location };
    const echoed = parts.echoed.length > 0 ? echo(parts.echoed, request) : {};
    const headers = { ...parts.headers, ...echoed, ...own, ...answer.headers };
    const whole = Object.keys(headers).length > 0 ? { ...answer, headers } : answer;
    const { contents, sequences } = parts;
    const [first, ...more] = contents;
    if (!first || (more.length === 0 && toSentType(first) === 'application/json')) return whole;
    const events =
      isObject(request.body) && request.body.stream === true && sequences.get(eventStream);
    const accepted = events
      ? { content: events.content, mediaType: eventStream }
      : (chooseAccepted(request, contents) ?? { content: first, mediaType: toSentType(first) });
    const { content, mediaType } = accepted;
    if (isStored && variants.has(content) && !isJsonContent(content)) {
      const { status } = whole;
      return isolated({ status, headers, text: textOf(content), mediaType });
    }
    if ('text' in whole) {
      const isOther = content !== first && whole.mediaType === toSentType(first);
      return isOther || isRange(content.mediaType) ? isolated({ ...whole, mediaType }) : whole;
    }
    const { json, overrides, ...others } = whole;
    const sequence = sequences.get(content.mediaType);
    if (json === '' || mediaType === 'application/json') return whole;
    if (!content.isXml && !sequence)
      return { ...whole, overrides: { 'Content-Type': mediaType, ...overrides } };
    const value = parseExact(toText(json));
    if (sequence) return isolated({ ...others, ...toSequence(sequence, value) });
    return isolated({ ...others, text: writeXml(content.schema ?? {}, value), mediaType });
  };
  return {
    isTagged,
    variants,
    choose: (request) => (isNegotiated ? chooseAccepted(request, offered)?.content : undefined),
    refusal: (request) => {
      const { accept } = request.headers;
      if (!isNegotiated || accept === undefined || accept === '*/*') return undefined;
      if (chooseAccepted(request, offered)) return undefined;
      const types = [...new Set(offered.map(toSentType))].join(' or ');
      const message = `The response has the media type ${types}, which Accept does not allow.`;
      return toErrorAnswer('not_acceptable', message);
    },
    complete: (answer, request, prefix) => {
      const whole = completed(answer, request, prefix);
      return isTagged ? withEntityTag(whole, request) : whole;
    },
  };
}

/**
 * Returns the contents that a response can be sent as, the one that is sent by default first: its
 * JSON, its XML, texts, sequences, and what the twin makes in other words.
 */
function offeredContents(
  document: Api,
  response: ResponseDescription,
  variants?: ReadonlySet<Content>,
): Content[] {
  const { contents, schema } = response;
  const primary = primaryOf(document, contents);
  const sequences = sequencesOf(response).map(({ content }) => content);
  const isWhole = (one: Content) =>
    one.isXml || (schema !== undefined && (isJsonContent(one) || isYamlMedia(one.mediaType)));
  const isOffered = (one: Content) =>
    isWhole(one) ||
    sequences.includes(one) ||
    (variants !== undefined &&
      (variants.has(one) ||
        one === primary ||
        schema === undefined ||
        one.mediaType.startsWith('text/')));
  const rankOf = (one: Content) => (one === primary ? 0 : isJsonContent(one) ? 1 : 2);
  return contents.filter(isOffered).toSorted((left, right) => rankOf(left) - rankOf(right));
}

type Parts = {
  contents: readonly Content[];
  /** The sequences of items, by their media types. */
  sequences: ReadonlyMap<string, Sequence>;
  headers: SentHeaders;
  /** The names of the headers that come back as sent. */
  echoed: readonly string[];
  locates: boolean;
};

function toParts(
  document: Api,
  {
    operation,
    response,
    contents,
  }: { operation: Operation; response: ResponseDescription; contents: readonly Content[] },
): Parts {
  const isRedirect = /^3/.test(response.status);
  const locates = Object.keys(response.headers).some((name) => name.toLowerCase() === 'location');
  return {
    contents,
    sequences: new Map(sequencesOf(response).map((one) => [one.content.mediaType, one])),
    headers: headersOf(document, operation, response),
    echoed: echoedBy(operation, response),
    locates: locates && !isRedirect,
  };
}

/** Creates a function that returns the path of a created item. */
function createLocate(document: Api, operation: Operation) {
  const resource = findResource(document, operation);
  const { read, replace, update, delete: remove } = resource?.operations ?? {};
  const onItem = [read, replace, update, remove].find(
    (one) => one && document.operations.includes(one),
  );
  const parameter = onItem && idParameterOf(onItem);
  return ({ created }: Answer | TextAnswer, { params }: Request): string | undefined => {
    if (!created || !resource || !onItem || parameter === undefined) return undefined;
    const id = String(valueAt(fieldsOf(created), resource.idProperty));
    const path = { ...(params as Record<string, string>), [parameter]: id };
    return document.basePath + toTarget(onItem.path, { path, query: [] });
  };
}

/** Returns the mark that ends an event stream, as the description or the examples show it. */
function endOfEvents({ schemas }: Api, operation: Operation): string {
  const { stream } = schemas.flatten(operation.body?.schema).properties;
  const asked = JSON.stringify(schemas.resolve(stream ?? {}));
  const isSaid = schemas.mentions(operation, '[DONE]') || asked.includes('[DONE]');
  return isSaid ? 'data: [DONE]\n\n' : '';
}

/** Writes what an operation answers as JSON as a sequence instead. */
type ToSequence = (sequence: Sequence, value: unknown) => Pick<TextAnswer, 'text' | 'mediaType'>;

/** Creates a writer of sequences: of the items of a list, else of items that are made. */
function createToSequence(document: Api, operation: Operation): ToSequence {
  const textOf = oncePer((sequence: Sequence) => {
    const { content } = sequence;
    const example = Object.values(content.examples).find((one) => typeof one === 'string');
    if (example !== undefined) return example;
    const text = sequence.write(textsOf(makeSequence(sequence, makerOf(document))));
    return content.mediaType === eventStream ? text + endOfEvents(document, operation) : text;
  });
  return (sequence, value) => {
    const items = itemsAt(value, listRulesOf(operation).form.pointer);
    const text = items ? sequence.write(items.map((item) => stringifyExact(item))) : undefined;
    return { text: text ?? textOf(sequence), mediaType: sequence.content.fullType };
  };
}
