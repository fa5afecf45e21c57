import { toVisible } from '../../common/look/visible.ts';

/**
 * A text from elsewhere as a JSON string for a message: at most its first `max` characters, whole
 * ones, marked where it is cut, and with the escapes of JSON in place of what nobody sees.
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
