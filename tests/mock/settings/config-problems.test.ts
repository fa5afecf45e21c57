import { tmpdir } from 'node:os';
import { expect, it } from 'vitest';
import { UsageError } from '../../../common/cli/usage-error.ts';
import { parseConfig } from '../../../mock/settings/config.ts';
import { projectFile } from '../../support/twin.ts';
import { writeJson, writeText } from '../../support/write-json.ts';

/** The one line that tells what is wrong with settings. */
function problemOf(args: string[], env: Record<string, string> = {}): string {
  try {
    parseConfig(args, env);
  } catch (error) {
    expect(error).toBeInstanceOf(UsageError);
    const { message } = error as Error;
    // How long the path of a temporary folder is says nothing about the message.
    expect(message.replaceAll(tmpdir(), '')).toMatch(/^[^\n]{10,400}$/);
    return message;
  }
  throw new Error('The settings were taken');
}

const ofPort = '--port must be a whole number from 0 to 65535, but is';
const stores =
  '--store must be memory, sqlite:FILE, redis://[USER:PASSWORD@]HOST[:PORT][/DATABASE], or rediss://..., but is';
const noOrigins = [
  ...['*', 'http://*', 'http://*.test', 'null', 'localhost:6006', 'http://a.test//'],
  ...['http://a.test/x', 'http://a\\b', 'chrome-extension://abc/x', '-extension://abc'],
  ...['http://a@b.test', 'file://'],
].map((origins) => [
  `--admin-origins=${origins}`,
  `--admin-origins must be origins such as http://localhost:6006, separated by commas, without a path and never *, but is "${origins}".`,
]);

it.each<[flags: string, expected: string | RegExp]>([
  ...Object.entries({
    '--colour': "Unknown option '--colour'. See --help.",
    '--stor memory': "Unknown option '--stor'. Did you mean --store? See --help.",
    '--stor=memory': "Unknown option '--stor'. Did you mean --store? See --help.",
    '--pet 3': "Unknown option '--pet'. Did you mean --pets? See --help.",
    '--ratelimits off': "Unknown option '--ratelimits'. Did you mean --rate-limits? See --help.",
    '--hlep': "Unknown option '--hlep'. Did you mean --help? See --help.",
    '-x': "Unknown option '-x'. See --help.",
    'openapi.yaml': /^An argument has no option .* such as --spec openapi\.yaml\. See --help\.$/,
    '--port': '--port needs a value. See --help.',
    '--webhook-url order.paid':
      '--webhook-url must be URL or NAME=URL, such as http://127.0.0.1:3000/hook, or several, separated by commas, but is "order.paid".',
    '--keys --watch': '--keys needs a value. See --help.',
    '--config -h': '--config needs a value. See --help.',
    '--port 65536': `${ofPort} "65536".`,
    '--port 1e3': `${ofPort} "1e3".`,
    '--port=': `${ofPort} "".`,
    '--pets=-1': '--pets must be a whole number from 0 to 5000000, but is "-1".',
    '--port=-1': `${ofPort} "-1".`,
    '--sandbox-idle=-0.5':
      '--sandbox-idle must be a whole number from 0 to 31536000, but is "-0.5".',
    '--seed=-1': '--seed must be a whole number from 0 to 4294967295, but is "-1".',
    '--pets 5000001': '--pets must be a whole number from 0 to 5000000, but is "5000001".',
    '--items 7 --pets 8': '--items and --pets are the same setting. Leave one of them out.',
    '--data a.json --items 7':
      '--data gives all items, so --items has no effect. Leave one of them out.',
    '--rate-limits on': '--rate-limits must be one of enforce, observe, off, but is "on".',
    '--cors maybe': '--cors must be on or off, but is "maybe".',
    '--log-level loud':
      '--log-level must be one of silent, error, warn, info, debug, but is "loud".',
    '--store file': `${stores} "file".`,
    '--store postgres://me:s3cret@db/x': `${stores} "postgres://[Filtered]@db/x".`,
    '--host=': '--host must be a non-empty string, but is "".',
    '--disable-banner=off': "Option '--disable-banner' does not take an argument. See --help.",
    '--log-transaction --log-level silent':
      '--log-transaction writes at the level info, and --log-level is silent. Leave one of them out.',
    '--config /nowhere.json': '--config /nowhere.json cannot be read: there is no such file.',
    [`--config ${projectFile('tests')}`]:
      /^--config .* cannot be read: it is a folder, and a file is expected\.$/,
  }),
  ...(noOrigins as [string, string][]),
])('says in one line what is wrong with the flags %s', (flags, expected) => {
  expect(problemOf(flags.split(' '))).toMatch(expected);
});

