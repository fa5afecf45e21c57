import { readFile } from 'node:fs/promises';
import fc from 'fast-check';
import { load } from 'js-yaml';
import { expect, it } from 'vitest';
import { builtInDocument } from '../../../common/built-in-document.ts';
import { createTwin, TwinError } from '../../../package/twin.ts';
import { blog, books } from '../../support/documents.ts';
import { writeJson } from '../../support/write-json.ts';

type Node = { holder: Record<string, unknown>; key: string };

function nodesOf(value: unknown): Node[] {
  if (typeof value !== 'object' || value === null) return [];
  const holder = value as Record<string, unknown>;
  return Object.keys(holder).flatMap((key) => [{ holder, key }, ...nodesOf(holder[key])]);
}

const petStore = load(await readFile(builtInDocument, 'utf8')) as object;

const wrong = fc.constantFrom(null, 7, -1, true, 'text', '', [], {}, [null], [[{}]], {
  a: { b: [null] },
});
const places = fc.array(fc.record({ at: fc.nat(), value: wrong }), { minLength: 1, maxLength: 3 });
const mutations = fc.record({ document: fc.constantFrom<object>(blog, books, petStore), places });

/** Calls each operation of a document, and gives what was answered as no answer of its own. */
async function findCrashes(document: object): Promise<string[]> {
  const spec = await writeJson(document);
  const twin = await createTwin({ spec, listen: false, pets: 2 }).catch((error: unknown) => error);
  if (twin instanceof TwinError)
    return /\.ts:\d|^\w*Error|an OpenAPI linter/.test(twin.message) ? [twin.message] : [];
  if (twin instanceof Error) return [String(twin.stack)];
  const { url, fetch, close } = twin as Awaited<ReturnType<typeof createTwin>>;
  const crashes: string[] = [];
  const { paths } = document as { paths?: Record<string, object | null> };
  for (const path of Object.keys(paths ?? {}))
    for (const method of ['GET', 'POST', 'DELETE']) {
      const headers = { 'Content-Type': 'application/json' };
      const sent = method === 'POST' && { headers, body: '{"title":"x","name":"y"}' };
      const response = await fetch(`${url}${path.replace(/\{[^}]*\}/g, '1')}`, { method, ...sent });
      if (response.status === 500) crashes.push(`${method} ${path}: ${await response.text()}`);
    }
  await close();
  return crashes;
}

it('serves or refuses a document with values of wrong kinds, and never fails inside', async () => {
  const property = fc.asyncProperty(mutations, async ({ document, places: changes }) => {
    const changed = structuredClone(document);
    for (const { at, value } of changes) {
      const nodes = nodesOf(changed);
      const node = nodes[at % nodes.length];
      if (node) node.holder[node.key] = structuredClone(value);
    }
    expect(await findCrashes(changed)).toEqual([]);
  });
  await fc.assert(property, { seed: 14, numRuns: 25 });
});
