import { stripTypeScriptTypes } from 'node:module';
import { fileURLToPath } from 'node:url';
import { readOwn } from './read-own.ts';

/** How the modules for browsers end: as written in a checkout, compiled in the package. */
export const moduleExtension = import.meta.url.endsWith('.ts') ? '.ts' : '.js';

/**
 * Returns a module of the project as JavaScript for a browser. `toUrl` maps each import, a package
 * or a file, to the URL that the browser loads; without a URL the import stays. Throws if the file
 * does not exist.
 */
export function readBrowserCode(
  file: URL,
  toUrl: (imported: string) => string | undefined = () => undefined,
): string {
  return readCode(file).replace(
    /(\b(?:from\s*|import\s*\(?\s*))(["'])([^"'\s]+)\2/g,
    (whole, keyword, quote, imported) => {
      const url = toUrl(imported);
      return url === undefined ? whole : `${keyword}${quote}${url}${quote}`;
    },
  );
}

/**
 * Modules of the project as one script, for pages that are opened from disk, where modules do not
 * load. A module stands before those that import it; `last` is code behind them all.
 */
export function readScript(modules: readonly URL[], last = ''): string {
  const codes = modules.map((module) =>
    readCode(module)
      .replace(/^import\s[^;]*;$/gm, '')
      .replace(/^export \{\};?$/gm, '')
      .replace(/^export (?=(?:async )?function|const|class)/gm, ''),
  );
  return `(() => {\n'use strict';\n${[...codes, last].join('\n')}\n})();\n`;
}

function readCode(file: URL): string {
  const source = readOwn(file);
  return fileURLToPath(file).endsWith('.ts')
    ? withoutWarning(() => stripTypeScriptTypes(source))
    : source;
}

/** Node warns of the function, whose result is what Node itself runs. */
function withoutWarning<T>(run: () => T): T {
  const { emitWarning } = process;
  process.emitWarning = () => undefined;
  try {
    return run();
  } finally {
    process.emitWarning = emitWarning;
  }
}
