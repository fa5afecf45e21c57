import type { ApiDocument } from '../../contracts/description/document.ts';

/**
 * Makes the search for the path of an operation that differs only in a final slash or in upper and
 * lower case, if that path would be answered.
 */
export function createFindSimilarPath({
  basePath,
  operations,
}: ApiDocument): (path: string) => string | undefined {
  const paths = [...new Set(operations.map(({ path }) => path))].map((path) =>
    toPattern(basePath + path),
  );
  return (path) => {
    const similar = path.endsWith('/') ? path.slice(0, -1) : `${path}/`;
    if (Math.max(path.length, similar.length) > maxPath) return undefined;
    if (paths.some((pattern) => pattern.test(similar))) return similar;
    const inLowerCase = [path, similar].map((one) => one.toLowerCase());
    return inLowerCase.find((lower) => paths.some((pattern) => pattern.test(lower)));
  };
}

/** The maximum length of a path that an answer names. */
const maxPath = 200;

function toPattern(template: string): RegExp {
  const parts = template
    .split(/(\{[^{}]+\})/)
    .map((part) => (part.startsWith('{') ? '[^/]+' : RegExp.escape(part)));
  return new RegExp(`^${parts.join('')}$`);
}
