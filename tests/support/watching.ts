import { cp, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'vitest';
import type { Config } from '../../mock/settings/settings.ts';
import { makeFolder } from './make-folder.ts';
import { bearer, projectFile, startTwin, type TestTwin } from './twin.ts';

/**
 * A twin that watches files of its own: `file` gives the path of one, `edit` saves a change of its
 * text.
 */
export type WatchingTwin = {
  twin: TestTwin;
  file: (name: string) => string;
  edit: (name: string, change: (text: string) => string) => Promise<void>;
};

/**
 * Starts a twin on files of its own: the document (api.yaml), two free keys (keys.json) and no
 * plans (plans.json).
 */
export async function startWatching(
  settings: (file: WatchingTwin['file']) => Promise<Partial<Config>> = async () => ({}),
): Promise<WatchingTwin> {
  const folder = makeFolder();
  const file = (name: string) => join(folder, name);
  await cp(projectFile('contracts/openapi.yaml'), file('api.yaml'));
  await writeFile(
    file('keys.json'),
    '{"keys": [{"key": "one", "plan": "free"}, {"key": "two", "plan": "free"}]}',
  );
  await writeFile(file('plans.json'), '{}');
  const watched = { spec: file('api.yaml'), keys: file('keys.json'), plans: file('plans.json') };
  const twin = await startTwin({ watch: true, pets: 120, ...watched, ...(await settings(file)) });
  // A minute that ended meanwhile would begin the counts anew.
  twin.app.clock.freeze(Date.UTC(2026, 0, 15, 12));
  return { twin, file, edit: (name, change) => editFile(file(name), change) };
}

/** Saves a change of the text of a file; one that changes nothing is a mistake of the test. */
export async function editFile(file: string, change: (text: string) => string): Promise<void> {
  const before = await readFile(file, 'utf8');
  const after = change(before);
  expect(after).not.toBe(before);
  await writeFile(file, after);
}

/** Waits until what a twin logged holds a text. */
export async function waitForLine(
  { lines }: Pick<TestTwin, 'lines'>,
  text: string | RegExp,
): Promise<void> {
  await expect.poll(() => lines.join(''), { timeout: 20_000, interval: 50 }).toMatch(text);
}

/** Calls the API of a twin with a key. */
export function call(twin: TestTwin, path = '/pets', key = 'one'): Promise<Response> {
  return fetch(twin.api + path, { headers: bearer(key) });
}

/** The status that a call of the API has. */
export async function statusOf(twin: TestTwin, path?: string, key?: string): Promise<number> {
  return (await call(twin, path, key)).status;
}
