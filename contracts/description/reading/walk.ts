import { toToken } from '../json-pointer.ts';
import type { RawDocument } from '../schema.ts';
import { type FieldShape, fieldsOf, type PartKind } from './parts.ts';

/** A part of a document, and where it is. */
export type Place = {
  kind: PartKind;
  /** A JSON pointer, without `#`. */
  pointer: string;
  /** What holds the part, and by which key. */
  holder: RawDocument;
  key: string | number;
};

/**
 * Visits each part of an OpenAPI 3 document once, from the outside in, whatever it is; examples,
 * extensions and other values are no parts. What a visit changes within its part is followed as it
 * is after that.
 */
export function walkDocument(
  document: RawDocument,
  visit: (part: unknown, place: Place) => void,
): void {
  const seen = new Set<unknown>();
  const enter = (part: unknown, place: Place): void => {
    if (typeof part === 'object' && part !== null) {
      if (seen.has(part)) return;
      seen.add(part);
    }
    visit(part, place);
    if (!isRecord(part)) return;
    const fields = fieldsOf[place.kind];
    for (const name of Object.keys(part)) {
      const ofRest = name.startsWith('x-') ? undefined : fields['*'];
      const shape = Object.hasOwn(fields, name) ? fields[name] : ofRest;
      if (shape) enterField(part, { ...place, key: name }, shape);
    }
  };
  const enterField = (holder: RawDocument, { pointer, key }: Place, { kind, as }: FieldShape) => {
    const value: unknown = holder[key];
    const at = `${pointer}/${toToken(String(key))}`;
    if (as === 'one') return enter(value, { kind, pointer: at, holder, key });
    if (as === 'list' ? !Array.isArray(value) : !isRecord(value)) return;
    const held = value as RawDocument;
    for (const [name, inner] of Object.entries(held)) {
      if (as === 'map' && isExtension(name, kind)) continue;
      const innerKey = as === 'list' ? Number(name) : name;
      enter(inner, { kind, pointer: `${at}/${toToken(name)}`, holder: held, key: innerKey });
    }
  };
  enter(document, { kind: 'document', pointer: '', holder: {}, key: '' });
}

/** Paths, responses and callbacks may have extensions beside what they name. */
function isExtension(name: string, kind: PartKind): boolean {
  return name.startsWith('x-') && ['path item', 'response', 'callback'].includes(kind);
}

/** Whether a value is an object, and no list. */
export function isRecord(value: unknown): value is RawDocument {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
