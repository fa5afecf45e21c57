import { writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { loadDocument } from '../../../contracts/description/document.ts';
import { DocumentError } from '../../../contracts/description/schema.ts';
import { makeFolder } from '../../support/watching.ts';

const shop = {
  openapi: '3.0.3',
  info: { title: 'Shop', version: '1' },
  paths: {
    '/orders': { get: { operationId: 'listOrders', responses: { 200: { description: 'All.' } } } },
    '/internal': { get: { responses: { 200: { description: 'Secret.' } } } },
  },
};

const head = { overlay: '1.0.0', info: { title: 'Corrections', version: '1' } };
const withoutInternal = { target: "$.paths['/internal']", remove: true };
const rename = (title: string) => ({ target: '$.info', update: { title } });

async function writeAll(files: Record<string, object>): Promise<(name: string) => string> {
  const folder = await makeFolder();
  for (const [name, content] of Object.entries(files))
    await writeFile(join(folder, name), JSON.stringify(content));
  return (name) => join(folder, name);
}

it('applies overlays in their order, before the document is converted', async () => {
  const at = await writeAll({
    'shop.json': shop,
    'first.json': { ...head, actions: [rename('First'), withoutInternal] },
    'second.json': {
      ...head,
      actions: [
        rename('Second'),
        { target: "$.paths['/orders'].get", update: { summary: 'All orders' } },
      ],
    },
  });
  const files = new Set<string>();
  const overlay = `${at('first.json')}, ${at('second.json')}`;
  const document = await loadDocument(at('shop.json'), { files, overlay });
  expect(document.title).toBe('Second');
  expect(document.operations.map(({ path }) => path)).toEqual(['/orders']);
  expect(document.raw.paths['/orders'].get.summary).toBe('All orders');
  expect(document.written).toMatchObject({ version: '3.0.3', warnings: [] });
  expect(document.written.overlays).toEqual([at('first.json'), at('second.json')]);
  expect(files).toEqual(new Set(['shop.json', 'first.json', 'second.json'].map(at)));
});

it('takes an overlay for the document that it extends', async () => {
  const at = await writeAll({
    'shop.json': shop,
    'o.json': { ...head, extends: './shop.json', actions: [withoutInternal] },
  });
  const files = new Set<string>();
  const document = await loadDocument(at('o.json'), { files });
  expect(document.operations).toHaveLength(1);
  expect(document.written.overlays).toEqual([at('o.json')]);
  expect(files).toEqual(new Set(['shop.json', 'o.json'].map(at)));
});

it('warns of an action that selects nothing, and refuses it where asked to', async () => {
  const at = await writeAll({
    'shop.json': shop,
    'o.json': { ...head, actions: [rename('Other'), { target: '$.paths.orders', remove: true }] },
  });
  const overlay = at('o.json');
  const { title, written } = await loadDocument(at('shop.json'), { overlay });
  expect(title).toBe('Other');
  expect(written.warnings).toEqual([
    { pointer: `${overlay}#/actions/1`, problem: '$.paths.orders selects nothing in the document' },
  ]);
  await expect(loadDocument(at('shop.json'), { overlay, isStrict: true })).rejects.toThrow(
    `${at('shop.json')} cannot be used under --strict-spec: ${overlay}#/actions/1: $.paths.orders selects nothing in the document.`,
  );
});

it('takes an overlay that is parsed already, and leaves it as it is', async () => {
  const at = await writeAll({ 'shop.json': shop });
  const overlay = { ...head, actions: [rename('Given'), withoutInternal] };
  const before = structuredClone(overlay);
  const document = await loadDocument(at('shop.json'), { overlay });
  expect(document.title).toBe('Given');
  expect(overlay).toEqual(before);
});

it.each([
  ['says nothing of what it changes', {}, 'that does not say what it "extends"'],
  ['extends itself', { extends: 'o.json' }, 'extends o.json, which is an overlay too'],
  ['extends nothing', { extends: 'gone.json' }, 'There is no document at'],
])('refuses an overlay that %s', async (_, members, message) => {
  const at = await writeAll({ 'o.json': { ...head, ...members, actions: [rename('Other')] } });
  const error = await loadDocument(at('o.json')).catch((error: Error) => error);
  expect(error).toBeInstanceOf(DocumentError);
  expect((error as Error).message).toContain(message);
});

it('names the number of the action that cannot be applied', async () => {
  const at = await writeAll({
    'shop.json': shop,
    'o.json': { ...head, actions: [rename('x'), { target: '$.info.title', update: 'y' }] },
  });
  await expect(loadDocument(at('shop.json'), { overlay: at('o.json') })).rejects.toThrow(
    `${at('o.json')} cannot be applied: action 2 ($.info.title) selects what is neither an object nor an array.`,
  );
});

const server = createServer((request, response) => {
  const { port } = server.address() as AddressInfo;
  const overlays: Record<string, string> = {
    '/near.json': './shop.json',
    '/same.json': `http://127.0.0.1:${port}/shop.json`,
    '/host.json': `http://localhost:${port}/shop.json`,
    '/port.json': 'http://127.0.0.1:1/shop.json',
    '/none.json': 'http://[',
  };
  const target = overlays[request.url ?? ''];
  const extending = { ...head, extends: target, actions: [rename('Extended')] };
  response.end(JSON.stringify(target === undefined ? shop : extending));
});
beforeAll(() => new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve)));
afterAll(() => new Promise((resolve) => server.close(resolve)));

const urlOf = (name: string) =>
  `http://127.0.0.1:${(server.address() as AddressInfo).port}/${name}.json`;

it.each(['near', 'same'])('lets an overlay at a URL extend a document there: %s', async (name) => {
  expect((await loadDocument(urlOf(name))).title).toBe('Extended');
});

it.each(['host', 'port', 'none'])('fetches nothing of another origin for one: %s', async (name) => {
  await expect(loadDocument(urlOf(name))).rejects.toThrow(
    /is at another address\. Download the overlay, and name it as a file\.$/,
  );
});
