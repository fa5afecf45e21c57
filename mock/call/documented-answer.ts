import type { Request } from 'express';
import { isObject } from '../../common/json.ts';
import { stringifyExact } from '../../common/json-text.ts';
import { isJsonMedia } from '../../common/media-type.ts';
import { valueAt } from '../../common/property-path.ts';
import type {
  Api,
  Content,
  HeaderDescription,
  Operation,
  ResponseDescription,
} from '../../openapi/index.ts';
import { findResource } from '../../openapi/model/api.ts';
import { toSentType } from '../../openapi/model/content.ts';
import { idParameterOf } from '../../openapi/model/resource.ts';
import { writeParameter } from '../../openapi/model/write-parameter.ts';
import { generateNamed } from '../../openapi/values/generate.ts';
import { type Answer, isolated, type TextAnswer, toErrorAnswer } from '../answers/answer.ts';
import { toTarget } from '../curl/to-target.ts';
import { answerSourceOf } from '../documented/answer-source.ts';
import { findResponse, findSuccess, itemsAt } from '../documented/responses.ts';
import {
  eventStream,
  makeSequence,
  type Sequence,
  sequencesOf,
  textsOf,
} from '../documented/sequences.ts';
import { createWriteXml } from '../http/xml/write-xml.ts';
import { parseExact, toText } from '../json/exact-json.ts';
import { makerOf } from '../json/make-fitting.ts';
import { oncePer } from '../json/once-per.ts';
import { findVariants } from './content-variants.ts';
import { hasEntityTags, withEntityTag } from './entity-tags.ts';

/** What a document says of the answers of an operation besides their content. */
export type DocumentedAnswer = {
  /** The 406 for a request that accepts nothing that the operation answers with. */
  refusal: (request: Request) => Answer | undefined;
  /** The answer with the media type and the headers that are described for its status. */
  complete: (answer: Answer | TextAnswer, request: Request, prefix: string) => Answer | TextAnswer;
  /** The contents of its success that are written otherwise than its JSON, by their media types. */
  variants: ReadonlyMap<string, Content>;
  /** The media type of its success that a request accepts best; false where it accepts none. */
  accepted: (request: Request) => string | false;
  /** Whether its successes have the entity tag of their content. */
  isTagged: boolean;
};

/**
 * Makes what checks and completes the successes of an operation; undefined where there is nothing to
 * check or to add.
 */
export function createDocumentedAnswer(
  document: Api,
  operation: Operation,
): DocumentedAnswer | undefined {
  const responses = operation.responses.filter(({ status }) => !/^[45]/.test(status));
  const variants = findVariants(document, operation);
  const offered = document.hint.accept === 'ignored' ? [] : offeredTypes(operation, variants);
  const isNegotiated = offered.length > 0;
  const byResponse = new Map(
    responses.map(
      (response) => [response, toParts(document, { operation, response, variants })] as const,
    ),
  );
  const isPlain = [...byResponse.values()].every(
    ({ types, headers, locates }) =>
      !locates &&
      Object.keys(headers).length === 0 &&
      types.every((type) => type === 'application/json'),
  );
  const isTagged = hasEntityTags(operation);
  if (!isNegotiated && isPlain && !isTagged) return undefined;
  const locate = createLocate(document, operation);
  const writeXml = createWriteXml(document);
  const toSequence = createToSequence(document, operation);
  const completed: DocumentedAnswer['complete'] = (answer, request, prefix) => {
    if ('error' in answer && answer.error) return answer;
    const response = findResponse(operation, answer.status);
    const parts = response && byResponse.get(response);
    if (!parts) return answer;
    const location = parts.locates && 'json' in answer ? locate(answer, request) : undefined;
    const own = location === undefined ? {} : { Location: prefix + location };
    const headers = { ...parts.headers, ...own, ...answer.headers };
    const whole = Object.keys(headers).length > 0 ? { ...answer, headers } : answer;
    if (!('json' in whole) || whole.json === '') return whole;
    const { types } = parts;
    const [first = 'application/json'] = types;
    if (types.length < 2 && first === 'application/json') return whole;
    const accepted = types.length > 1 && findAccepted(request, types);
    const type = asksForEvents(request, parts) ? eventStream : accepted || first;
    const xml = parts.xml.get(type);
    const sequence = parts.sequences.get(type);
    const { json, overrides, ...others } = whole;
    if (!xml && !sequence) return { ...whole, overrides: { 'Content-Type': type, ...overrides } };
    const { value } = parseExact(toText(json));
    if (sequence) return isolated({ ...others, ...toSequence(sequence, value) });
    return isolated({ ...others, text: writeXml(xml?.schema ?? {}, value), mediaType: type });
  };
  return {
    isTagged,
    variants,
    accepted: (request) => findAccepted(request, offered),
    refusal: (request) => {
      const { accept } = request.headers;
      if (!isNegotiated || accept === undefined || accept === '*/*') return undefined;
      if (findAccepted(request, offered) !== false) return undefined;
      const message = `The response has the media type ${offered.join(' or ')}, which Accept does not allow.`;
      return toErrorAnswer('not_acceptable', message);
    },
    complete: (answer, request, prefix) => {
      const whole = completed(answer, request, prefix);
      return isTagged ? withEntityTag(whole, request) : whole;
    },
  };
}

