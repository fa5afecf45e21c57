import { wordsOf } from '../description/collections/plain-name.ts';
import { type ApiDocument, findResource, type Operation } from '../description/document.ts';
import { takesOtherBodiesAlone } from '../description/sendable-body.ts';
import { actionsOf, isOnItem } from './action-cases.ts';
import type { Case } from './case.ts';
import { completeCase, exampleBody } from './example-call.ts';
import { isTriedNested } from './nested-cases.ts';
import { plainCase } from './plain-case.ts';
import { isUnsafe } from './unsafe-methods.ts';

/**
 * Calls of operations of which the document says too little to judge them by more than the general
 * clauses, with its examples or made values.
 */
export function callCases(document: ApiDocument): Case[] {
  return document.operations.flatMap((operation) =>
    whyNoCall(document, operation) === undefined && operation.kind === undefined
      ? [callCase(document, operation)]
      : [],
  );
}

/**
 * The operations that no case calls, each with the reason. `isFree`: what the run has not created
 * may be changed.
 */
export function operationsWithoutCases(
  document: ApiDocument,
  { isFree }: { isFree: boolean },
): { operation: Operation; reason: string }[] {
  const protects = 'it may change what the run has not created';
  const protectsSingle = 'it changes an object that a run cannot create: there is only one';
  const nested = (document.nested ?? []).filter((one) => isTriedNested(document, one));
  const idsOfActions = (options: { isFree: boolean }) =>
    [...document.resources, ...nested].flatMap((one) =>
      actionsOf(document, one, options).map(({ id }) => id),
    );
  const acting = idsOfActions({ isFree });
  const harmful = idsOfActions({ isFree: true }).filter((id) => !acting.includes(id));
  // Items are changed only where they can be read.
  const below = nested
    .filter(({ operations }) => operations.read)
    .flatMap(({ operations }) => Object.values(operations));
  const tried = [...below.map(({ id }) => id), ...acting];
  return document.operations.flatMap((operation) => {
    if (kindsWithCases.includes(operation.kind) || tried.includes(operation.id)) return [];
    const resource = findResource(document, operation);
    if (operation.kind) {
      const isTried = resource?.operations.create && resource.operations.read;
      return isTried ? [] : [{ operation, reason: protects }];
    }
    if (harmful.includes(operation.id)) return [{ operation, reason: protects }];
    const isBarred = !isFree && changesOthers(operation);
    const barrier = operation.singleton === undefined ? protects : protectsSingle;
    const reason = whyNoCall(document, operation) ?? (isBarred ? barrier : undefined);
    return reason === undefined ? [] : [{ operation, reason }];
  });
}

/** The kinds that the cases of a resource call; items of a run are changed and deleted besides. */
const kindsWithCases: readonly (string | undefined)[] = ['list', 'create', 'read'];

/** Whether an operation without a kind may change something else than what it adds. */
function changesOthers({ id, method, path }: Operation): boolean {
  if (method !== 'POST') return isUnsafe({ method });
  return path.includes('{') || [id, path].flatMap(wordsOf).some((word) => takingAway.has(word));
}

/** Words of operations that take away, or change, what is there. */
const takingAway = new Set(
  (
    'archive ban block cancel clear close delete destroy disable drop empty erase merge move purge ' +
    'remove rename replace reset restart restore revoke rollback shutdown stop suspend transfer ' +
    'truncate undo update wipe'
  ).split(' '),
);

/** Why nothing calls an operation without a kind; undefined where it can be called. */
function whyNoCall(document: ApiDocument, operation: Operation): string | undefined {
  const { responses } = operation;
  const isOnly = (form: RegExp) =>
    responses.length > 0 && responses.every(({ status }) => form.test(status));
  // Nothing would be sent with the key for a while.
  if (isOnly(/^429$/)) return 'it answers 429 to every call';
  if (isOnly(/^1/)) return 'it describes no response that ends a call';
  if (operation.otherBody?.required && takesOtherBodiesAlone(operation))
    return 'it takes neither JSON nor a form';
  const call = completeCase(document, plainCall(document, operation));
  if ('lacks' in call) return `no value is known for ${call.lacks}`;
  const body = exampleBody(document, operation);
  return body && 'lacks' in body ? `no value is known for ${body.lacks}` : undefined;
}

/** A plain call; what is below items that nobody can create is read of one that is listed. */
function plainCall(document: ApiDocument, operation: Operation): Case {
  const plain = plainCase(operation, 'plain');
  const above = document.resources.find(
    (one) => one.operations.list && !one.operations.create && isOnItem(operation, one),
  );
  if (!above || isUnsafe(operation)) return plain;
  const made = completeCase(document, plain);
  const place = above.path.split('/').length;
  const segment = 'lacks' in made ? undefined : made.path.split('?')[0]?.split('/')[place];
  const fallback = segment === undefined ? '' : `|${encodeURIComponent(segment)}`;
  const parts = plain.path.split('/');
  parts[place] = `{{id.${above.name}.first${fallback}}}`;
  return { ...plain, path: parts.join('/') };
}

function callCase(document: ApiDocument, operation: Operation): Case {
  const body = exampleBody(document, operation);
  const isSafe = !isUnsafe(operation);
  const needsValues =
    body !== undefined || operation.parameters.some(({ required }) => required === true);
  const plain: Case = {
    ...plainCall(document, operation),
    purpose: { kind: 'call', ...(needsValues && { isMadeUp: true }) },
    priority: isSafe ? 1 : 2,
    ...(changesOthers(operation) && { changesOthers: true }),
    writes: !isSafe,
  };
  if (!body || 'lacks' in body) return plain;
  const { mediaType, text, form } = body;
  return { ...plain, headers: { 'Content-Type': mediaType }, body: text, ...(form && { form }) };
}
