import { readFileSync } from 'node:fs';
import nodeModule, { createRequire } from 'node:module';

// A bundler for browsers replaces the modules of Node with empty ones.
if (typeof process === 'undefined' || !process.versions?.node)
  throw new Error(
    'petstore-twin needs Node, but this is a browser. Browsers load petstore-twin/msw alone: ' +
      'give its handlers the URL of a mock that runs elsewhere.',
  );

const home = new URL(
  import.meta.url.endsWith('.ts') ? '../package.json' : '../../package.json',
  import.meta.url,
);

/** The package's own version, and the Node that it needs, e.g. `>=22.18`. */
export const { version, engines } = JSON.parse(readFileSync(home, 'utf8')) as {
  version: string;
  engines: { node: string };
};

/** Returns advice if Node is older than the package needs; otherwise undefined. */
export function describeOldNode(running = process.versions.node): string | undefined {
  const [[major = 0, minor = 0] = [], [minMajor = 0, minMinor = 0] = []] = [
    running,
    engines.node,
  ].map((text) => (text.match(/\d+/g) ?? []).map(Number));
  if (major > minMajor || (major === minMajor && minor >= minMinor)) return undefined;
  return (
    `petstore-twin needs Node ${minMajor}.${minMinor} or later, but this is Node ${running}. ` +
    `Update Node, or run "npm install --save-dev node@24" in your project: ` +
    'npx and the scripts of npm then use that one. Its install script must run: allow it where ' +
    '--ignore-scripts or "allowScripts" of npm keeps it from running, and then run "npm rebuild node".'
  );
}

/**
 * Loads a module of the package, its path relative to this file. Throws where Node is too old: such
 * a Node could not even link the module, so that nothing in it could say why.
 */
export function loadModule(path: string): unknown {
  const problem = describeOldNode();
  if (problem === undefined) {
    // Who tests with twins loads it in process after process.
    nodeModule.enableCompileCache();
    return createRequire(import.meta.url)(path);
  }
  const error = new Error(problem);
  // The reader cannot do anything about the places that it was loaded from.
  error.stack = `${error.name}: ${problem}`;
  throw error;
}
