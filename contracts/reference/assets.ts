import { readFileSync } from 'node:fs';
import { moduleExtension, readBrowserCode } from '../look/browser-code.ts';
import { readIcon, readLook } from '../look/read-look.ts';

/** A file of the reference; a large one is made part by part. */
export type ReferenceFile = { mediaType: string; parts: Iterable<string> };

const style = { mediaType: 'text/css; charset=utf-8' };

/** What pages load, by its path; read when it is asked for. */
export const assets: ReadonlyMap<string, () => ReferenceFile> = new Map([
  ['assets/look.css', () => ({ ...style, parts: [readLook()] })],
  ['assets/reference.css', () => ({ ...style, parts: [read('browser/reference.css')] })],
  ['assets/icon.svg', () => ({ mediaType: 'image/svg+xml', parts: [readIcon()] })],
  [
    'assets/reference.js',
    () => ({
      mediaType: 'text/javascript; charset=utf-8',
      parts: [
        toClassicScript(
          readBrowserCode(new URL(`browser/reference${moduleExtension}`, import.meta.url)),
        ),
      ],
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
