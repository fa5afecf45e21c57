import type { Request } from 'express';
import { stringifyExact } from '../../common/json.ts';
import { html } from '../../common/look/markup.ts';
import { toExcerpt } from '../../common/look/visible.ts';
import { isJsonMedia, isRange } from '../../common/media-type.ts';
import { once, oncePer } from '../../common/once-per.ts';
import type { Api, Content, Operation, ResponseDescription } from '../../openapi/index.ts';
import { isJsonContent, toSentType } from '../../openapi/model/content.ts';
import { findIn } from '../../openapi/model/responses.ts';
import { ownValue } from '../../openapi/values/make-options.ts';
import { type Answer, isolated, type TextAnswer } from '../answers/answer.ts';
import { toByteText } from '../json/exact-json.ts';
import { chooseAccepted } from './accepted.ts';
import { codeIn, type ErrorFacts } from './error-facts.ts';
import type { WriteXml } from './example-bodies.ts';
import { chooseTold, createFillError } from './fill-error.ts';
import { echo, echoedBy, errorHeadersOf, hasErrorHeaders } from './response-headers.ts';

/** Holds the facts of a request that the form of an error may show. */
export type ErrorRequest = Pick<ErrorFacts, 'path' | 'method' | 'now'> & {
  operation: Operation | undefined;
  /** The request, which may accept one of several contents. */
  source?: Request;
};

/** Puts an error into the form that the document describes; others stay as they are. */
export type ToErrorForm = (answer: Answer, request: ErrorRequest) => Answer | TextAnswer;

/**
 * Creates the conversion of errors to the document's form: that of the operation and status, else
 * the most common one. Undefined if the document describes no form but the mock's Error, and no
 * headers.
 */
export function createToErrorForm(document: Api, writeXml: WriteXml): ToErrorForm | undefined {
  const all = document.operations.flatMap((operation) => errorsOf(operation));
  const isForm = (response: ResponseDescription) => contentOf(document, response) !== undefined;
  const isOwnError = all.every((one) => !isForm(one) || isOwnForm(document, one));
  if (isOwnError && !all.some(hasErrorHeaders)) return undefined;
  const fillError = createFillError(document);
  const findCommon = once(() => {
    // A bare text tells no client what went wrong, so it is the form of its own response alone.
    const structured = all.filter((response) => isStructured(contentOf(document, response)));
    const telling = structured.filter((response) => tells(contentOf(document, response)));
    return createFindCommon(document, telling.length > 0 ? telling : structured);
  });
  return (answer, { operation, source, ...request }) => {
    const { error, json, ...plain } = answer;
    if (!error) return answer;
    const own = operation && findIn(errorsOf(operation), error.status);
    const headersOfOwn = own ? errorHeadersOf(document)(own) : {};
    const echoed = operation && own && source ? echo(echoedBy(operation, own), source) : {};
    const others = { ...plain, headers: { ...headersOfOwn, ...echoed, ...plain.headers } };
    const ofOwn = own ? contentsOf(document, own) : [];
    const accepted =
      source && ofOwn.length > 1 ? chooseAccepted(source, ofOwn)?.content : undefined;
    const content = accepted ?? ofOwn[0] ?? findCommon()(error.status);
    if (!content || isOwnError) return { ...others, error, json };
    const { isXml, mediaType } = content;
    const type = toSentType(content);
    const isJson = isJsonMedia(mediaType) || type === 'application/json';
    const { code, message: sentence, problems = [] } = error;
    // Clients look for these words in what they show.
    const message = code === 'not_found' ? `Not found. ${sentence}` : sentence;
    const facts = { ...error, message, problems, ...request };
    const examples = Object.values(content.examples);
    const [first = ownValue(document.schemas.resolve(content.schema ?? {}))] = examples;
    const shown = chooseTold(examples, facts) ?? first;
    const likeness = likenessOf(document)(content);
    // An example says nothing of other statuses but its form.
    const isOwn = own?.status === String(error.status) && own.contents.includes(content);
    if (!isJson && typeof shown === 'string' && isOwn)
      return isolated({ ...others, text: shown, mediaType: type });
    if (!isJson && !isXml) {
      const text = mediaType === 'text/html' ? html`<p>${error.message}</p>`.text : error.message;
      return isolated({ ...others, text, mediaType: type });
    }
    const isShown = isOwn && likeness !== undefined;
    const form = likeness ?? content.schema ?? {};
    const isCovered = own?.contents.includes(content);
    const known = isOwn ? { ...facts, code: codeIn(shown, facts) ?? code } : facts;
    const value = isShown ? shown : fillError(form, known, isCovered ? shown : undefined);
    if (value === undefined) return { ...others, error, json };
    const text = isJson ? stringifyExact(value) : writeXml(content.schema ?? {}, value);
    const isSaid = [sentence, ...problems.map(({ problem }) => problem)].some((one) =>
      text.includes(JSON.stringify(one).slice(1, -1)),
    );
    const headers = isSaid
      ? {}
      : { headers: { ...others.headers, 'X-Problem': toField(sentence) } };
    if (!isJson) return isolated({ ...others, ...headers, text, mediaType: type });
    const filled = { ...others, ...headers, json: toByteText(text) };
    if (type === 'application/json') return filled;
    return { ...filled, overrides: { 'Content-Type': type, ...others.overrides } };
  };
}

