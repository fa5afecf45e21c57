import type { Request, Response } from 'express';
import { nodeHttp } from '../../../common/node-http.ts';
import type { Api, Operation } from '../../../openapi/index.ts';
import {
  type Answer,
  type AnsweredError,
  toErrorAnswer,
  toJsonAnswer,
  toShownPath,
} from '../../answers/answer.ts';
import { type ErrorCode, errorTable } from '../../answers/errors.ts';
import { createDeprecation } from '../../call/deprecation.ts';
import { shownHeadersOf } from '../../documented/response-headers.ts';
import { documentedStatuses, findResponse } from '../../documented/responses.ts';
import { realmOf, type Security } from '../../http/authenticate.ts';
import { allowedMethods, toMethodAnswer } from '../../http/express-path.ts';
import { toLimitAnswer } from '../../http/limit-headers.ts';
import { localsOf } from '../../http/locals.ts';
import { type ByteText, noBytes, toByteText, toText } from '../../json/exact-json.ts';
import type { Window } from '../../limits/decide.ts';

/**
 * An answer of a given status, and the window that it shows if that is not the window of the call.
 */
export type StatusAnswer = { answer: Answer; window?: Window };

/**
 * Returns the response with a status, and the headers that it must carry. Its body is an Error, or
 * empty below 400. A 429 is for a ban if `banned` is set.
 */
export type AnswerWithStatus = (
  status: number,
  call: { request: Request; response: Response; banned?: boolean },
) => StatusAnswer;

type Call = Parameters<AnswerWithStatus>[1];

/**
 * The codes that operations answer with, by status; what a 400 finds wrong depends on the
 * operation.
 */
const defaultCodes: Readonly<Record<number, ErrorCode>> = {
  401: 'missing_api_key',
  404: 'not_found',
  405: 'method_not_allowed',
  408: 'request_timeout',
  410: 'operation_removed',
  413: 'payload_too_large',
  415: 'unsupported_media_type',
  417: 'expectation_failed',
  429: 'rate_limit_exceeded',
  431: 'headers_too_large',
  500: 'internal_error',
};

/**
 * The headers that a status must or should carry (RFC 9110 §15.5.8, §15.5.17, §15.5.22, §10.2.3).
 */
const headersByStatus: Readonly<Record<number, Record<string, string>>> = {
  415: { Accept: 'application/json' },
  416: { 'Content-Range': 'bytes */0' },
  426: { Upgrade: 'HTTP/3.0', Connection: 'Upgrade, close' },
  503: { 'Retry-After': '1' },
};

/**
 * Creates the responses of an operation by status. If the document has the status, the Error is the
 * twin's own. If not, the message and the header X-Undocumented-Status say so.
 */
