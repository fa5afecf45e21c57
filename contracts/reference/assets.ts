import { moduleExtension, readScript } from '../look/browser-code.ts';
import { readIcon, readLook } from '../look/read-look.ts';
import { readOwn } from '../look/read-own.ts';

/** A file of the reference. */
export type ReferenceFile = {
  mediaType: string;
  text: string;
};

const style = { mediaType: 'text/css; charset=utf-8' };

/** The modules of all pages, each before those that import it. */
const modules = ['../look/browser/copy', 'browser/search', 'browser/reference'];

/** What pages load, by its path; read when it is asked for. */
export const assets: ReadonlyMap<string, () => ReferenceFile> = new Map([
  ['assets/look.css', () => ({ ...style, text: readLook() })],
  ['assets/reference.css', () => ({ ...style, text: readOwn(toUrl('browser/reference.css')) })],
  ['assets/icon.svg', () => ({ mediaType: 'image/svg+xml', text: readIcon() })],
  [
    'assets/reference.js',
    () => ({
      mediaType: 'text/javascript; charset=utf-8',
      text: readScript(modules.map((path) => toUrl(path + moduleExtension))),
    }),
  ],
]);

function toUrl(path: string): URL {
  return new URL(path, import.meta.url);
}
