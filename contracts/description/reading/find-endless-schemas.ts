import { follow, type RawDocument } from '../schema.ts';
import type { Fault } from './fault.ts';
import { isRecord, walkDocument } from './walk.ts';

/** What each value of a schema needs: a value of one of these schemas. */
type Need = {
  schemas: readonly RawDocument[];
  /** What is wrong where the need never ends; undefined where it cannot be dropped. */
  fault?: Fault;
};

/**
 * Objects and lists that must hold another of their kind, which must hold another: no value of them
 * ends, so no request or response can fit. The first need of each such circle is dropped.
 */
export function findEndlessSchemas(document: RawDocument): Fault[] {
  const pointers = new Map<RawDocument, string>();
  walkDocument(document, (part, { kind, pointer }) => {
    if (kind === 'schema' && isRecord(part)) pointers.set(part, pointer);
  });
  // Inner schemas stand behind those that hold them, and are known first from the end.
  const endless = new Set([...pointers.keys()].toReversed());
  const dropped = new Map<string, Fault>();
  const unmet = (schema: RawDocument): Need | undefined =>
    needsOf(document, schema, pointers.get(schema) ?? '').find(
      ({ schemas, fault }) =>
        schemas.every((one) => endless.has(one)) && !(fault && dropped.has(fault.pointer)),
    );
  while (endless.size > 0) {
    const before = endless.size;
    for (const schema of endless) if (!unmet(schema)) endless.delete(schema);
    if (endless.size < before) continue;
    const circle = findCircle([...endless].at(-1) as RawDocument, unmet);
    const fault = [...circle.values()].find((need) => need.fault)?.fault;
    if (fault) dropped.set(fault.pointer, fault);
    else for (const schema of circle.keys()) endless.delete(schema);
  }
  return [...dropped.values()];
}

/** The schemas that need each other in a circle, to which the needs of the first one lead. */
function findCircle(
  first: RawDocument,
  unmet: (schema: RawDocument) => Need | undefined,
): Map<RawDocument, Need> {
  const path = new Map<RawDocument, Need>();
  let schema: RawDocument | undefined = first;
  while (schema && !path.has(schema)) {
    const need = unmet(schema);
    if (!need) break;
    path.set(schema, need);
    schema = need.schemas[0];
  }
  const entries = [...path];
  return new Map(entries.slice(entries.findIndex(([one]) => one === schema)));
}

function needsOf(document: RawDocument, schema: RawDocument, pointer: string): Need[] {
  if ('const' in schema || 'enum' in schema) return [];
  const needs: Need[] = [];
  if (typeof schema.$ref === 'string') {
    const target = follow(document, schema.$ref);
    if (isRecord(target)) needs.push({ schemas: [target] });
  }
  for (const one of listOf(schema.allOf)) if (isRecord(one)) needs.push({ schemas: [one] });
  for (const keyword of ['anyOf', 'oneOf']) {
    const alternatives = listOf(schema[keyword]);
    if (alternatives.length > 0 && alternatives.every(isRecord))
      needs.push({ schemas: alternatives });
  }
  const [type, ...others] = [schema.type].flat();
  if (others.length > 0) return needs;
  if (type === 'object') needs.push(...needsOfObject(schema, pointer));
  if (type === 'array' && Number(schema.minItems ?? 0) > 0 && isRecord(schema.items))
    needs.push({
      schemas: [schema.items],
      fault: {
        pointer: `${pointer}/minItems`,
        problem: 'each item must hold further items without end; an empty list is taken, too',
        mend: () => delete schema.minItems,
      },
    });
  return needs;
}

function needsOfObject(schema: RawDocument, pointer: string): Need[] {
  return listOf(schema.required).flatMap((name, index) => {
    const property: unknown = isRecord(schema.properties) && schema.properties[name as string];
    if (!isRecord(property)) return [];
    return {
      schemas: [property],
      fault: {
        pointer: `${pointer}/required/${index}`,
        problem: `"${name}" must hold another "${name}" without end; it is taken as optional`,
        mend: () => {
          schema.required = listOf(schema.required).filter((one) => one !== name);
        },
      },
    };
  });
}

function listOf(value: unknown): unknown[] {
  return Array.isArray(value) ? value : [];
}