export function createAnswerWithStatus(
  operation: Operation,
  document: Api,
  security: Security,
): AnswerWithStatus {
  const allow = allowedMethods(document.operations.filter(({ path }) => path === operation.path));
  const deprecation = createDeprecation(operation, document);
  const proxyChallenge = { 'Proxy-Authenticate': `Basic realm="${realmOf(document)}"` };

  const toStatusAnswer = (
    status: number,
    { request, response, banned = false }: Call,
  ): StatusAnswer => {
    switch (status) {
      case 401:
        return { answer: security.missing(operation) };
      case 404:
        return {
          answer: toErrorAnswer(
            'not_found',
            `There is nothing at ${toShownPath(request.originalUrl)}.`,
          ),
        };
      case 405:
        return { answer: toMethodAnswer(request, allow) };
      case 410: {
        const refusal = deprecation?.refusal(Number.POSITIVE_INFINITY, localsOf(response).prefix);
        return { answer: refusal ?? toPlainError(status, operation) };
      }
      case 407:
        return { answer: { ...toPlainError(status, operation), headers: proxyChallenge } };
      case 429:
        return toLimitRefusal(response, banned);
      default: {
        const answer = status < 400 ? { status, json: noBytes } : toPlainError(status, operation);
        const described = status < 400 ? undefined : findResponse(operation, status);
        const shown = described ? shownHeadersOf(document)(described) : {};
        const names = new Set(Object.keys(shown).map((name) => name.toLowerCase()));
        const others = Object.entries(headersByStatus[status] ?? {}).filter(
          ([name]) => !names.has(name.toLowerCase()),
        );
        return { answer: { ...answer, headers: { ...Object.fromEntries(others), ...shown } } };
      }
    }
  };

  return (status, call) => {
    const { answer, window } = toStatusAnswer(status, call);
    const isDocumented = findResponse(operation, status) !== undefined;
    const headers = {
      ...deprecation?.headers(localsOf(call.response).prefix),
      ...answer.headers,
      ...(!isDocumented && { 'X-Undocumented-Status': String(status) }),
    };
    const json = isDocumented || status < 400 ? answer.json : toUndocumented(answer, operation);
    const error: AnsweredError | undefined = status < 400 ? undefined : JSON.parse(toText(json));
    return {
      answer: { status, json, headers, ...(error && { error }) },
      ...(window && { window }),
    };
  };
}

/**
 * The 429 of a key whose minute is used up or that is banned until its end, and the window that
 * agrees with it.
 */
function toLimitRefusal(response: Response, banned: boolean): StatusAnswer {
  const { sandbox, key } = localsOf(response);
  const { window, plan } = sandbox.limiter.usedUp(key);
  const now = sandbox.clock.now();
  const ban = { until: window.reset, seconds: Math.ceil((window.reset - now) / 1000) };
  const decision = banned
    ? ({ outcome: 'banned', window, ban } as const)
    : ({ outcome: 'exceeded', window } as const);
  return { answer: toLimitAnswer(decision, plan, now), window };
}

/**
 * A 206 with the whole of its content as its range (RFC 9110 §15.3.7); an empty one could have
 * none.
 */
export function toWholeRange({ json: content, headers, ...answer }: Answer): Answer {
  const json = content === '' ? toByteText('null') : content;
  return {
    ...answer,
    json,
    headers: { ...headers, 'Content-Range': `bytes 0-${json.length - 1}/${json.length}` },
  };
}

/**
 * Returns the Error of the document's example if it is one of the mock's, else an Error for the
 * status.
 */
function toPlainError(status: number, operation: Operation): Answer {
  const examples = Object.values(findResponse(operation, status)?.examples ?? {}) as {
    code?: string;
    status?: number;
  }[];
  const example = examples.find(
    (body) => body?.status === status && Object.hasOwn(errorTable, body.code ?? ''),
  );
  if (example) return toJsonAnswer(example, status);
  const code = codeOf(status, operation);
  const message =
    code in errorTable
      ? errorTable[code as ErrorCode].when
      : `${nodeHttp.STATUS_CODES[status] ?? `Status ${status}`}.`;
  return toJsonAnswer({ code, message, status }, status);
}

function toUndocumented({ status, json }: Answer, operation: Operation): ByteText {
  const name = nodeHttp.STATUS_CODES[status];
  const message = `This ${status}${name ? ` ${name}` : ''} was requested. ${documentedStatuses(operation)}`;
  return toByteText(JSON.stringify({ ...JSON.parse(toText(json)), message }));
}

/** The code of a status: the one of the twin, else the name of the status in the same style. */
function codeOf(status: number, { body, parameters }: Operation): string {
  if (status === 400 && body) return 'invalid_body';
  if (status === 400)
    return parameters.some((parameter) => parameter.in === 'query')
      ? 'invalid_parameter'
      : 'malformed_request';
  return (
    defaultCodes[status] ??
    (nodeHttp.STATUS_CODES[status] ?? `status ${status}`).toLowerCase().replace(/\W+/g, '_')
  );
}
