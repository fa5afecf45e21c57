import { fromFragmentToken } from '../../common/json-pointer.ts';
import { patternOf, unescaped, withoutSlash } from '../../common/path-template.ts';
import { valueIn } from '../../common/property-path.ts';

/** A place within a JSON value: the keys and indexes that lead there. */
export type Place = readonly string[];

const maxKeyLength = 40;

/** The place that the fragment of a JSON pointer names (RFC 6901 §6), such as `#/3/id`. */
export function toPlace(fragment: string): Place {
  return fragment.split('/').slice(1).map(fromFragmentToken);
}

/** A place as a person writes it: `[3].id`, and `the body` for the whole. */
export function nameOf(root: unknown, place: Place): string {
  if (place.length === 0) return 'the body';
  return place
    .map((key, depth) => {
      if (Array.isArray(valueIn(root, place.slice(0, depth)))) return `[${key}]`;
      if (/^[\p{L}_$][\p{L}\p{N}_$]{0,39}$/u.test(key)) return depth === 0 ? key : `.${key}`;
      return `[${toText(key, maxKeyLength)}]`;
    })
    .join('');
}

/** A text in quotes, cut at a length, in which every character can be seen. */
export function toText(text: string, maxLength: number): string {
  const characters = [...text.slice(0, maxLength * 2)];
  const isCut = text.length > maxLength * 2 || characters.length > maxLength;
  const shown = isCut ? `${characters.slice(0, maxLength - 3).join('')}...` : text;
  return JSON.stringify(shown).replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, (char) => {
    const code = (char.codePointAt(0) as number).toString(16);
    return code.length > 4 ? `\\u{${code}}` : `\\u${code.padStart(4, '0')}`;
  });
}

/** The values that a path has for the parameters of a template, decoded; none if it is another path. */
export function valuesIn(template: string, path: string): string[] {
  return (patternOf(withoutSlash(template)).exec(withoutSlash(path)) ?? []).slice(1).map(unescaped);
}
