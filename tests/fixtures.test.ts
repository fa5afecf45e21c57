import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { loadDocument } from '../contracts/document.ts';
import { readNamedItems } from '../fixtures/generate.ts';
import { toText } from '../mock/byte-text.ts';
import { parseExact } from '../mock/http/exact-json.ts';
import { bearer, projectFile, startTwin, type TestTwin } from './support/twin.ts';

type Pet = { id: number; name: string; categoryId: number | bigint; status?: string };

const key = bearer('demo-business');
const names = parseExact(await readNamedItems('pets')).value as Pet[];

function sha256(bytes: string | Buffer): string {
  return createHash('sha256').update(bytes).digest('hex');
}

async function firstPage(twin: TestTwin): Promise<Pet[]> {
  return (await fetch(`${twin.api}/pets?limit=100`, { headers: key })).json() as Promise<Pet[]>;
}

it('has the same 120 animals on every machine', async () => {
  const { app } = await startTwin();
  const pets = await app.store.list('pets', { filters: {}, limit: 1000 });
  expect(pets).toHaveLength(120);
  expect(sha256(pets.map(toText).join('\n'))).toBe('3cb30772d9aba1ebffcda9ecafe082213de8705a90e0d54f1c36437adadb4217');
});

it('has other animals with another seed, but for the named ones', async () => {
  const [one, other] = await Promise.all([firstPage(await startTwin({ seed: 1 })), firstPage(await startTwin({ seed: 2 }))]);
  expect(other.slice(0, 12)).toEqual(one.slice(0, 12));
  expect(other.slice(12)).not.toEqual(one.slice(12));
});

it('names a dozen animals, with the ids from 1 on', () => {
  expect(names.map(({ id }) => id)).toEqual(Array.from({ length: 12 }, (_, index) => index + 1));
});

it('names animals of each status and one without', () => {
  expect(new Set(names.map(({ status }) => status))).toEqual(new Set(['available', 'pending', 'sold', undefined]));
});

it('names animals in other scripts, beyond the basic plane and with what HTML and JSON escape', () => {
  const all = names.map(({ name }) => name).join('\n');
  for (const script of ['Cyrillic', 'Han', 'Arabic']) expect(all).toMatch(new RegExp(`\\p{Script=${script}}`, 'u'));
  expect(all).toMatch(/[\u{10000}-\u{10ffff}]/u);
  expect(all).toMatch(/".*<b>/);
});

it('names animals whose category only an int64 can hold', () => {
  const categories = names.map(({ categoryId }) => categoryId);
  expect(categories).toContain(2n ** 63n - 1n);
  expect(categories).toContain(2n ** 53n + 1n);
});

it.each([
  [0, 0],
  [5, 5],
  [12, 12],
  [13, 12],
  [1000, 12],
])('starts with %i animals, the named ones first', async (pets, named) => {
  const twin = await startTwin({ pets });
  expect(await twin.app.store.count('pets')).toBe(pets);
  const page = await firstPage(twin);
  expect(page).toHaveLength(Math.min(pets, 100));
  expect(page.map(({ id }) => id)).toEqual(page.map((_, index) => index + 1));
  const nameOf = ({ name }: Pet) => name;
  expect(page.slice(0, 12).map(nameOf)).toEqual(names.slice(0, named).map(nameOf));
});

it('gives the next animal the id after the last', async () => {
  for (const pets of [0, 5, 120]) {
    const { api } = await startTwin({ pets });
    const body = JSON.stringify({ name: 'Late', categoryId: 1 });
    const response = await fetch(`${api}/pets`, {
      method: 'POST',
      body,
      headers: { ...key, 'Content-Type': 'application/json' },
    });
    expect(await response.json()).toEqual({ id: pets + 1, name: 'Late', categoryId: 1 });
  }
});

it('never writes a fixture file', async () => {
  const folder = projectFile('fixtures');
  const hashes = async () =>
    Promise.all((await readdir(folder)).sort().map(async (name) => [name, sha256(await readFile(join(folder, name)))]));
  const before = await hashes();
  const { api, origin } = await startTwin();
  for (const name of ['One', 'Two', 'Three']) {
    const body = JSON.stringify({ name, categoryId: 1 });
    await fetch(`${api}/pets`, { method: 'POST', body, headers: { ...key, 'Content-Type': 'application/json' } });
    expect((await fetch(`${origin}/__admin/reset`, { method: 'POST' })).status).toBe(200);
  }
  expect(before.length).toBeGreaterThan(3);
  expect(await hashes()).toEqual(before);
});

it('has keys of each plan that the document knows', async () => {
  const { plans } = await loadDocument(projectFile('contracts/openapi.yaml'));
  const { keys } = JSON.parse(await readFile(projectFile('fixtures/keys.json'), 'utf8'));
  expect(new Set(keys.map(({ plan }: { plan: string }) => plan))).toEqual(new Set(Object.keys(plans)));
});
