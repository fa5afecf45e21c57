import { unescaped } from '../../common/path-template.ts';
import { type ExpressionSource, evaluate } from '../../common/runtime-expression.ts';
import type { Api, ResponseLink } from '../../openapi/index.ts';
import { findIn } from '../../openapi/model/responses.ts';
import { type Case, plainCase } from '../cases/case.ts';
import { type Answer, sentValue } from './exchange.ts';

/** The links from an operation that only read. */
export function readingLinks(
  { schemas, operations }: Api,
  from: Case['operation'],
): ResponseLink[] {
  const links = from ? schemas.linksOf(operations, from) : [];
  return links.filter(({ to }) => to.method === 'GET' || to.method === 'HEAD');
}

/** The calls that the links of an answer lead to: each whose values are all in the exchange. */
export function linkCases(document: Api, exchange: Answer): Case[] {
  const { operation } = exchange.case;
  const { status } = findIn(operation?.responses ?? [], exchange.response.status) ?? {};
  const links = readingLinks(document, operation).filter((one) => one.status === status);
  return links.flatMap((link) => toCase(link, exchange) ?? []);
}

function toCase({ name, to, parameters }: ResponseLink, exchange: Answer): Case | undefined {
  const source = toSource(exchange);
  let { path } = to;
  const query = new URLSearchParams();
  for (const [key, value] of Object.entries(parameters)) {
    const text = typeof value === 'string' ? evaluate(value, source) : String(value);
    const parameter = to.parameters.find((one) =>
      [one.name, `${one.in}.${one.name}`].includes(key),
    );
    if (!text || !parameter) return undefined;
    if (parameter.in === 'path')
      path = path.replaceAll(`{${parameter.name}}`, () => encodeURIComponent(text));
    else if (parameter.in === 'query') query.append(parameter.name, text);
    else return undefined;
  }
  if (path.includes('{')) return undefined;
  return {
    ...plainCase(to, `linked by ${exchange.case.operation?.id} as ${name}`),
    path: query.size > 0 ? `${path}?${query}` : path,
    purpose: { kind: 'link', name, from: exchange.number },
    priority: 3,
  };
}

/** The parts of an exchange that runtime expressions may name. */
function toSource(exchange: Answer): ExpressionSource {
  const { request, response, case: one } = exchange;
  const [pathname = '', search = ''] = request.path.split('?');
  const segments = pathname.split('/');
  const inPath = (one.operation?.path ?? '').split('/').flatMap((part, at) => {
    const [, name] = /^\{([^{}]+)\}$/.exec(part) ?? [];
    return name === undefined ? [] : [[name, unescaped(segments[at] ?? '')] as const];
  });
  const inLowerCase = (headers: readonly (readonly [string, string])[]) =>
    Object.fromEntries(headers.map(([name, value]) => [name.toLowerCase(), value]));
  return {
    url: request.path,
    method: request.method,
    status: response.status,
    request: {
      header: inLowerCase(Object.entries(request.headers)),
      query: Object.fromEntries(new URLSearchParams(search)),
      path: Object.fromEntries(inPath),
      body: sentValue(exchange),
    },
    response: {
      header: inLowerCase(response.headers),
      query: {},
      path: {},
      body: response.json,
    },
  };
}
