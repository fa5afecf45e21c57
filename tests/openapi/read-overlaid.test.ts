import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { compile } from '../../openapi/index.ts';
import { makeFolder } from '../support/make-folder.ts';

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
  const folder = makeFolder();
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
  const document = await compile(at('shop.json'), { files, overlay });
  expect(document.title).toBe('Second');
  expect(document.operations.map(({ path }) => path)).toEqual(['/orders']);
  expect(document.asOpenApi().paths['/orders'].get.summary).toBe('All orders');
  expect(document.written).toMatchObject({ version: '3.0.3', warnings: [] });
  expect(document.written.overlays).toEqual([at('first.json'), at('second.json')]);
  expect(files).toEqual(new Set(['shop.json', 'first.json', 'second.json'].map(at)));
});

it('warns of an action that selects nothing, and refuses it where asked to', async () => {
  const at = await writeAll({
    'shop.json': shop,
    'o.json': { ...head, actions: [rename('Other'), { target: '$.paths.orders', remove: true }] },
  });
  const overlay = at('o.json');
  const { title, written } = await compile(at('shop.json'), { overlay });
  expect(title).toBe('Other');
  expect(written.warnings).toEqual([
    { pointer: `${overlay}#/actions/1`, problem: '$.paths.orders selects nothing in the document' },
  ]);
  await expect(compile(at('shop.json'), { overlay, isStrict: true })).rejects.toThrow(
    `${at('shop.json')} cannot be used under --strict-spec: ${overlay}#/actions/1: $.paths.orders selects nothing in the document.`,
  );
});

it('takes an overlay that is parsed already, and leaves it as it is', async () => {
  const at = await writeAll({ 'shop.json': shop });
  const overlay = { ...head, actions: [rename('Given'), withoutInternal] };
  const before = structuredClone(overlay);
  const document = await compile(at('shop.json'), { overlay });
  expect(document.title).toBe('Given');
  expect(overlay).toEqual(before);
});
