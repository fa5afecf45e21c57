import { toVisible } from '../../common/look/visible.ts';

/**
 * Quotes an untrusted text as a JSON string for a message. Shows at most `max` whole characters
 * with a mark where it is cut, and escapes invisible characters.
 */
export function quote(text: string, max = 60): string {
  if (text.length <= max) return toVisible(JSON.stringify(text));
  const characters = [...text.slice(0, max * 2)];
  const shown =
    characters.length > max || text.length > max * 2
      ? `${characters.slice(0, max - 3).join('')}...`
      : text;
  return toVisible(JSON.stringify(shown));
}
