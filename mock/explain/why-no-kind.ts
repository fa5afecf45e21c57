import { bodySchemaOf } from '../../contracts/description/collections/body-schema.ts';
import { findList } from '../../contracts/description/collections/list-rules.ts';
import { asks } from '../../contracts/description/collections/operations-on.ts';
import { objectAlternative } from '../../contracts/description/collections/schema-types.ts';
import { itemOf, successOf } from '../../contracts/description/collections/success.ts';
import type { ApiDocument, Operation } from '../../contracts/description/document.ts';
import { toToken } from '../../contracts/description/json-pointer.ts';
import type { Kind } from '../../contracts/description/kinds.ts';
import { flatten, follow, type RawDocument } from '../../contracts/description/schema.ts';
import { findSuccess } from '../documented/responses.ts';
import { sequencesOf } from '../documented/sequences.ts';

/** Why an operation keeps no state, which part of it says so, and what would give it state. */
export type Cause = { because: string; part: Part; remedy: string };

/** The kind that an operation would have by its method and its path; undefined where none. */
export function expectedKind(method: string, isOnItem: boolean): Kind | undefined {
  return (isOnItem ? onItem : onCollection)[method];
}

const onCollection: Readonly<Record<string, Kind>> = { GET: 'list', POST: 'create' };
const onItem: Readonly<Record<string, Kind>> = {
  GET: 'read',
  POST: 'update',
  PUT: 'replace',
  PATCH: 'update',
  DELETE: 'delete',
};

/** Why an operation has no kind, whatever else the document has; undefined where it could have one. */
export function whyNoKind(
  raw: RawDocument,
  operation: Operation,
  kind: Kind | undefined,
): Cause | undefined {
  const hint = `set x-twin: { kind: ${kind} }`;
  const stream = findStream(operation);
  if (stream !== undefined && operation.method === 'GET')
    return {
      because: `its success is a stream (${stream}), of which three generated items are sent`,
      part: 'success',
      remedy: 'describe JSON beside the stream, if it shows what is stored',
    };
  if (!kind)
    return {
      because: `${operation.method} on such a path has no fixed meaning, so its effect is not known`,
      part: 'operation',
      remedy: 'set x-twin: { kind, collection } if it works on a collection',
    };
  if (kind === 'list') return whyNoList(raw, operation);
  if (kind === 'delete') return undefined;
  const holdsItem = itemOf(raw, operation) !== undefined;
  if (kind === 'read' && !holdsItem && findList(raw, operation))
    return {
      because: 'its success describes a list, though its path ends with the id of one object',
      part: 'success',
      remedy: 'set x-twin: { kind: list, collection } if it shows items of a collection',
    };
  if (kind === 'read')
    return holdsItem
      ? undefined
      : {
          because: describeSuccess(raw, operation, 'no object'),
          part: 'success',
          remedy: describe,
        };
  if (bodySchemaOf(raw, operation) === undefined)
    return {
      because: 'it describes no body with fields of an item',
      part: operation.body || operation.otherBody ? 'body' : 'operation',
      remedy: `describe its body, or ${hint}`,
    };
  if (operation.method !== 'POST') return undefined;
  if (asks(operation))
    return {
      because: 'its name or path says that it asks for something, not that it stores something',
      part: 'operation',
      remedy: hint,
    };
  const isCreated = operation.responses.some(({ status }) => status === '201');
  if (holdsItem || (kind === 'create' && isCreated)) return undefined;
  const nothing = describeSuccess(raw, operation, 'no object');
  return {
    because: kind === 'create' ? `it documents no 201, and ${nothing}` : nothing,
    part: 'responses',
    remedy: `describe the item in its success${kind === 'create' ? ' or document 201' : ''}, or ${hint}`,
  };
}

/** The media type of a success that is nothing but a stream of items. */
function findStream(operation: Operation): string | undefined {
  const success = findSuccess(operation);
  const isOther = success === undefined || successOf(operation) !== undefined;
  return isOther ? undefined : sequencesOf(success)[0]?.content.mediaType;
}