it('says in one line what is wrong with the environment', () => {
  const expected = 'TWIN_PORT must be a whole number from 0 to 65535, but is "http".';
  expect(problemOf([], { TWIN_PORT: 'http' })).toBe(expected);
});

it.each([
  ['TWIN_PROT', 'TWIN_PORT'],
  ['TWIN_RATELIMITS', 'TWIN_RATE_LIMITS'],
  ['TWIN_JOURNAL', 'TWIN_JOURNAL_ENTRIES'],
  ['TWIN_CONFIG_FILE', 'TWIN_CONFIG'],
  ['TWIN_ADMIN_TOKE', 'TWIN_ADMIN_TOKEN'],
  ['TWIN_TOKEN', 'TWIN_ADMIN_TOKEN'],
  ['TWIN_PREFIX_PORT', 'TWIN_PORT'],
  ['TWIN_HOST_NAME', 'TWIN_HOST'],
  ['TWIN_LIMIT', 'TWIN_RATE_LIMITS'],
])('says in one line what is wrong with the unknown variable %s', (unknown, nearest) => {
  const problem = problemOf([], { PATH: '/bin', TWIN_SEED: '7', [unknown]: 's3cret' });
  expect(problem).toBe(`There is no setting ${unknown}. Did you mean ${nearest}? See --help.`);
});

it.each(['TWIN_', 'TWIN_ID', 'TWIN_PORTAL_ADDRESS', 'TWIN_SERVER_NAME'])(
  'with the unknown variable %s, which is like no setting',
  (unknown) => {
    const problem = `There is no setting ${unknown}. Unset it, or see --help.`;
    expect(problemOf([], { [unknown]: 's3cret' })).toBe(problem);
  },
);

it('says in one line what is wrong with an admin token, without showing it', () => {
  expect(problemOf(['--admin-token', ''])).toContain('only, but is "".');
  const problem =
    '--admin-token must be made of letters, digits and -._~+/ only, but is "[Filtered]".';
  expect(problemOf(['--admin-token', 's3cret token'])).toBe(problem);
});

it.each([
  [{ colour: 1 }, 'FILE has an unknown setting "colour". See --help, which lists them all.'],
  [{ 'rate-limit': 1 }, / setting "rate-limit"\. Did you mean "rate-limits"\? See --help/],
  [{ __proto__: null, constructor: 1 }, /^FILE has an unknown setting "constructor"\./],
  [{ port: 'x' }, '"port" in FILE must be a whole number from 0 to 65535, but is "x".'],
  [{ port: 1.5 }, '"port" in FILE must be a whole number from 0 to 65535, but is 1.5.'],
  [{ port: null }, '"port" in FILE must be a string, a number or true or false.'],
  [{ 'allowed-hosts': ['a'] }, /^"allowed-hosts" in FILE must be a string, a number or true or/],
  [{ 'disable-banner': 'maybe' }, '"disable-banner" in FILE must be on or off, but is "maybe".'],
  [['port'], 'FILE must hold an object of settings.'],
  [null, 'FILE must hold an object of settings.'],
])('says in one line what is wrong with the file %j', async (content, expected) => {
  const file = await writeJson(content);
  expect(problemOf(['--config', file]).replace(file, 'FILE')).toMatch(expected);
});

it('reads YAML by the name of the file, and quotes none of a wrong one', async () => {
  const text = '# a comment\nport: 4011\nrate-limits: off\nadmin-token: secret-1\n';
  const { config } = parseConfig(['--config', await writeText(text, 'twin.yaml')], {});
  expect(config).toMatchObject({ port: 4011, rateLimits: 'off', adminToken: 'secret-1' });
  const wrong = await writeText('admin-token: "secret-1\n', 'twin.yaml');
  const problem = problemOf(['--config', wrong]).replace(wrong, 'FILE');
  expect(problem).toMatch(/^--config FILE is not valid YAML: .*\.$/);
  expect(problem).not.toContain('secret');
});

it.each([
  ['', 'Unexpected end of JSON input'],
  ['{\n"port": x\n}', "Unexpected token 'x'"],
  [
    '{"port": 1,}',
    'Expected double-quoted property name in JSON at position 11 (line 1 column 12)',
  ],
])('says in one line what is wrong with the file %j, which is no JSON', async (text, reason) => {
  const file = await writeText(text);
  const problem = `--config ${file} is not valid JSON: ${reason}.`;
  expect(problemOf([], { TWIN_CONFIG: file })).toBe(problem);
});

it('says in one line what is wrong with a file of secrets, without showing them', async () => {
  expect(problemOf(['--config', await writeText('{"admin-token": s3cret}')])).not.toContain('cret');
});
