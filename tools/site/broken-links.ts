import { existsSync, globSync, readFileSync } from 'node:fs';
import { join, posix } from 'node:path';

/**
 * The links within a site that lead nowhere, and whatever else its pages load that is not there or
 * is elsewhere, each as the page and the address.
 */
export function brokenLinks(folder: string): string[] {
  const texts = new Map(
    globSync('**/*.html', { cwd: folder }).map((path) => [
      path.replaceAll('\\', '/'),
      readFileSync(join(folder, path), 'utf8'),
    ]),
  );
  const ids = new Map(
    Array.from(texts, ([path, text]) => [
      path,
      new Set(Array.from(text.matchAll(/\sid="([^"]*)"/g), ([, id]) => id)),
    ]),
  );
  return Array.from(texts).flatMap(([page, text]) =>
    Array.from(text.matchAll(/<(\w+)[^>]*?\s(?:href|src)="([^"]*)"/g)).flatMap(
      ([, tag, href = '']) => {
        if (/^[a-z]+:/.test(href)) return tag === 'a' ? [] : [`${page}: ${href} is elsewhere`];
        const [path = '', id] = href.split('#');
        const target = path === '' ? page : posix.join(posix.dirname(page), path);
        const isThere = existsSync(join(folder, target));
        const hasId = !id || ids.get(target)?.has(decodeURIComponent(id)) !== false;
        return isThere && hasId ? [] : [`${page}: ${href} is not there`];
      },
    ),
  );
}
