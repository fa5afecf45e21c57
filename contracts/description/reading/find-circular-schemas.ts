import { follow, type RawDocument } from '../schema.ts';
import { type Fault, removal } from './fault.ts';
import { isRecord, walkDocument } from './walk.ts';

const lists = ['allOf', 'anyOf', 'oneOf'];
const ones = ['not', 'if', 'then', 'else'];

/** A schema that describes the same value as the one that holds it. */
type Same = {
  schema: RawDocument;
  /** The pointer of the schema itself. */
  at: string;
  /** What leads there. */
  pointer: string;
  mend: () => void;
};

/**
 * Schemas that lead back to themselves for one and the same value, which no validation of it would
 * end at.
 */
export function findCircularSchemas(document: RawDocument): Fault[] {
  const faults: Fault[] = [];
  const states = new Map<RawDocument, 'open' | 'done'>();
  const visit = (schema: RawDocument, pointer: string): void => {
    states.set(schema, 'open');
    for (const same of sameValueOf(document, schema, pointer)) {
      const state = states.get(same.schema);
      if (state === 'open')
        faults.push({
          pointer: same.pointer,
          problem: 'it leads back to itself, which is circular; it is ignored',
          mend: same.mend,
        });
      else if (state === undefined) visit(same.schema, same.at);
    }
    states.set(schema, 'done');
  };
  walkDocument(document, (part, { kind, pointer }) => {
    if (kind === 'schema' && isRecord(part) && !states.has(part)) visit(part, pointer);
  });
  return faults;
}

function sameValueOf(document: RawDocument, schema: RawDocument, pointer: string): Same[] {
  const found: Same[] = [];
  if (typeof schema.$ref === 'string') {
    const target = follow(document, schema.$ref);
    if (isRecord(target))
      found.push({
        schema: target,
        at: decodeURIComponent(schema.$ref.slice(1)),
        pointer: `${pointer}/$ref`,
        mend: removal(schema, '$ref'),
      });
  }
  for (const keyword of lists) {
    const list: unknown = schema[keyword];
    if (!Array.isArray(list)) continue;
    list.forEach((inner, index) => {
      const at = `${pointer}/${keyword}/${index}`;
      if (isRecord(inner))
        found.push({ schema: inner, at, pointer: at, mend: () => (list[index] = true) });
    });
  }
  for (const keyword of ones) {
    const inner: unknown = schema[keyword];
    const at = `${pointer}/${keyword}`;
    if (isRecord(inner))
      found.push({ schema: inner, at, pointer: at, mend: removal(schema, keyword) });
  }
  return found;
}
