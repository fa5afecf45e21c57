import type { Parameter } from '../../../contracts/description/document.ts';
import { fromToken } from '../../../contracts/description/json-pointer.ts';

/**
 * What a message calls a part of a parameter's value: the parameter as it is sent, and what of it,
 * such as `"tag" (item 2)` or `"filter[age][from]"`. The pointer leads from the value to the part.
 */
export function namePart(
  { name, in: place, style, explode, content }: Parameter,
  pointer: string,
  value: unknown,
): string {
  const keys = pointer.split('/').slice(1).map(fromToken);
  const parts: string[] = [];
  let label = name;
  let inner = value;
  for (const [depth, key] of keys.entries()) {
    const isItem = Array.isArray(inner);
    const isOwn = depth === 0 && style === 'form' && explode && !content && place === 'query';
    if (isItem) parts.push(`item ${Number(key) + 1}`);
    else if (isOwn) label = key;
    else if (style === 'deepObject' && parts.length === 0) label += `[${key}]`;
    else parts.push(key);
    inner = (inner as Readonly<Record<string, unknown>> | null | undefined)?.[key];
  }
  return parts.length === 0 ? `"${label}"` : `"${label}" (${parts.join(', ')})`;
}
