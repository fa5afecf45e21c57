import type { Request } from 'express';
import { byLiteralText } from '../../common/by-literal-text.ts';
import { toExcerpt } from '../../common/look/visible.ts';
import { once } from '../../common/once-per.ts';
import { toComparedPath } from '../../common/path-template.ts';
import type { Api, Operation } from '../../openapi/index.ts';
import { type Answer, toErrorAnswer } from '../answers/answer.ts';

/** A path such as `/pets/{petId}` in the syntax of Express, with special characters escaped. */
export function toExpressPath(template: string): string {
  return template
    .split(/(\{[^{}]+\})/)
    .map((part) =>
      part.startsWith('{')
        ? `:${JSON.stringify(part.slice(1, -1))}`
        : toComparedPath(part).replace(/[\\()[\]?+!*:{}]/g, '\\$&'),
    )
    .join('');
}

/** The answer to a path that is not valid percent-encoding. */
export const undecodable = toErrorAnswer(
  'malformed_request',
  'The path of the URL is not valid percent-encoded UTF-8.',
);

/** Whether Express could not decode a path parameter. */
export function isUndecodable(error: unknown): boolean {
  const { status, message } = error as { status?: number; message?: string };
  return (
    error instanceof URIError ||
    (status === 400 && message?.startsWith('Failed to decode') === true)
  );
}

/**
 * Groups operations by distinguishable paths, in the order of matching: the most literal text
 * first, whatever their order in the document.
 */
export function toRoutes(operations: readonly Operation[]): Operation[][] {
  const byTemplate = Map.groupBy(operations, ({ path }) => path.replace(/\{[^{}]*\}/g, '{}'));
  return [...byTemplate]
    .toSorted(([left], [right]) => byLiteralText(left, right))
    .map(([, ofTemplate]) => ofTemplate);
}

/** The methods that operations are called by, with those that Express adds. */
export function allowedMethods(operations: readonly Operation[]): string[] {
  const methods = operations.map(({ method }) => method);
  return [
    ...new Set([
      ...methods.flatMap((method) => (method === 'GET' ? ['GET', 'HEAD'] : [method])),
      'OPTIONS',
    ]),
  ];
}

/** The 405 for a method that a path does not have. */
export function toMethodAnswer({ method, path }: Request, allow: readonly string[]): Answer {
  const message = `${method} is not allowed at ${toExcerpt(path, 200)}. Use ${allow.join(', ')}.`;
  return toErrorAnswer('method_not_allowed', message, { Allow: allow.join(', ') });
}

/**
 * Makes the search for the path of an operation that differs only in a final slash or in upper and
 * lower case, if that path would be answered.
 */
export function createFindSimilarPath(document: Api): (path: string) => string | undefined {
  const isDescribed = createIsDescribedPath(document);
  return (path) => {
    const similar = path.endsWith('/') ? path.slice(0, -1) : `${path}/`;
    if (Math.max(path.length, similar.length) > maxPath) return undefined;
    if (isDescribed(similar)) return similar;
    const inLowerCase = [path, similar].map((one) => one.toLowerCase());
    return inLowerCase.find(isDescribed);
  };
}

/** Creates a test whether a path is that of an operation, which few calls ask for. */
export function createIsDescribedPath({ basePath, operations }: Api): (path: string) => boolean {
  const patterns = once(() =>
    [...new Map(operations.map((one) => [one.path, one])).values()].map((one) =>
      toPattern(one.path, basePath, openIn(one)),
    ),
  );
  return (path) => patterns().some((pattern) => pattern.test(path));
}

/**
 * Creates a finder of the path of an operation below the base path of the document, where a request
 * names it below that of a server of its own, or below none if the base path is optional; undefined
 * where no operation has such a server.
 */
export function createFindElsewhere(
  document: Api,
  isBaseOptional: boolean,
): ((path: string) => string | undefined) | undefined {
  const isDescribed = createIsDescribedPath(document);
  const { basePath, operations } = document;
  const ofServers = operations.flatMap((one) =>
    (one.bases ?? []).map((base) => toPattern(one.path, base, openIn(one))),
  );
  const isPlain = isBaseOptional && basePath !== '';
  const ofNone = isPlain ? operations.map((one) => toPattern(one.path, '', openIn(one))) : [];
  if (ofServers.length + ofNone.length === 0) return undefined;
  /** Whether a path is a page of the mock, or below the base path: these stay where they are. */
  const isKept = (path: string) => path.startsWith('/__') || `${path}/`.startsWith(`${basePath}/`);
  const find = (forms: readonly RegExp[], path: string) =>
    forms.find((form) => form.test(path))?.exec(path)?.[1];
  return (path) => {
    const inner = find(ofServers, path) ?? (isKept(path) ? undefined : find(ofNone, path));
    return inner === undefined || isDescribed(path) ? undefined : basePath + inner;
  };
}

/**
 * Creates a function that encodes the slashes in what a path has for a parameter that may have some, such
 * as the `{proxy+}` of API Gateway, if no other operation has the path. Undefined without such a parameter.
 */
export function createEncodeSlashes({
  basePath,
  operations,
}: Api): ((path: string) => string | undefined) | undefined {
  const open = operations.filter((one) => openIn(one).length > 0);
  if (open.length === 0) return undefined;
  const inOrder = open.toSorted((left, right) => byLiteralText(left.path, right.path));
  const forms = inOrder.map((one) => toPattern(one.path, basePath, openIn(one)));
  const patterns = operations.map(({ path }) => toPattern(path, basePath));
  return (path) => {
    if (patterns.some((pattern) => pattern.test(path))) return undefined;
    const found = forms.find((form) => form.test(path))?.exec(path);
    const [, , ...values] = found?.indices ?? [];
    return values.reduceRight<string | undefined>((text = path, [start, end] = [0, 0]) => {
      const value = path.slice(start, end).replaceAll('/', '%2F');
      return text.slice(0, start) + value + text.slice(end);
    }, undefined);
  };
}

/** Returns the parameters in the path of an operation that may have slashes, as the path has them. */
function openIn({ path, parameters }: Operation): string[] {
  const names = parameters.flatMap((one) => (one.allowsReserved ? `{${one.name}}` : []));
  return names.filter((name) => path.includes(name));
}

/** The maximum length of a path that an answer names. */
const maxPath = 200;

/**
 * Returns a pattern of a path below a base path, whose group is that path. Parameters that are `open`
 * may have slashes, and a group each.
 */
function toPattern(path: string, base = '', open: readonly string[] = []): RegExp {
  const [start, end] = [base, path].map((template) =>
    template
      .split(/(\{[^{}]+\})/)
      .map((part) => {
        if (open.includes(part)) return '(.+)';
        return part.startsWith('{') ? '[^/]+' : RegExp.escape(toComparedPath(part));
      })
      .join(''),
  );
  return new RegExp(`^${start}(${end})$`, 'd');
}
