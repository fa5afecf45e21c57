import { toExcerpt } from '../look/visible.ts';
import type { ReferenceFile } from './assets.ts';
import { type Site, titleOf } from './site.ts';

/** An operation as every page finds it: the path of its page, and what is shown and searched. */
export type SearchRow = readonly [
  page: string,
  method: string,
  path: string,
  title: string,
  id: string,
];

/** The longest text of a row, in characters. */
const maxText = 200;

/** Makes the script that holds all operations; pages from disk can read nothing but scripts. */
export function toSearchList(site: Site): ReferenceFile {
  const rows = site.groups
    .flatMap(({ operations }) => operations)
    .map((operation): SearchRow => {
      const texts = [operation.path, titleOf({ site }, operation), operation.id];
      const [path = '', title = '', id = ''] = texts.map((text) => toExcerpt(text, maxText));
      return [site.paths.operations.get(operation.id) ?? '', operation.method, path, title, id];
    });
  return {
    mediaType: 'text/javascript; charset=utf-8',
    parts: [`globalThis.referenceOperations = ${JSON.stringify(rows)};\n`],
  };
}