/** Whether a body asks for the answer as events, whatever its sender accepts. */
function asksForEvents({ body }: Request, { sequences }: Parts): boolean {
  return sequences.has(eventStream) && isObject(body) && body.stream === true;
}

/** The media types that the success of an operation can be answered with. */
function offeredTypes(operation: Operation, variants: DocumentedAnswer['variants']): string[] {
  const success = findSuccess(operation);
  if (!success) return [];
  const sequences = sequencesOf(success).map(({ content }) => content);
  const others = success.contents.filter(
    (content) =>
      content.isXml ||
      content.mediaType.startsWith('text/') ||
      success.schema === undefined ||
      sequences.includes(content),
  );
  const types = [...jsonTypesOf(success), ...others.map(toSentType)];
  return [...new Set([...types, ...variants.keys()])];
}

/** The media types of the JSON of a response, the one that is sent by default first. */
function jsonTypesOf({ contents, schema }: ResponseDescription): string[] {
  if (schema === undefined) return [];
  const types = contents.map(toSentType);
  const json = types.filter((type) => isJsonMedia(type.split(';')[0]?.trim() ?? ''));
  return [...new Set(json)].toSorted(
    (left, right) => Number(right === 'application/json') - Number(left === 'application/json'),
  );
}

type Parts = {
  /** All media types, the one that is sent by default first. */
  types: string[];
  /** What is XML, by its media type. */
  xml: ReadonlyMap<string, Content>;
  /** What is a sequence of items beside other content, by its media type. */
  sequences: ReadonlyMap<string, Sequence>;
  headers: Readonly<Record<string, string>>;
  locates: boolean;
};

/**
 * Headers that the twin sets by rules of its own: of the content and the connection, of CORS, of
 * limits and of caches.
 */
const setElsewhere =
  /^(content-.*|access-control-.*|set-cookie|vary|date|connection|keep-alive|proxy-connection|te|trailer|transfer-encoding|upgrade)$|rate-?limit/i;

function toParts(
  document: Api,
  {
    operation,
    response,
    variants,
  }: {
    operation: Operation;
    response: ResponseDescription;
    variants: DocumentedAnswer['variants'];
  },
): Parts {
  const isRedirect = /^3/.test(response.status);
  // Those of a list or of what is stored would say what is not so, such as a next page.
  const isExample = ['example', 'schema'].includes(answerSourceOf(operation));
  const isShownAsIs = isExample && document.schemas.itemsOf(operation) === undefined;
  const headers = Object.entries(response.headers).flatMap(([name, header]) => {
    const { required, schema, examples } = header;
    const isLocation = name.toLowerCase() === 'location';
    const [example = schema.example] = Object.values(examples);
    const isShown = isShownAsIs && example !== undefined;
    // No header is written for null.
    const isSent = required || (example !== null && (isLocation || isShown));
    if (setElsewhere.test(name) || !isSent) return [];
    const value = example ?? toValue(document, name, schema);
    return value === undefined
      ? []
      : [[name, toFieldValue(value, name, header)] as [string, string]];
  });
  const locates = Object.keys(response.headers).some((name) => name.toLowerCase() === 'location');
  const xml = response.contents.filter(({ isXml }) => isXml);
  const whole = [...jsonTypesOf(response), ...xml.map(({ mediaType }) => mediaType)];
  const sequences = whole.length > 0 ? sequencesOf(response) : [];
  const own = [...variants].flatMap(([type, one]) => (response.contents.includes(one) ? type : []));
  return {
    types: [...new Set([...whole, ...sequences.map(({ content }) => content.mediaType), ...own])],
    sequences: new Map(sequences.map((one) => [one.content.mediaType, one])),
    xml: new Map(xml.map((content) => [content.mediaType, content])),
    headers: Object.fromEntries(headers),
    locates: locates && !isRedirect,
  };
}

