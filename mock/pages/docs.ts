import type { ApiDocument } from '../../contracts/description/document.ts';
import { createReference, type Reference } from '../../contracts/reference/reference.ts';
import type { Asset } from './assets.ts';

/**
 * Reads the files of the reference at `/__docs/`, by their paths below it and the time that they go
 * by. It is made at the first visit, and its pages one by one.
 */
export function createReadDocs(
  document: ApiDocument,
): (path: string, now: number) => Asset | undefined {
  let reference: Reference | undefined;
  return (path, now) => {
    reference ??= createReference(document, {
      twin: {
        styles: [],
        modules: [],
        links: [
          { title: 'Start page', href: '../' },
          { title: 'Console', href: '../__admin/console' },
        ],
      },
    });
    return reference.render(path === '' ? 'index.html' : path, { now });
  };
}
