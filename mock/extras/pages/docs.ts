import type { Api } from '../../../openapi/index.ts';
import { createReference, type Reference } from '../../../reference/reference.ts';
import { type Asset, modulePath } from './assets.ts';

/**
 * Reads the files of the reference at `/__docs/`, by their paths below it and the time that they go
 * by; without what a twin adds to them where they are those of a published site. It is made at the
 * first visit, and its pages one by one.
 */
export function createReadDocs(
  document: Api,
  { isPublished = false } = {},
): (path: string, now: number) => Asset | undefined {
  let reference: Reference | undefined;
  return (path, now) => {
    reference ??= createReference(
      document,
      isPublished
        ? {}
        : {
            twin: {
              styles: ['../__pages/mock/extras/pages/browser/try-it.css'],
              modules: [`../__pages/${modulePath('mock/extras/pages/browser/try-it')}`],
              links: [
                { title: 'Start page', href: '../' },
                { title: 'Console', href: '../__admin/console' },
              ],
            },
          },
    );
    return reference.render(path === '' ? 'index.html' : path, { now });
  };
}
