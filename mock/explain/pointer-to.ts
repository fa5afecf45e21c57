import type { ApiDocument, Operation } from '../../contracts/description/document.ts';
import { toToken } from '../../contracts/description/json-pointer.ts';
import { follow, type RawDocument } from '../../contracts/description/schema.ts';
import { findSuccess } from '../documented/responses.ts';

/** A part of an operation that a reason is about. */
export type Part = 'operation' | 'parameters' | 'body' | 'responses' | 'success' | 'x-twin';

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
