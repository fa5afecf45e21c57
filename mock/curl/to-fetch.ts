import type { Operation } from '../../contracts/description/document.ts';
import type { Call } from './to-curl.ts';

export type FetchOptions = {
  /** Origin and base path. */
  base: string;
  /** A key; without one, a variable `key` stands for it. */
  key: string | undefined;
};

/** A ready-to-paste snippet that calls an operation, for browsers and Node. */
export function toFetch(
  { method, secured }: Pick<Operation, 'method' | 'secured'>,
  { target, headers = {}, body }: Call,
  { base, key }: FetchOptions,
): string {
  const bearer = key === undefined ? `\`Bearer \${key}\`` : toLiteral(`Bearer ${key}`);
  const fields = [
    ...(secured ? [['Authorization', bearer] as const] : []),
    ...(body === undefined ? [] : [['Content-Type', toLiteral('application/json')] as const]),
    ...Object.entries(headers).map(([name, value]) => [name, toLiteral(value)] as const),
  ];
  const lines = [
    ...(method === 'GET' ? [] : [`  method: ${toLiteral(method)},`]),
    ...(fields.length === 0 ? [] : [`  headers: { ${fields.map(toField).join(', ')} },`]),
    ...(body === undefined ? [] : [`  body: ${toLiteral(body)},`]),
  ];
  const url = toLiteral(base + target);
  const call = lines.length === 0 ? `fetch(${url})` : `fetch(${url}, {\n${lines.join('\n')}\n})`;
  return `const response = await ${call};\nconsole.log(response.status, await response.text());`;
}

function toField([name, value]: readonly [string, string]): string {
  return `${/^[A-Za-z_$][\w$]*$/.test(name) ? name : toLiteral(name)}: ${value}`;
}

const unseen = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu;

/** A text as JavaScript has it in single quotes; what nobody sees is escaped. */
function toLiteral(text: string): string {
  const quoted = text
    .replace(/[\\']/g, '\\$&')
    .replace(unseen, (character) =>
      [...Array(character.length).keys()]
        .map((at) => `\\u${character.charCodeAt(at).toString(16).padStart(4, '0')}`)
        .join(''),
    );
  return `'${quoted}'`;
}
