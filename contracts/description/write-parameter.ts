import type { Parameter } from './operation.ts';

/** What a parameter is sent as, not yet encoded: pairs of a query or of cookies, else one text. */
export type WrittenParameter = { pairs: [name: string, text: string][] } | { text: string };

/** A value that can be written into a parameter. */
type Value = string | number | bigint | boolean | null | Value[] | { [name: string]: Value };

/**
 * Writes a value as a parameter by its place and style (OpenAPI 3.1 §4.8.12.3). What is deeper than a
 * style allows is written as JSON.
 */
export function writeParameter(parameter: Parameter, value: unknown): WrittenParameter {
  const { name, in: place, style, explode, content } = parameter;
  const isPairs = place === 'query' || place === 'cookie';
  const whole = (text: string): WrittenParameter =>
    isPairs ? { pairs: [[name, text]] } : { text };
  if (content && content.mediaType !== 'application/x-www-form-urlencoded')
    return whole(typeof value === 'string' ? value : toJson(value));
  if (typeof value !== 'object' || value === null)
    return writeText(parameter, toPart(value), whole);
  const isList = Array.isArray(value);
  const members = Object.entries(value).map(([key, inner]) => [key, toPart(inner)] as const);
  const flat = members.flatMap(([key, part]) => (isList ? [part] : [key, part]));
  const assigned = members.map(([key, part]) => (isList ? part : `${key}=${part}`));
  if (style === 'deepObject') return { pairs: toDeepPairs(name, value as Value) };
  if (place === 'querystring') return { text: new URLSearchParams(toPairs(members)).toString() };
  if (isPairs)
    return explode
      ? { pairs: members.map(([key, part]) => [isList ? name : key, part]) }
      : whole(flat.join(delimiters[style] ?? ','));
  if (style === 'label')
    return { text: `.${(explode ? assigned : flat).join(explode ? '.' : ',')}` };
  if (style !== 'matrix') return { text: (explode ? assigned : flat).join(',') };
  if (!explode) return { text: `;${name}=${flat.join(',')}` };
  const parts = isList ? flat.map((part) => `${name}=${part}`) : assigned;
  return { text: `;${parts.join(';')}` };
}

const delimiters: Readonly<Record<string, string>> = { spaceDelimited: ' ', pipeDelimited: '|' };

function writeText(
  { name, style }: Parameter,
  text: string,
  whole: (text: string) => WrittenParameter,
): WrittenParameter {
  if (style === 'label') return { text: `.${text}` };
  return style === 'matrix' ? { text: `;${name}=${text}` } : whole(text);
}

function toPairs(members: readonly (readonly [string, string])[]): [string, string][] {
  return members.map(([key, part]) => [key, part]);
}

function toDeepPairs(name: string, value: Value): [string, string][] {
  if (Array.isArray(value)) return value.flatMap((inner) => toDeepPairs(name, inner));
  if (typeof value !== 'object' || value === null) return [[name, toPart(value)]];
  return Object.entries(value).flatMap(([key, inner]) => toDeepPairs(`${name}[${key}]`, inner));
}

function toPart(value: unknown): string {
  return typeof value === 'object' && value !== null ? toJson(value) : String(value ?? '');
}

function toJson(value: unknown): string {
  return JSON.stringify(value, (_, inner) => (typeof inner === 'bigint' ? Number(inner) : inner));
}
