import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished, vi } from 'vitest';
import {
  builtInDocument,
  loadDocument,
  reuseUnchanged,
} from '../../../contracts/description/document.ts';

function temporaryFile(text: string): string {
  const folder = mkdtempSync(join(tmpdir(), 'reuse-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const file = join(folder, 'file');
  writeFileSync(file, text);
  return file;
}

it('makes something of a file again once its text is another', async () => {
  const file = temporaryFile('first');
  const make = vi.fn(async () => ({}));
  const reuse = reuseUnchanged(make);
  const first = await reuse(file);
  expect(await reuse(file)).toBe(first);
  expect(make).toHaveBeenCalledOnce();
  writeFileSync(file, 'second');
  const second = await reuse(file);
  expect(second).not.toBe(first);
  expect(await reuse(file)).toBe(second);
});

it('gives of each file its own, and tries again what failed', async () => {
  const [left, right] = [temporaryFile('same'), temporaryFile('same')];
  const make = vi.fn(async (file: string) => file);
  make.mockRejectedValueOnce(new Error('unreadable'));
  const reuse = reuseUnchanged(make);
  await expect(reuse(left)).rejects.toThrow('unreadable');
  expect([await reuse(left), await reuse(right)]).toEqual([left, right]);
});

it('loads the built-in document once, and says each time which file it read', async () => {
  const files = new Set<string>();
  const document = await loadDocument(builtInDocument);
  expect(await loadDocument(builtInDocument, { files })).toBe(document);
  expect([...files]).toEqual([builtInDocument]);
});
