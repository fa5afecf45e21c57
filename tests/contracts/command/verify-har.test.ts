import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import {
  freeKey,
  keys,
  proKey,
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
  const { code, err } = await verify(['--target', url, ...given, ...few, '--learn', har]);
  expect(code).toBe(1);
  expect(err).toContain(`Learn from ${har} with: petstore-twin learn ${har} --base-url ${url}\n`);

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
