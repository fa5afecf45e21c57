import { moduleExtension, readScript } from '../look/browser-code.ts';
import { readIcon, readLook } from '../look/read-look.ts';
import { readOwn } from '../look/read-own.ts';

/** A file of the reference; a large one is made part by part. */
export type ReferenceFile = {
  mediaType: string;
  parts: Iterable<string>;
  /** Whether it says why there is no such file. */
  isRefusal?: true;
};

const style = { mediaType: 'text/css; charset=utf-8' };

/** What pages load, by its path; read when it is asked for. */
export const assets: ReadonlyMap<string, () => ReferenceFile> = new Map([
  ['assets/look.css', () => ({ ...style, parts: [readLook()] })],
  [
    'assets/reference.css',
    () => ({ ...style, parts: [readOwn(new URL('browser/reference.css', import.meta.url))] }),
  ],
  ['assets/icon.svg', () => ({ mediaType: 'image/svg+xml', parts: [readIcon()] })],
  [
    'assets/reference.js',
    () => ({
      mediaType: 'text/javascript; charset=utf-8',
      parts: [
        readScript([
          toModule('../look/browser/copy'),
          toModule('browser/search'),
          toModule('browser/reference'),
        ]),
      ],
    }),
  ],
]);

function toModule(path: string): URL {
  return new URL(path + moduleExtension, import.meta.url);
}
