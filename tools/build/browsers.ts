import { rolldown } from 'rolldown';
import { licensesOf } from './licenses.ts';

/** The modules of pages that load others; what they share is put beside them. */
const pages = [
  'mock/extras/console/browser/main',
  'mock/extras/pages/browser/start',
  'mock/extras/pages/browser/try-it',
];

/** The code of pages, by its paths in the project, and the licences of what it contains. */
export async function bundleForBrowsers(
  root: string,
): Promise<{ modules: Record<string, string>; licenses: string[] }> {
  const bundle = await rolldown({
    input: Object.fromEntries(pages.map((page) => [page, `${root}${page}.ts`])),
    platform: 'browser',
    transform: { target: 'es2023' },
  });
  const { output } = await bundle.generate({
    chunkFileNames: 'mock/extras/pages/browser/[name].js',
    codeSplitting: { groups: [{ name: 'shared', minShareCount: 2 }] },
  });
  const chunks = output.flatMap((one) => (one.type === 'chunk' ? one : []));
  return {
    modules: Object.fromEntries(chunks.map(({ fileName, code }) => [fileName, code])),
    licenses: licensesOf(chunks.flatMap(({ moduleIds }) => moduleIds)),
  };
}
