import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { expect, it } from 'vitest';
import { explain } from '../../../mock/explain/explanation.ts';
import { toText } from '../../../mock/explain/to-text.ts';
import { compile } from '../../../openapi/index.ts';
import { isOnCollection } from '../../../openapi/model/kinds.ts';
import { findDocuments } from '../../../tools/corpus/find-documents.ts';
import { send } from '../../../tools/corpus/send.ts';
import { createToCall } from '../../../tools/corpus/to-call.ts';
import { openDocument } from '../../../tools/corpus/try-document.ts';
import { documentOf } from '../../support/document-of.ts';
import { makeFolder } from '../../support/make-folder.ts';
import { everyNth } from '../../support/sample.ts';
import { writeJson } from '../../support/write-json.ts';

/** The lines that `explain` prints to paste, each as an overlay of its own. */
async function offersOf(file: string): Promise<{ lines: string; overlay: string }[]> {
  const text = stripVTControlCharacters(toText(explain(await compile(file))));
  const folder = makeFolder();
  const offers = [...text.matchAll(/^ +- target: .*\n +update: .*$/gm)].map(([lines], index) => ({
    lines: lines.replace(/\s+/g, ' ').trim(),
    overlay: join(folder, `${index}.yaml`),
    text: `overlay: 1.0.0\ninfo: { title: One, version: '1' }\nactions:\n${lines}\n`,
  }));
  for (const one of offers) await writeFile(one.overlay, one.text);
  return offers;
}

/**
 * Why a line has no effect that a client sees; undefined where a call shows or changes what is
 * stored.
 */
async function whyVain(file: string, overlay: string): Promise<string | undefined> {
  const twin = await openDocument(file, '--overlay', overlay);
  try {
    const { operations, resources, basePath } = twin.document;
    const own = operations.find(({ hint }) => hint?.kind !== undefined);
    const resource = resources.find(({ name }) => name === own?.resource);
    if (!own?.kind || !resource) return 'it has no kind';
    const { store } = twin.app;
    const base = twin.origin + basePath;
    const list = async () =>
      (await store.list(resource.name, { filters: {}, limit: 100 })).map(String);
    const before = await list();
    const { call } = await createToCall(twin)(own);
    if (!call) return undefined; // Nothing can be sent that the document allows.
    const { status, text } = await send(base, call);
    if (status >= 300) return `${status} ${text}`;
    if (own.kind === 'list' || own.kind === 'read') {
      const ids = before.map((item) => String(JSON.parse(item)[resource.idProperty]));
      // A query may ask for nothing.
      const shows = call.target.includes('?') || ids.some((id) => text.includes(id));
      return shows ? undefined : `it shows none of ${ids}`;
    }
    const after = await list();
    if (isOnCollection(own.kind)) return after.length > before.length ? undefined : 'none is added';
    if (after.join() !== before.join()) return undefined;
    // The example may have the values that the item has.
    const other = (_: string, value: unknown) => (typeof value === 'string' ? `${value}x` : value);
    const body = call.body && JSON.stringify(JSON.parse(call.body), other);
    await send(base, { ...call, body });
    return (await list()).join() === before.join() ? 'nothing changes' : undefined;
  } finally {
    await twin.close();
  }
}

const documents = findDocuments();

it.each(everyNth(8, documents.toReversed()))(
  'offers for $name lines alone that give state when they are pasted',
  async ({ file }) => {
    for (const { lines, overlay } of await offersOf(file))
      expect({ lines, vain: await whyVain(file, overlay) }).toEqual({ lines, vain: undefined });
  },
);

const commentsOf = (comment: string) =>
  documentOf(`
    GET /it's/posts -> [{ id }]
    GET /it's/posts/{postId:text}/comments -> [${comment}]
    POST /it's/posts/{postId:text}/comments ${comment} -> 201 ${comment}
  `);

it('offers no id of a parent or of another thing as that of an item', async () => {
  const file = await writeJson(commentsOf('{ postId, authorId, words }'));
  const offers = await offersOf(file);
  expect(offers.map(({ lines }) => lines)).toEqual([
    "- target: $.paths['/it\\'s/posts/{postId}/comments'].get update: { x-twin: { kind: list, id: words } }",
    "- target: $.paths['/it\\'s/posts/{postId}/comments'].post update: { x-twin: { kind: create, id: words } }",
  ]);
  for (const { overlay } of offers) expect(await whyVain(file, overlay)).toBeUndefined();
  expect(await offersOf(await writeJson(commentsOf('{ postId, authorId }')))).toEqual([]);
});

it('offers no line for what nothing would show', async () => {
  const lines = 'POST /jobs/search { postId, authorId, words } -> 201 { id }';
  const file = await writeJson(documentOf(lines));
  expect(await offersOf(file)).toEqual([]);
});
