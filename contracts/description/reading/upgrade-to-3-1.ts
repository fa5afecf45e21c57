import { isObject, type RawDocument } from '../schema.ts';
import { type Moves, undo } from './moves.ts';
import { walkDocument } from './parts.ts';

/**
 * Makes an OpenAPI 3.0 document one of 3.1, in place: only what both versions read differently is
 * changed. Gives what was moved.
 */
export function upgradeTo31(document: RawDocument): Moves {
  const moves = new Map<string, string>();
  walkDocument(document, (part, { kind, pointer }) => {
    if (kind === 'schema' && isObject(part)) upgradeSchema(part, pointer, moves);
  });
  document.openapi = '3.1.0';
  return moves;
}

function upgradeSchema(schema: RawDocument, pointer: string, moves: Map<string, string>): void {
  if (typeof schema.$ref === 'string') {
    upgradeReference(schema, pointer, moves);
    return;
  }
  upgradeBounds(schema);
  if ('nullable' in schema) upgradeNullable(schema, pointer, moves);
}

/** Beside a reference, 3.0 ignores all else; but `nullable` there is meant by whoever writes it. */
function upgradeReference(schema: RawDocument, pointer: string, moves: Map<string, string>): void {
  const { $ref, nullable } = schema;
  const isNullable = nullable === true;
  for (const keyword of Object.keys(schema))
    if (keyword !== 'description' && !keyword.startsWith('x-')) delete schema[keyword];
  if (!isNullable) {
    schema.$ref = $ref;
    return;
  }
  schema.anyOf = [{ $ref }, { type: 'null' }];
  moves.set(`${pointer}/anyOf/0`, undo(pointer, moves));
}

/** Makes boolean bounds numbers, in a schema of whatever version. */
export function upgradeBounds(schema: RawDocument): void {
  for (const [exclusive, bound] of [
    ['exclusiveMinimum', 'minimum'],
    ['exclusiveMaximum', 'maximum'],
  ] as const) {
    const is = schema[exclusive];
    if (typeof is !== 'boolean') continue;
    delete schema[exclusive];
    if (!is || schema[bound] === undefined) continue;
    schema[exclusive] = schema[bound];
    delete schema[bound];
  }
}

const alternatives = ['allOf', 'anyOf', 'oneOf'];

/** Makes `nullable` the type `null`, in a schema of whatever version. */
export function upgradeNullable(
  schema: RawDocument,
  pointer: string,
  moves: Map<string, string>,
): void {
  const { nullable, type } = schema;
  delete schema.nullable;
  if (nullable !== true) return;
  if (type !== undefined) {
    const types = [type].flat();
    schema.type = types.includes('null') ? types : [...types, 'null'];
    if (Array.isArray(schema.enum) && !schema.enum.includes(null))
      schema.enum = [...schema.enum, null];
    return;
  }
  const isChoice = alternatives.some((keyword) => keyword in schema);
  if (!isChoice) return;
  const inner: RawDocument = {};
  for (const keyword of alternatives) {
    if (!(keyword in schema)) continue;
    inner[keyword] = schema[keyword];
    delete schema[keyword];
  }
  schema.anyOf = [inner, { type: 'null' }];
  moves.set(`${pointer}/anyOf/0`, undo(pointer, moves));
}
