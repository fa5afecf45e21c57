import type { Parameter } from './operation.ts';
import { delimiters, toText, writeBody } from './write-body.ts';

/** A parameter as it is sent, not yet encoded: pairs of a query or of cookies, else one text. */
export type WrittenParameter = { pairs: [name: string, text: string][] } | { text: string };

/**
 * Writes a value as a parameter by its place and style (OpenAPI 3.1 §4.8.12.3). What is deeper than a
 * style allows is written as JSON; a path is written in the style `simple` or `matrix`. Of a part that has the
 * delimiter in it, what stands before that is written: a reader would take it for two.
 */
export function writeParameter(parameter: Parameter, value: unknown): WrittenParameter {
  const { name, in: place, style, explode, content } = parameter;
  const isPairs = place === 'query' || place === 'cookie';
  const whole = (text: string): WrittenParameter =>
    isPairs ? { pairs: [[name, text]] } : { text };
  if (content) return whole(writeBody(content, value)?.body ?? toText(value));
  if (typeof value !== 'object' || value === null) return whole(toText(value));
  if (style === 'deepObject') return { pairs: toDeepPairs(name, value) };
  const isList = Array.isArray(value);
  const members = Object.entries(value).map(([key, inner]): [string, string] => [
    key,
    toText(inner),
  ]);
  const pairs = members.map(([key, part]): [string, string] => [isList ? name : key, part]);
  if (isPairs && explode) return { pairs };
  if (style === 'matrix') return { text: pairs.map((pair) => `;${pair.join('=')}`).join('') };
  const delimiter = style === 'dotDelimited' && explode ? '.' : (delimiters[style] ?? ',');
  const separator = explode ? '=' : delimiter;
  const parts = members.map(([key, inner]) => {
    const [part = ''] = inner.split(delimiter);
    return isList ? part : `${key}${separator}${part}`;
  });
  return whole(parts.join(delimiter));
}

function toDeepPairs(name: string, value: unknown): [string, string][] {
  if (Array.isArray(value)) return value.flatMap((inner) => toDeepPairs(name, inner));
  if (typeof value !== 'object' || value === null) return [[name, toText(value)]];
  return Object.entries(value).flatMap(([key, inner]) => toDeepPairs(`${name}[${key}]`, inner));
}