const describe = 'describe an object with an id in its success';

function whyNoList(raw: RawDocument, operation: Operation): Cause | undefined {
  if (findList(raw, operation)) return undefined;
  const success = successOf(operation);
  const schema = success && objectAlternative(raw, success);
  const items = schema?.items && objectAlternative(raw, schema.items);
  if (items)
    return {
      because: `the items of its list are ${items.type ? `of the type ${items.type}` : 'of any type'}, not objects with properties`,
      part: 'success',
      remedy: 'describe its items as objects with an id',
    };
  const lists = Object.entries(flatten(raw, schema).properties).flatMap(([name, one]) =>
    objectAlternative(raw, one)?.items === undefined ? [] : [name],
  );
  const found =
    lists.length > 0
      ? `the object in its success has lists (${namesOf(lists)}), but none is known to hold the items`
      : describeSuccess(raw, operation, 'no list of objects');
  return {
    because: found,
    part: 'success',
    remedy: 'describe an array of objects with ids, or an object with one called items or data',
  };
}

/** What is said of a success that lacks something. */
function describeSuccess(raw: RawDocument, operation: Operation, lack: string): string {
  const success = findSuccess(operation);
  if (!success) return 'it describes no success';
  const { status, mediaTypes } = success;
  if (mediaTypes.length === 0) return `its success (${status}) has no content`;
  const schema = successOf(operation);
  if (schema === undefined)
    return `its success (${status}) has ${mediaTypes.join(', ')}, and no schema of objects`;
  const { properties } = flatten(raw, objectAlternative(raw, schema));
  const names = Object.keys(properties);
  return names.length === 0
    ? `its success (${status}) describes ${lack}`
    : `its success (${status}) describes ${lack}, but one object with ${namesOf(names)}`;
}

const maxNames = 5;

/** Names in a sentence, the first of many. */
export function namesOf(names: readonly string[]): string {
  const others = names.length - maxNames;
  const first = names.slice(0, maxNames).join(', ');
  return others > 0 ? `${first} and ${others} more` : first;
}

/** A part of an operation that a reason is about. */
type Part = 'operation' | 'parameters' | 'body' | 'responses' | 'success' | 'x-twin';

/** The place of a part in what the user wrote, or of what is above it where that is missing. */
export function pointerTo({ raw, written }: ApiDocument, operation: Operation, part: Part): string {
  const { path, method } = operation;
  const own = method.toLowerCase();
  const item = locate(raw, ['paths', path]);
  const at = item.node?.[own] === undefined ? ['additionalOperations', method] : [own];
  return written.toPointer(locate(raw, ['paths', path, ...at, ...keysOf(operation, part)]).pointer);
}

function keysOf(operation: Operation, part: Part): string[] {
  const { body, otherBody } = operation;
  switch (part) {
    case 'operation':
      return [];
    case 'body': {
      const [type = otherBody?.contents[0]?.fullType ?? ''] = body
        ? (body.mediaTypes ?? ['application/json'])
        : [];
      return ['requestBody', 'content', type, 'schema'];
    }
    case 'success': {
      const { status = '', contents = [] } = findSuccess(operation) ?? {};
      return ['responses', status, 'content', contents[0]?.fullType ?? '', 'schema'];
    }
    default:
      return [part];
  }
}

/** Follows keys, and `$ref`s between them, as far as they lead. */
function locate(
  raw: RawDocument,
  keys: readonly string[],
): { pointer: string; node: RawDocument | undefined } {
  let pointer = '';
  let node: RawDocument | undefined = raw;
  for (const key of keys) {
    for (let hops = 0; typeof node?.$ref === 'string' && hops < maxHops; hops += 1) {
      pointer = node.$ref.slice(1);
      node = follow(raw, node.$ref) as RawDocument | undefined;
    }
    if (node?.[key] === undefined) break;
    pointer += `/${toToken(key)}`;
    node = node[key] as RawDocument;
  }
  return { pointer, node };
}

const maxHops = 20;
