import type { KeyPlace } from '../../contracts/description/key-places.ts';
import { basicUser } from './place-key.ts';
import type { Call, Called, FormField } from './to-curl.ts';

export type FetchOptions = {
  /** Origin and base path. */
  base: string;
  /** A key; without one, a variable `key` stands for it. */
  key: string | undefined;
};

/** A ready-to-paste snippet that calls an operation, for browsers and Node. */
export function toFetch(
  { method, keyPlaces }: Called,
  { target, headers = {}, body, mediaType = 'application/json', parts = [] }: Call,
  { base, key }: FetchOptions,
): string {
  const isForm = body !== undefined && parts.length > 0;
  const placed = placeVariable(keyPlaces);
  const fields = [
    ...placed.fields,
    ...(body === undefined || isForm ? [] : [['Content-Type', toLiteral(mediaType)] as const]),
    ...Object.entries(headers).map(([name, value]) => [name, toLiteral(value)] as const),
  ];
  const lines = [
    ...(method === 'GET' ? [] : [`  method: ${toLiteral(method)},`]),
    ...(fields.length === 0 ? [] : [`  headers: { ${fields.map(toField).join(', ')} },`]),
    ...(body === undefined ? [] : [`  body: ${isForm ? 'form' : toLiteral(body)},`]),
  ];
  const url = placed.toUrl(base + target);
  const call = lines.length === 0 ? `fetch(${url})` : `fetch(${url}, {\n${lines.join('\n')}\n})`;
  const isNamed = key !== undefined && keyPlaces.length > 0;
  return [
    ...(isNamed ? [`const key = ${toLiteral(key)};`] : []),
    ...(isForm ? ['const form = new FormData();', ...parts.map(toAppend)] : []),
    `const response = await ${call};`,
    'console.log(response.status, await response.text());',
  ].join('\n');
}

/** The line that adds a field to a form. */
function toAppend({ name, text, type, isFile }: FormField): string {
  if (type === undefined && !isFile) return `form.append(${toLiteral(name)}, ${toLiteral(text)});`;
  const options = type === undefined ? '' : `, { type: ${toLiteral(type)} }`;
  const file = `new Blob([${toLiteral(text)}]${options})`;
  return `form.append(${toLiteral(name)}, ${file}, 'example');`;
}

/** The headers with the key, as code, and the code of a URL with it. */
function placeVariable(places: readonly KeyPlace[]) {
  const names = (where: KeyPlace['in']) =>
    places.flatMap((place) => (place.in === where && 'name' in place ? [place.name] : []));
  const schemes = places.flatMap((place) => (place.in === 'authorization' ? [place.scheme] : []));
  const query = names('query').map(
    (name) => `${encodeURIComponent(name)}=\${encodeURIComponent(key)}`,
  );
  const cookies = names('cookie').map((name) => `${toTemplatePart(name)}=\${key}`);
  const fields: (readonly [name: string, code: string])[] = [
    ...names('header').map((name) => [name, 'key'] as const),
    ...schemes.map((scheme) => ['Authorization', toCredentials(scheme)] as const),
    ...(cookies.length === 0 ? [] : [['Cookie', `\`${cookies.join('; ')}\``] as const]),
  ];
  const toUrl = (url: string) =>
    query.length === 0
      ? toLiteral(url)
      : `\`${toTemplatePart(url)}${url.includes('?') ? '&' : '?'}${query.join('&')}\``;
  return { fields, toUrl };
}

function toCredentials(scheme: string): string {
  return scheme === 'Basic'
    ? `\`Basic \${btoa(\`${basicUser}:\${key}\`)}\``
    : `\`${toTemplatePart(scheme)} \${key}\``;
}

/** A text within a template. */
function toTemplatePart(text: string): string {
  return toLiteral(text).slice(1, -1).replace(/[`$]/g, '\\$&');
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
