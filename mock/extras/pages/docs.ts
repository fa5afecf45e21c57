import { once } from '../../../common/once-per.ts';
import type { Api } from '../../../openapi/index.ts';
import { createReference } from '../../../reference/reference.ts';
import { type Asset, modulePath } from './assets.ts';

/**
 * Reads files of the reference at `/__docs/` by path, for the sandbox's time. The files of a
 * published site lack the mock's additions. The reference is built at the first visit, page by
 * page.
 */
export function createReadDocs(
  document: Api,
  { isPublished = false } = {},
): (path: string, now: number) => Asset | undefined {
  const reference = once(() =>
    createReference(
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
    ),
  );
  return (path, now) => reference().render(path === '' ? 'index.html' : path, { now });
}
