import { toToken } from '../json-pointer.ts';
import type { RawDocument } from '../schema.ts';
import { type Fault, removal } from './fault.ts';
import { isRecord, type Place } from './walk.ts';

/** Headers of a response with names that no header can have (RFC 9110 §5.1). */
export function findHeaderFaults({ headers }: RawDocument, place: Place): Fault[] {
  const isName = (name: string) => /^[\w!#$%&'*+.^`|~-]+$/.test(name);
  const problem = 'it is not a name that a header can have; it is left out';
  return findKeyFaults(headers, `${place.pointer}/headers`, { isRight: isName, problem });
}

/** Contents by media types that no Content-Type can have (RFC 9110 §5.5). */
export function findContentFaults({ content }: RawDocument, place: Place): Fault[] {
  const isPrintable = (type: string) => /^[\t -~]*$/.test(type);
  const problem = 'a media type has printable ASCII characters only; it is left out';
  return findKeyFaults(content, `${place.pointer}/content`, { isRight: isPrintable, problem });
}

function findKeyFaults(
  parts: unknown,
  pointer: string,
  { isRight, problem }: { isRight: (key: string) => boolean; problem: string },
): Fault[] {
  if (!isRecord(parts)) return [];
  const wrong = Object.keys(parts).filter((key) => !isRight(key));
  return wrong.map((key) => ({
    pointer: `${pointer}/${toToken(key)}`,
    problem,
    mend: removal(parts, key),
  }));
}
