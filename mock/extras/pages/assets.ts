import { moduleExtension, readBrowserCode } from '../../../common/look/browser-code.ts';
import { findOwn } from '../../../common/look/read-own.ts';
import { remembered } from '../../../common/remembered.ts';

/** A file that a page loads. */
export type Asset = {
  text: string;
  mediaType: string;
};

const project = new URL('../../../', import.meta.url);

/** Style sheets, images and modules of the project, by their paths in it. */
const ownPath =
  /^(?:common|contracts|mock|openapi|reference)\/(?:[\w-]+\/)*[\w-]+\.(?:css|js|svg|ts)$/;

/** Packages for browsers, by what modules import. */
const vendors: Readonly<Record<string, string>> = {
  htm: 'vendor/htm.mjs',
  'htm/preact': 'vendor/htm-preact.mjs',
  preact: 'vendor/preact.mjs',
  'preact/hooks': 'vendor/preact-hooks.mjs',
};

/** The path below `/__pages/` of a module, which is given without its extension. */
export function modulePath(name: string): string {
  return `${name}${moduleExtension}`;
}

/** Reads the files that pages load, each at its first request; a path is what `/__pages/` has. */
export function createReadAsset(): (path: string) => Asset | undefined {
  return remembered(readAsset);
}

function readAsset(path: string): Asset | undefined {
  const url = ownPath.test(path) ? new URL(path, project) : toPackage(path);
  const text = url && findOwn(url);
  if (text === undefined) return undefined;
  if (path.endsWith('.css')) return { mediaType: 'text/css; charset=utf-8', text };
  if (path.endsWith('.svg')) return { mediaType: 'image/svg+xml', text };
  const root = '../'.repeat(path.split('/').length - 1);
  const toUrl = (imported: string) => (imported in vendors ? root + vendors[imported] : undefined);
  return {
    mediaType: 'text/javascript; charset=utf-8',
    text: readBrowserCode(url as URL, toUrl),
  };
}

/** The modules of the published package are bundled with what they import. */
function toPackage(path: string): URL | undefined {
  const found = Object.entries(vendors).find(([, served]) => served === path);
  return found && moduleExtension === '.ts' ? new URL(import.meta.resolve(found[0])) : undefined;
}
