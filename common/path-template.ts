import { remembered } from './remembered.ts';

/** Tells whether a template needs no encoding, so that requests of it have but one form. */
export function isPlainTemplate(template: string): boolean {
  return /^[\w\-.~{}/:]*$/.test(template);
}

/**
 * Returns a path, or the text of a template, in the form that both are compared in: encoded as it
 * has to be, and not otherwise (RFC 3986 §6.2.2). Reserved characters stay as they are.
 */
export function toComparedPath(path: string): string {
  return path.replace(/(?:%[\da-f]{2}|[^!-~]|["<>[\\\]^`|])+/giu, (part) => {
    try {
      return encodeURIComponent(decodeURIComponent(part));
    } catch {
      return part;
    }
  });
}

/**
 * A path template with the names of its parameters left out, and a slash at its end: `/users/{}/posts`.
 */
export const shapeOf = remembered((path) =>
  withoutSlash(toPlainPath(path).replace(/\{[^{}]*\}/g, '{}')),
);

/** The names of the parameters in a path, in its order. */
export function parametersIn(path: string): string[] {
  return [...path.matchAll(/\{([^{}]+)\}/g)].map(([, name = '']) => name);
}

/** The values of a path's parameters, by the shapes of its beginnings that end with them. */
export function placesIn(path: string, values: readonly unknown[]): Record<string, unknown> {
  const shapes = [...shapeOf(path).matchAll(/\{\}/g)].map(({ input, index }) =>
    input.slice(0, index + 2),
  );
  return Object.fromEntries(shapes.map((shape, index) => [shape, values[index]]));
}

/** A path without the slash at its end: `/flows/` holds the items of `/flows/{id}`. */
export function withoutSlash(path: string): string {
  return path.length > 1 && path.endsWith('/') ? path.slice(0, -1) : path;
}

/**
 * Returns a path as most are written: `/pets({id})`, `/pets/{id}.json` and `/pets/{id}.{format}` are
 * `/pets/{id}`, and `/pets/{id}:cancel` is `/pets/{id}/cancel`; neither has the dot or the name of a matrix before `{id}`.
 */
export function toPlainPath(path: string): string {
  return path
    .replace(/(?:\/\.|\/?;\w+=)(?=\{)/g, '/')
    .replace(/\((?:\w+=)?'?(\{[^{}]+\})'?\)/g, '/$1')
    .replace(/\(\)$/, '')
    .replace(/(?<=\}):(?=\w+$)/, '/')
    .replace(/(?<=\})\.(\w+|\{\w+\})$/, '');
}

/**
 * Returns the paths of operations in that form: without the suffix that those of items have, with their
 * verb as a segment, and without the word that a POST creates by. A path stays if another has its form,
 * or if its last parameter stands behind no word and so is no format: `/versions/{major}.{minor}`.
 */
export function toPlainPaths(operations: readonly { method: string; path: string }[]): string[] {
  const paths = new Set(operations.map(({ path }) => path));
  const posts = new Set(operations.flatMap((one) => (one.method === 'POST' ? one.path : [])));
  const formats = new Set([...paths].map((path) => /[^/{}](\.\{\w+\})$/.exec(path)?.[1]));
  const toPlain = (path: string) => {
    const [suffix] = /(?<=\})\.\{\w+\}$/.exec(path) ?? [];
    return suffix === undefined || formats.has(suffix) ? toPlainPath(path) : path;
  };
  const plain = new Set([...paths].map(toPlain));
  const suffixes = new Set([...paths].map((path) => /\}(\.(?:\w+|\{\w+\}))$/.exec(path)?.[1]));
  const hasItems = (path: string) => [...plain].some((one) => one.startsWith(`${path}/{`));
  return operations.map(({ method, path }) => {
    const [, collection = '', word = ''] =
      /^(.*[^/{}])(\.\w+|\.\{\w+\}|:\w+|\/create|\/add)$/.exec(path) ?? [];
    const isSuffix = word.startsWith('.') && (hasItems(collection) || suffixes.has(word));
    if (isSuffix && !paths.has(collection)) return collection;
    if (word.startsWith(':') && paths.has(collection)) return path.replace(/:(?=\w+$)/, '/');
    if (word.startsWith('/') && method === 'POST' && hasItems(collection) && !posts.has(collection))
      return collection;
    return paths.has(toPlain(path)) ? path : toPlain(path);
  });
}

/** Returns the last word of a path that is no parameter: `posts` of `/users/{userId}/posts`. */
export const lastWordOf = remembered(
  (path) => path.split('/').findLast((segment) => segment !== '' && !segment.includes('{')) ?? '',
);

/** Returns what follows the last slash of a text: `7` of `shelves/7`. */
export function lastSegmentOf(text: string): string {
  return text.slice(text.lastIndexOf('/') + 1);
}

/** Matches the paths of a template, and finds the values that they have for its parameters. */
export const patternOf = remembered((template) => {
  const parts = template.split(/\{[^{}]*\}/).map((part) => RegExp.escape(part));
  return new RegExp(`^${parts.join('([^/]+)')}$`);
});

/** A part of a URL without its percent-encoding; as it is where that is broken, as clients send it. */
export function unescaped(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
