import type { ApiDocument } from '../../contracts/description/document.ts';

/**
 * Makes what finds the path of an operation that differs from a path in the slash at its end alone,
 * where there is one that would be answered.
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
    return similar.length <= maxPath && paths.some((pattern) => pattern.test(similar))
      ? similar
      : undefined;
  };
}

/** The longest path that an answer names. */
const maxPath = 200;

function toPattern(template: string): RegExp {
  const parts = template
    .split(/(\{[^{}]+\})/)
    .map((part) => (part.startsWith('{') ? '[^/]+' : RegExp.escape(part)));
  return new RegExp(`^${parts.join('')}$`);
}
