import { remembered } from './remembered.ts';

/**
 * Orders templates of paths as a request finds them: in the first segment in which two differ, one
 * without parameters comes first (OpenAPI 3.1 §4.8.8.2), and then the one with more text of its own.
 */
export function byLiteralText(left: string, right: string): number {
  const [segments, others] = [opennessOf(left), opennessOf(right)];
  for (let index = 0; index < Math.max(segments.length, others.length); index += 1) {
    const difference = (segments[index] ?? 0) - (others[index] ?? 0);
    if (difference !== 0) return difference;
  }
  return 0;
}

/** Returns 0 for a segment without parameters, 1 for a mere parameter, and less for more text. */
const opennessOf = remembered((template) =>
  template.split('/').map((segment) => {
    const text = segment.replace(/\{[^{}]*\}/g, '');
    return text === segment ? 0 : 1 / (1 + text.length);
  }),
);