/** Returns a sentence as the value of a header: what is not ASCII is percent-encoded. */
function toField(sentence: string): string {
  return toExcerpt(sentence, 1000)
    .replace(/[^ -~]/gu, encodeURIComponent)
    .trim();
}

/** The responses of errors; `default` is one where there is another success, with another schema. */
function errorsOf({ responses }: Operation): ResponseDescription[] {
  const successes = responses.filter(({ status }) => /^[23]/.test(status));
  return responses.filter(
    ({ status, schema }) =>
      /^[45]/.test(status) ||
      (/^default$/i.test(status) &&
        successes.some((one) => one.schema === undefined || one.schema !== schema)),
  );
}

/** Returns the contents that an error can be written in, the one that is sent by default first. */
function contentsOf({ schemas }: Api, { contents }: ResponseDescription): Content[] {
  const first = schemas.jsonContentOf(contents);
  const json = contents.filter((one) => one !== first && isJsonContent(one));
  const others = contents.filter(
    ({ mediaType, isXml, examples }) =>
      isXml || mediaType.startsWith('text/') || typeof Object.values(examples)[0] === 'string',
  );
  const isPlain = ({ mediaType }: Content) => Number(mediaType === 'text/plain');
  const texts = others
    .filter((one) => one !== first && !json.includes(one))
    .toSorted((left, right) => isPlain(right) - isPlain(left));
  return [...(first ? [first] : []), ...json, ...texts];
}

function contentOf(document: Api, response: ResponseDescription): Content | undefined {
  return contentsOf(document, response)[0];
}

/** Whether content is JSON or XML, and no bare text. */
function isStructured({ mediaType = '', isXml, isText }: Partial<Content> = {}): boolean {
  return isXml === true || (!isText && (isJsonMedia(mediaType) || isRange(mediaType)));
}

/** Whether the content of an error is described beyond being JSON. */
function tells({ mediaType, schema, examples }: Partial<Content> = {}): boolean {
  return (
    !isJsonMedia(mediaType ?? '') || (schema ?? Object.values(examples ?? {})[0]) !== undefined
  );
}

const likenessOf = oncePer((document: Api) =>
  oncePer(({ schema = {}, examples }: Content) =>
    document.schemas.schemaOfExamples(schema, Object.values(examples)),
  ),
);

/** Whether a response describes the mock's own Error: a code, a message and the status. */
function isOwnForm(document: Api, response: ResponseDescription): boolean {
  const { mediaType, schema } = contentOf(document, response) as Content;
  if (mediaType !== 'application/json' || !schema) return false;
  const { properties } = document.schemas.describeSchema(schema);
  const names = Object.keys(properties).toSorted();
  return names.join() === 'code,message,status' && properties.code?.type === 'string';
}

/** Makes the search for the form that most operations have for a status, or for one like it. */
function createFindCommon(document: Api, forms: readonly ResponseDescription[]) {
  const found = new Map<number, Content | undefined>();
  const search = (status: number): Content | undefined => {
    const like = [String(status), `${Math.floor(status / 100)}XX`, 'DEFAULT'];
    const groups = [
      ...like.map((name) => forms.filter((one) => one.status.toUpperCase() === name)),
      forms.filter((one) => one.status[0] === String(status)[0]),
      forms,
    ];
    const group = groups.find(({ length }) => length > 0) ?? [];
    const bySchema = Map.groupBy(group, (one) => keyOf(contentOf(document, one)));
    const [most] = [...bySchema.values()].toSorted((left, right) => right.length - left.length);
    return most?.[0] && contentOf(document, most[0]);
  };
  return (status: number) => {
    if (!found.has(status)) found.set(status, search(status));
    return found.get(status);
  };
}

function keyOf(content: Content | undefined): unknown {
  const { $ref } = content?.schema ?? {};
  return typeof $ref === 'string' ? $ref : content?.schema;
}
