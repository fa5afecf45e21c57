import type { Request } from 'express';
import { oncePer } from '../../common/once-per.ts';
import type {
  Api,
  HeaderDescription,
  Operation,
  ResponseDescription,
} from '../../openapi/index.ts';
import { writeParameter } from '../../openapi/model/write-parameter.ts';
import { generateNamed } from '../../openapi/values/generate.ts';
import { hasState } from './answer-source.ts';

/** Headers of an answer, by name. */
export type SentHeaders = Readonly<Record<string, string>>;

/**
 * Headers that the mock sets by rules of its own: of the content and the connection, of CORS, of
 * limits and of caches.
 */
const setElsewhere =
  /^(content-(type|length|encoding|range|security-policy.*)|access-control-.*|vary|date|connection|keep-alive|proxy-connection|te|trailer|transfer-encoding|upgrade)$|rate-?limit/i;

/** Headers of errors that say what the mock alone knows of the request. */
const ofErrors = /^(allow|location|retry-after|www-authenticate)$/i;

/**
 * The headers that a response has whatever it shows: required ones, `Location`, and examples, those
 * of a given name where there are any.
 */
export function headersOf(
  document: Api,
  operation: Operation,
  response: ResponseDescription,
  named?: string,
): SentHeaders {
  // Those of a list or of what is stored would say what is not so, such as a next page.
  const isShownAsIs = !hasState(operation) && document.schemas.itemsOf(operation) === undefined;
  const isShown: IsShown = (name, header) => {
    const example = exampleOf(header);
    return example !== null && (isLocation(name) || (isShownAsIs && example !== undefined));
  };
  return toHeaders(document, response, { isShown, named });
}

/** Returns the names of headers that a request and its response both have, such as `X-Request-Id`. */
export function echoedBy({ parameters }: Operation, { headers }: ResponseDescription): string[] {
  const sent = parameters.flatMap((one) => (one.in === 'header' ? one.name.toLowerCase() : []));
  return Object.keys(headers).filter(
    (name) => sent.includes(name.toLowerCase()) && !setElsewhere.test(name),
  );
}

/** Returns the headers of a request by these names, which come back as sent. */
export function echo(names: readonly string[], { headers }: Pick<Request, 'headers'>): SentHeaders {
  return Object.fromEntries(
    names.flatMap((name) => {
      const value = headers[name.toLowerCase()];
      return typeof value === 'string' ? [[name, value]] : [];
    }),
  );
}

/** The headers that the response of an error has: required ones, and examples. */
export const errorHeadersOf = oncePer((document: Api) =>
  oncePer((response: ResponseDescription) =>
    toHeaders(document, response, { isShown: isShownOfError }),
  ),
);

/** The headers of which the response of an error shows examples, whoever knows them in other calls. */
export const shownHeadersOf = oncePer((document: Api) =>
  oncePer((response: ResponseDescription) => {
    const isShown: IsShown = (_, header) => (exampleOf(header) ?? null) !== null;
    return toHeaders(document, response, { isShown });
  }),
);

/** Whether errors have headers besides those that the mock sets. */
export function hasErrorHeaders({ headers }: ResponseDescription): boolean {
  return Object.entries(headers).some(
    ([name, header]) =>
      !setElsewhere.test(name) &&
      !ofErrors.test(name) &&
      (header.required || isShownOfError(name, header)),
  );
}

function isShownOfError(name: string, header: HeaderDescription): boolean {
  const example = exampleOf(header);
  return !ofErrors.test(name) && example !== undefined && example !== null;
}

function exampleOf({ examples, schema }: HeaderDescription, named = ''): unknown {
  const [first = schema.example ?? schema.default] = Object.values(examples);
  return Object.hasOwn(examples, named) ? examples[named] : first;
}

function isLocation(name: string): boolean {
  return name.toLowerCase() === 'location';
}

type IsShown = (name: string, header: HeaderDescription) => boolean;

function toHeaders(
  document: Api,
  response: ResponseDescription,
  { isShown, named }: { isShown: IsShown; named?: string | undefined },
): SentHeaders {
  const headers = Object.entries(response.headers).flatMap(([name, header]) => {
    const { required, schema } = header;
    // No header is written for null.
    if (setElsewhere.test(name) || !(required || isShown(name, header))) return [];
    const value = exampleOf(header, named) ?? toValue(document, name, schema);
    return value === undefined
      ? []
      : [[name, toFieldValue(value, name, header)] as [string, string]];
  });
  return Object.fromEntries(headers);
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
