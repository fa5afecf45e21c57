import { readFileSync } from 'node:fs';
import { moduleExtension, readBrowserCode } from '../look/browser-code.ts';
import { readIcon, readLook } from '../look/read-look.ts';

/** A file of the reference. */
export type ReferenceFile = { mediaType: string; text: string };

const style = { mediaType: 'text/css; charset=utf-8' };

/** What pages load, by its path; read when it is asked for. */
export const assets: ReadonlyMap<string, () => ReferenceFile> = new Map([
  ['assets/look.css', () => ({ ...style, text: readLook() })],
  ['assets/reference.css', () => ({ ...style, text: read('browser/reference.css') })],
  ['assets/icon.svg', () => ({ mediaType: 'image/svg+xml', text: readIcon() })],
  [
    'assets/reference.js',
    () => ({
      mediaType: 'text/javascript; charset=utf-8',
      text: toClassicScript(
        readBrowserCode(new URL(`browser/reference${moduleExtension}`, import.meta.url)),
      ),
    }),
  ],
]);

function read(file: string): string {
  return readFileSync(new URL(file, import.meta.url), 'utf8');
}

/** A page that is opened from disk loads no modules, so what imports nothing becomes a script. */
function toClassicScript(code: string): string {
  return `(() => {\n'use strict';\n${code.replace(/^export \{\};?$/m, '')}\n})();\n`;
}
