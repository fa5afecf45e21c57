import { moduleExtension, readBrowserCode } from '../../../contracts/look/browser-code.ts';
import { readIcon, readLook } from '../../../contracts/look/read-look.ts';
import { findOwn } from '../../../contracts/look/read-own.ts';

/** A file that a page loads. */
export type Asset = {
  text: string;
  mediaType: string;
};

/** Folders with modules and style sheets for browsers, by the names that they are served under. */
const folders: Readonly<Record<string, URL>> = {
  console: new URL('../console/browser/', import.meta.url),
  look: new URL('../../../contracts/look/browser/', import.meta.url),
  pages: new URL('browser/', import.meta.url),
};

/** Packages for browsers, by the names that they are served under. */
const browserPackages: Readonly<Record<string, string>> = {
  'htm.mjs': 'htm',
  'htm-preact.mjs': 'htm/preact',
  'preact.mjs': 'preact',
  'preact-hooks.mjs': 'preact/hooks',
};

/** Modules that Node runs too, by the paths that they are served under. */
const modulesForBoth: Readonly<Record<string, URL>> = Object.fromEntries(
  [
    '../../../contracts/description/json-pointer',
    '../../../contracts/description/property-path',
    '../../../contracts/json-text',
    '../../../contracts/look/visible',
    '../../curl/place-key',
    '../../curl/shell',
    '../../curl/to-curl',
    '../../curl/to-target',
    './samples',
  ].map((path) => [
    `both/${path.split('/').at(-1)}${moduleExtension}`,
    new URL(`${path}${moduleExtension}`, import.meta.url),
  ]),
);

/** Where packages and modules for both are served, by their names and URLs. */
const pathsByTarget: ReadonlyMap<string, string> = new Map([
  ...Object.entries(browserPackages).map(([file, name]) => [name, `vendor/${file}`] as const),
  ...Object.entries(modulesForBoth).map(([path, { href }]) => [href, path] as const),
]);

const style = { mediaType: 'text/css; charset=utf-8' };
const script = { mediaType: 'text/javascript; charset=utf-8' };

/** Files that all pages share. */
const shared: Readonly<Record<string, () => Asset>> = {
  'look.css': () => ({ ...style, text: readLook() }),
  'icon.svg': () => ({ mediaType: 'image/svg+xml', text: readIcon() }),
};

/** The path below `/__pages/` of a module of a page. */
export function modulePath(folder: keyof typeof folders, name: string): string {
  return `${folder}/${name}${moduleExtension}`;
}

/** Reads the files that pages load, each at its first request; a path is what `/__pages/` has. */
export function createReadAsset(): (path: string) => Asset | undefined {
  const assets = new Map<string, Asset>();
  return (path) => {
    const asset = assets.get(path) ?? readAsset(path);
    if (asset) assets.set(path, asset);
    return asset;
  };
}

function readAsset(path: string): Asset | undefined {
  if (Object.hasOwn(shared, path)) return shared[path]?.();
  const url = toFile(path);
  const text = url && findOwn(url);
  if (text === undefined) return undefined;
  return path.endsWith('.css') ? { ...style, text } : toScript(url as URL);
}

function toFile(path: string): URL | undefined {
  if (Object.hasOwn(modulesForBoth, path)) return modulesForBoth[path];
  const [, folder = '', file = ''] = /^([a-z]+)\/([\w-]+\.(?:css|ts|js|mjs))$/.exec(path) ?? [];
  if (folder === 'vendor') return toPackage(file);
  return Object.hasOwn(folders, folder) ? new URL(file, folders[folder]) : undefined;
}

/** The modules of the published package are bundled with what they import. */
function toPackage(file: string): URL | undefined {
  const isThere = moduleExtension === '.ts' && Object.hasOwn(browserPackages, file);
  return isThere ? new URL(import.meta.resolve(browserPackages[file] as string)) : undefined;
}

function toScript(module: URL): Asset {
  return { ...script, text: readBrowserCode(module, (imported) => toUrl(imported, module)) };
}

/** Where a browser loads what a module imports; all modules are one folder below `/__pages/`. */
function toUrl(imported: string, module: URL): string | undefined {
  const target = imported.startsWith('.') ? new URL(imported, module).href : imported;
  const path = pathsByTarget.get(target) ?? toPathInFolder(target);
  return path && `../${path}`;
}

function toPathInFolder(href: string): string | undefined {
  for (const [name, folder] of Object.entries(folders))
    if (href.startsWith(folder.href)) return `${name}/${href.slice(folder.href.length)}`;
  return undefined;
}
