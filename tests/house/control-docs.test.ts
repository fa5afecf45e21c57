import { execFileSync } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { expect, it } from 'vitest';
import description from '../../mock/extras/admin/openapi.json' with { type: 'json' };
import { preferenceNames } from '../../mock/extras/forced/preferences.ts';
import { faultNames } from '../../mock/faults/fault-rules.ts';
import { projectFile, startTwin } from '../support/twin.ts';

const text = await readFile(projectFile('docs/control.md'), 'utf8');

/** Returns what stands first in the rows of the table after a heading or a sentence. */
function rowsAfter(start: string): string[] {
  const [, table = ''] = text.slice(text.indexOf(start)).split(/\n\| [^\n]+\n\|(?:-+\|)+\n/);
  return (
    table
      .split('\n\n')[0]
      ?.split('\n')
      .flatMap((row) =>
        [...(row.split('|')[1] ?? '').matchAll(/`([^`]+)`/g)].map(([, name = '']) => name),
      ) ?? []
  );
}

/** Returns what a shell passes to curl for a line. */
function argumentsOf(line: string): string[] {
  const script = `curl() { printf '%s\\0' "$@"; }; ${line}`;
  return execFileSync('bash', ['-c', script], { encoding: 'utf8' }).split('\0').slice(0, -1);
}

/** Makes the call that a line of curl makes. */
async function callOf(line: string, origin: string): Promise<number> {
  const init: { method?: string; body?: string; headers: Record<string, string> } = { headers: {} };
  let url = '';
  const words = argumentsOf(line);
  for (let word = words.shift(); word !== undefined; word = words.shift()) {
    if (word === '-X') init.method = words.shift() ?? '';
    else if (word === '-H')
      Object.assign(init.headers, Object.fromEntries([(words.shift() ?? '').split(': ')]));
    else if (word === '--json') Object.assign(init, { method: 'POST', body: words.shift() });
    else if (word !== '-i') url = word.replace('http://127.0.0.1:4010', origin);
  }
  if (init.body !== undefined) init.headers['Content-Type'] = 'application/json';
  return (await fetch(url, init)).status;
}

it('gives lines that work, one after another', async () => {
  const { origin } = await startTwin();
  const lines = text.split('\n').filter((line) => line.startsWith('curl '));
  const statuses: number[] = [];
  for (const line of lines) statuses.push(await callOf(line, origin));
  expect(statuses).toEqual([
    404, 429, 500, 429, 201, 201, 201, 201, 200, 204, 200, 200, 200, 200, 200, 200, 200,
  ]);
});

it('names each preference, each field of a fault, each fault and each change of limits', () => {
  const { Fault, KeyLimitsChange } = description.components.schemas;
  expect(rowsAfter('## Prefer').map((row) => row.split('=')[0])).toEqual(preferenceNames);
  expect(rowsAfter('## Faults').toSorted()).toEqual(Object.keys(Fault.properties).toSorted());
  expect(rowsAfter('The first rule that fires decides.')).toEqual(faultNames);
  expect(rowsAfter('## Limits of a key').toSorted()).toEqual(
    Object.keys(KeyLimitsChange.properties).toSorted(),
  );
});
