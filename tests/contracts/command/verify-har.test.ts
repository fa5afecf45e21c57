import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import {
  freeKey,
  keys,
  proKey,
  readingOf,
  startBroken,
  temporaryFolder,
  useVerify,
} from '../../support/verify-command.ts';
import { readAll } from '../har/samples.ts';

const verify = useVerify();

it('records every exchange with both targets, and no key in whatever form', async () => {
  const { url } = await startBroken();
  const folder = temporaryFolder();
  const har = join(folder, 'run.har');
  const given = ['--key', `free=${freeKey}`, '--key', proKey, '--redact', 'name'];
  const few = ['--only', 'listPets', '--only', 'createPet', '--no-probe-limits'];
  const { code } = await verify(['--target', url, ...given, ...few, '--har', har]);
  expect(code).toBe(1);

  const text = readFileSync(har, 'utf8');
  const { log } = JSON.parse(text);
  expect(log.pages.map(({ title }: { title: string }) => title)).toEqual([
    expect.stringMatching(/^twin: http:.*\/v1$/),
    `target: ${url}`,
  ]);
  const countOf = (name: string) =>
    log.entries.filter(({ pageref }: { pageref: string }) => pageref === name).length;
  expect(countOf('target')).toBeGreaterThanOrEqual(50);
  expect(countOf('twin')).toBeGreaterThanOrEqual(50);

  const lower = text.toLowerCase();
  for (const key of [...Object.keys(keys), 'demo-free', 'demo-enterprise']) {
    const isUsed = key !== 'sk-live-77be20-free';
    if (isUsed) expect(lower).not.toContain(key.toLowerCase());
    expect(lower).not.toContain(Buffer.from(`${key}:`).toString('base64').toLowerCase());
  }
  expect(text).toContain('Bearer target-free-1');
  expect(text).toContain('Bearer target-key-1');
  expect(text).toContain('Bearer twin-enterprise-1');
  expect(text).not.toContain('Mittens');

  const { exchanges, skipped } = await readAll(har);
  expect(skipped).toEqual([]);
  expect(exchanges).toHaveLength(log.entries.length);
  expect(exchanges.some(({ request }) => request.body)).toBe(true);
}, 120_000);

it('counts each exchange of a run once', async () => {
  const { url } = await startBroken();
  const har = join(temporaryFolder(), 'run.har');
  const { err } = await verify([...readingOf(url), '--only', 'listPets', '--har', har]);
  const [, made] = /Made (\d+)/.exec(err) ?? [];
  expect((await readAll(har)).exchanges).toHaveLength(Number(made));
}, 60_000);

it.each([
  [['--redact', 'name'], '--redact hides values in a HAR; give --har FILE too.'],
  [['--har', '-'], '--har needs a file, and cannot go to standard output.'],
  [['--har', 'a.har', '--json', './a.har'], '--json and --har name the same file, a.har.'],
  [['--har', '/none/a.har'], '--har /none/a.har cannot be written: there is no folder /none.'],
])('refuses %j before it calls anything', async (args, message) => {
  const { code, err } = await verify([...readingOf('http://127.0.0.1:9/v1'), ...args]);
  expect({ code, err }).toEqual({ code: 2, err: `petstore-twin verify: ${message}\n` });
});
