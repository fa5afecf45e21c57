import { setImmediate } from 'node:timers/promises';
import type { ApiDocument } from '../../../contracts/description/document.ts';
import { createReference, type Reference } from '../../../contracts/reference/reference.ts';
import { type Asset, modulePath } from './assets.ts';

/**
 * Reads the files of the reference at `/__docs/`, by their paths below it and the time that they go
 * by; without what a twin adds to them where they are those of a published site. It is made at the first visit, and its pages one by one.
 */
export function createReadDocs(
  document: ApiDocument,
  { isPublished = false } = {},
): (path: string, now: number) => Promise<Asset | undefined> {
  let reference: Reference | undefined;
  return async (path, now) => {
    reference ??= createReference(
      document,
      isPublished
        ? {}
        : {
            twin: {
              styles: ['../__pages/pages/try-it.css'],
              modules: [`../__pages/${modulePath('pages', 'try-it')}`],
              links: [
                { title: 'Start page', href: '../' },
                { title: 'Console', href: '../__admin/console' },
              ],
            },
          },
    );
    const file = reference.render(path === '' ? 'index.html' : path, { now });
    if (!file) return undefined;
    const { parts, ...kind } = file;
    return { ...kind, text: await join(parts) };
  };
}

/** Milliseconds after which other requests have their turn. */
const maxTurn = 10;

/** Joins parts that are made meanwhile, and holds up no call of the API for long. */
async function join(parts: Iterable<string>): Promise<string> {
  const texts: string[] = [];
  let start = performance.now();
  for (const part of parts) {
    texts.push(part);
    if (performance.now() - start < maxTurn) continue;
    await setImmediate();
    start = performance.now();
  }
  return texts.join('');
}
