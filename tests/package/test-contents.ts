import { once } from 'node:events';
import { globSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import packageJson from '../../package.json' with { type: 'json' };
import type { Consumer } from '../support/consumer.ts';
import { packagesIn } from '../support/packages-in.ts';
import { projectFile } from '../support/twin.ts';

const bin = 'node_modules/.bin/petstore-twin';
const home = 'node_modules/petstore-twin';

const { dependencies, peerDependencies } = packageJson;
const declared = Object.keys({ ...dependencies, ...peerDependencies });

/** Tests what an installed package consists of, and that its pages have all that they load. */
export function testContents(consumer: () => Consumer): void {
  it('imports nothing that it does not declare, and declares nothing that it does not import', () => {
    const root = join(consumer().folder, home, 'dist');
    const files = globSync('**/*.{js,cjs}', { cwd: root });
    const codes = files.map((file) => readFileSync(join(root, file), 'utf8'));
    expect(packagesIn(codes.join('\n'))).toEqual(declared.toSorted());
    const packed = JSON.parse(readFileSync(join(root, 'own-files.json'), 'utf8'));
    expect(packagesIn(Object.values(packed).join('\n'))).toEqual([]);
  });

  it('names the licence of each package that its code contains', () => {
    const sources = globSync('{common,contracts,fixtures,mock,openapi,package,reference}/**/*.ts', {
      cwd: projectFile('.'),
    });
    const code = sources.map((file) => readFileSync(projectFile(file), 'utf8'));
    // A type alone brings no code.
    const used = packagesIn(code.join('\n').replace(/^import type [^;]*;$/gm, ''));
    const contained = used.filter((name) => !declared.includes(name));
    expect(contained).toContain('ajv');
    const notice = readFileSync(join(consumer().folder, home, 'dist/THIRD-PARTY.md'), 'utf8');
    const named = [...notice.matchAll(/^## (\S+) \d+\.\d+\.\d+ \(([\w.-]+)\)\n\n\S/gm)].map(
      ([, name]) => name,
    );
    expect(contained.filter((name) => !named.includes(name))).toEqual([]);
  });

  it('holds what it needs in few files, and nothing of the development', () => {
    const files = globSync('**/*', {
      cwd: join(consumer().folder, home),
      exclude: (path) => path === 'node_modules',
    });
    const isOfDevelopment = (path: string) =>
      /(^|\/)(tests|tools|\.ci)(\/|$)/.test(path) ||
      (/(?<!\.d)\.c?ts$/.test(path) && !path.startsWith('examples/'));
    expect(files.filter(isOfDevelopment)).toEqual([]);
    for (const path of ['README.md', 'LICENSE', 'dist/contracts/openapi.yaml'])
      expect(files).toContain(path);
    const isFile = (path: string) => statSync(join(consumer().folder, home, path)).isFile();
    const ofCode = files.filter((path) => !/^(docs|examples)\//.test(path) && isFile(path));
    // Thirteen are loaded for commands beside the mock, for agents, for calls without state, for
    // several APIs, and for documents with OAuth, kinds, uploads or rules.
    expect(ofCode.length).toBeLessThanOrEqual(64);
  });

  it('loads nothing of the suite to start the mock', () => {
    const chunks = join(consumer().folder, home, 'dist/chunks');
    const loaded = new Set(['serve.js']);
    for (const file of loaded)
      for (const [, name = ''] of readFileSync(join(chunks, file), 'utf8').matchAll(
        /^(?:im|ex)port .*"\.\/([^"]+)";$/gm,
      ))
        loaded.add(name);
    expect(loaded).toContain('twin.js');
    expect([...loaded].filter((name) => name.startsWith('suite'))).toEqual([]);
  });

  it('serves each module and style sheet of its pages', async () => {
    const child = consumer().start(bin, ['mock', '--port', '0', '--disable-banner']);
    onTestFinished(() => void child.kill('SIGKILL'));
    const [line] = await once(child.stdout as NodeJS.ReadableStream, 'data');
    const { origin } = new URL(String(line).trim());
    const seen = new Map<string, number>();
    const load = async (url: string): Promise<void> => {
      if (seen.has(url)) return;
      seen.set(url, 0);
      const response = await fetch(url, { headers: { Accept: 'text/html, */*' } });
      seen.set(url, response.status);
      const text = await response.text();
      const loaded = text.matchAll(
        /(?:\bfrom\s*|\bimport\s*\(?\s*|<script[^>]* src=|<link[^>]*stylesheet[^>]* href=)["']([^"'\s]+\.(?:js|css))["']/g,
      );
      for (const [, path = ''] of loaded) await load(new URL(path, url).href);
    };
    for (const page of ['/', '/__admin/console', '/__docs/', '/__docs/operations/listPets.html'])
      await load(origin + page);
    expect([...seen].filter(([, status]) => status !== 200)).toEqual([]);
    expect([...seen.keys()].filter((url) => url.endsWith('.js')).length).toBeGreaterThan(4);
    expect((await fetch(`${origin}/__pages/vendor/preact.mjs`)).status).toBe(404);
  });
}
