import { expect, it, vi } from 'vitest';
import { posixShell, shellOf } from '../../../mock/curl/shell.ts';
import { toCurl } from '../../../mock/curl/to-curl.ts';
import { toCurlLine } from '../../../mock/extras/pages/browser/admin.ts';
import { bearer, startTwin } from '../../support/twin.ts';

const windows = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36';
const { word, wordWith } = shellOf(windows);

it.each([
  ['http://127.0.0.1:4010/v1', 'http://127.0.0.1:4010/v1'],
  ['-X', '-X'],
  ['a,b', "'a,b'"],
  ['', "''"],
  ['{"name":"Rex"}', `'{"name":"Rex"}'`],
  ["it's", "'it''s'"],
  ['it’s', "'it’’s'"],
  ['a?b=1&c=$d', "'a?b=1&c=$d'"],
  ['@file', "'@file'"],
  ['a\nb"$c`', '"a`u{a}b`"`$c``"'],
])('writes %j as a word of PowerShell', (text, written) => {
  expect(word(text)).toBe(written);
});

it('puts a variable of the environment behind a text', () => {
  expect(wordWith('Authorization: Bearer ', '$KEY')).toBe('"Authorization: Bearer $env:KEY"');
  expect(wordWith('"$', '$KEY')).toBe('"`"`$$env:KEY"');
});

it('tells the shell by the system of the browser', () => {
  expect(shellOf('Mozilla/5.0 (X11; Linux x86_64)')).toBe(posixShell);
  expect(shellOf(undefined)).toBe(posixShell);
});

it('writes whole lines for PowerShell', () => {
  const called = {
    method: 'POST',
    keyPlaces: [{ in: 'authorization', scheme: 'Bearer' }],
  } as const;
  const options = { base: 'http://127.0.0.1/v1', key: '$KEY', trust: [], shell: shellOf(windows) };
  expect(toCurl(called, { target: '/pets?a=1', body: '{"a":1}' }, options)).toBe(
    `curl.exe -H "Authorization: Bearer $env:KEY" --json '{"a":1}' 'http://127.0.0.1/v1/pets?a=1'`,
  );
  vi.stubGlobal('navigator', { userAgent: windows });
  const line = toCurlLine(
    { method: 'GET', path: 'clock' },
    { hasToken: () => false },
    { base: 'http://127.0.0.1/__admin/console', trust: [] },
  );
  vi.unstubAllGlobals();
  expect(line).toBe('curl.exe http://127.0.0.1/__admin/clock');
});

it('shows visitors on Windows the line for PowerShell beside the other', async () => {
  const { origin } = await startTwin();
  const pageFor = async (userAgent: string) => {
    const headers = { ...bearer('demo-free'), Accept: 'text/html', 'User-Agent': userAgent };
    return (await fetch(`${origin}/`, { headers })).text();
  };
  expect(await pageFor(windows)).toMatch(
    /curl<\/p>[\s\S]*curl in PowerShell<\/p>[\s\S]*curl\.exe /,
  );
  expect(await pageFor('Mozilla/5.0 (X11; Linux x86_64)')).not.toContain('PowerShell');
});