function toValue(document: Api, name: string, schema: ResponseDescription['schema']) {
  try {
    const describe = document.schemas.describeShown;
    return generateNamed(name, schema ?? {}, { seed: 1, describe, own: true });
  } catch {
    // Not every pattern can be met.
    return undefined;
  }
}

/** A value in the style of headers, on one line. */
function toFieldValue(value: unknown, name: string, header: HeaderDescription): string {
  const written = writeParameter({ ...header, name, in: 'header', style: 'simple' }, value);
  const text = 'text' in written ? written.text : '';
  return text.replace(/[^\t\x20-\x7e]/g, (char) => encodeURIComponent(char.toWellFormed()));
}

/** Makes what finds where an item is that was created. */
function createLocate(document: Api, operation: Operation) {
  const resource = operation.kind === 'create' ? findResource(document, operation) : undefined;
  const read = resource?.operations.read;
  const parameter = read && idParameterOf(read);
  return ({ json }: Answer, { params }: Request): string | undefined => {
    if (!resource || !read || parameter === undefined || json === '') return undefined;
    const { value } = parseExact(toText(json));
    const id = valueAt(value as Record<string, unknown> | null, resource.idProperty);
    if (id === undefined || typeof id === 'object') return undefined;
    const path = { ...(params as Record<string, string>), [parameter]: String(id) };
    return document.basePath + toTarget(read.path, { path, query: [] });
  };
}

/** A parameter of a range of media types, `q` aside (RFC 9110 §12.5.1). */
const rangeParameter = /;\s*(?!q\s*=)[^\s;,="]+\s*=\s*("(?:[^"\\]|\\.)*"|[^;,]*)/gi;

/**
 * The media type that a request accepts best; false where it accepts none of them. Ranges may give
 * parameters that no described type has, such as a charset, which rule nothing out then.
 */
function findAccepted(request: Request, types: string[]): string | false {
  const exact = request.accepts(types);
  const { accept } = request.headers;
  if (exact !== false || !accept?.includes(';')) return exact;
  const headers = { ...request.headers, accept: accept.replace(rangeParameter, '') };
  return request.accepts.call({ headers } as Request, ...types);
}

/** What ends an event stream of an operation: the mark that its description or its examples show. */
function endOfEvents({ schemas }: Api, operation: Operation): string {
  const { stream } = schemas.flatten(operation.body?.schema).properties;
  const isSaid =
    schemas.mentions(operation, '[DONE]') || JSON.stringify([stream]).includes('[DONE]');
  return isSaid ? 'data: [DONE]\n\n' : '';
}

/** Writes what an operation answers as JSON as a sequence instead. */
type ToSequence = (sequence: Sequence, value: unknown) => Pick<TextAnswer, 'text' | 'mediaType'>;

/** Makes what writes the items of a list, or of another answer items that are made for the sequence. */
function createToSequence(document: Api, operation: Operation): ToSequence {
  const resource = operation.kind === 'list' ? findResource(document, operation) : undefined;
  const textOf = oncePer((sequence: Sequence) => {
    const { content } = sequence;
    const example = Object.values(content.examples).find((one) => typeof one === 'string');
    if (example !== undefined) return example;
    const text = sequence.write(textsOf(makeSequence(sequence, makerOf(document))));
    return content.mediaType === eventStream ? text + endOfEvents(document, operation) : text;
  });
  let pointer: readonly string[] | undefined;
  return (sequence, value) => {
    pointer ??= resource
      ? document.schemas.findListRules(operation, resource.item).form.pointer
      : [];
    const items = itemsAt(value, pointer);
    const text = items ? sequence.write(items.map((item) => stringifyExact(item))) : undefined;
    return { text: text ?? textOf(sequence), mediaType: sequence.content.fullType };
  };
}
