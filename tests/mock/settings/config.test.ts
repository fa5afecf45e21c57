import { readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { describe, expect, it } from 'vitest';
import { toVariable } from '../../../common/cli/read-options.ts';
import { UsageError } from '../../../common/cli/usage-error.ts';
import { toHelpText } from '../../../mock/process/serve.ts';
import { parseConfig } from '../../../mock/settings/config.ts';
import type { Config } from '../../../mock/settings/settings.ts';
import { settingList } from '../../../mock/settings/settings.ts';
import { projectFile } from '../../support/twin.ts';
import { writeJson, writeText } from '../../support/write-json.ts';

type Env = Record<string, string>;

function configOf(args: string[], env: Env = {}): Config {
  const { config } = parseConfig(args, env);
  if (!config) throw new Error('There is no configuration');
  return config;
}

/** The one line that tells what is wrong with settings. */
function problemOf(args: string[], env: Env = {}): string {
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

type Sample = [text: string, value: unknown];
const texts = (...all: string[]) => all.map((text): Sample => [text, text]);
const numbers = (...all: string[]) => all.map((text): Sample => [text, Number(text)]);
const switches: Sample[] = [
  ['off', false],
  ['on', true],
  ['off', false],
];

/** Three texts of a setting, and what each is parsed to. */
const samples: Record<string, Sample[]> = {
  port: numbers('1', '2', '65535'),
  host: texts('::1', '0.0.0.0', 'localhost'),
  seed: numbers('0', '7', '4294967295'),
  items: numbers('0', '20', '5000000'),
  pets: numbers('0', '12', '5000000'),
  data: texts('a.yaml', 'b.json', 'c'),
  keys: texts('a.json', 'b.json', 'c.json'),
  plans: texts('a.json', 'b.json', 'c.json'),
  pins: texts('a.yaml', 'b.json', 'c'),
  behaviours: texts('a.ts', 'b.mjs', 'c.js'),
  'rate-limits': texts('off', 'observe', 'enforce'),
  store: texts('memory', 'sqlite:twin.db', 'sqlite:/data/a b.db'),
  'max-sandboxes': numbers('1', '40', '100000'),
  'sandbox-idle': numbers('0', '60', '31536000'),
  'admin-token': texts('a', 'b', 'c=='),
  'admin-origins': [
    ['http://localhost:6006/', ['http://localhost:6006']],
    [
      'HTTPS://Panel.test:443, chrome-extension://abc,safari-web-extension://ABC-1/',
      ['https://panel.test', 'chrome-extension://abc', 'safari-web-extension://ABC-1'],
    ],
    ['', []],
  ],
  'allowed-hosts': [
    ['a.test', ['a.test']],
    ['a, b', ['a', 'b']],
    ['', []],
  ],
  'domain-ca': texts('a.pem', '/b c.pem', 'd'),
  forward: [
    ['https://a.example/v1/', 'https://a.example/v1'],
    ['http://b:80', 'http://b'],
    ['http://[::1]:8080/x', 'http://[::1]:8080/x'],
  ],
  'forward-operations': [
    ['listPets,GET /store/*', ['listPets', 'GET /store/*']],
    ['a', ['a']],
    ['b', ['b']],
  ],
  'forward-key': texts('one', 'two', 'three'),
  spec: texts('a.yaml', 'b.yaml', 'c.yaml'),
  overlay: texts('a.yaml', 'a.yaml,b.yaml', 'c.json'),
  'allow-refs': texts('../common', '/a,/b', 'c'),
  'on-delete-parent': texts('refuse', 'cascade', 'refuse'),
  'webhook-url': [
    ['http://localhost:3000/a', [{ url: 'http://localhost:3000/a' }]],
    [
      'order.paid=http://localhost/?a=b, https://b.test/',
      [{ event: 'order.paid', url: 'http://localhost/?a=b' }, { url: 'https://b.test/' }],
    ],
    ['', []],
  ],
  'webhook-secret': texts('whsec_aaaa', 'any text', 'c'),
  'webhook-hosts': [
    ['a.test', ['a.test']],
    ['a, b', ['a', 'b']],
    ['', []],
  ],
  'tls-cert': texts('a.pem', 'b.pem', 'c.pem'),
  'tls-key': texts('a.pem', 'b.pem', 'c.pem'),
  cors: switches,
  'magic-values': switches,
  'journal-entries': numbers('0', '50', '100000'),
  'log-level': texts('silent', 'debug', 'warn'),
};

const valued = settingList.filter(({ value }) => value).map(({ flag }) => flag);

function toName(flag: string): keyof Config {
  return flag.replace(/-(.)/g, (_, letter) => letter.toUpperCase()) as keyof Config;
}

it('is this without any setting', () => {
  expect(configOf([])).toEqual({
    port: 4010,
    host: '127.0.0.1',
    seed: 1,
    store: 'memory',
    resetStore: false,
    strictSpec: false,
    strictRequests: false,
    tls: false,
    onDeleteParent: 'cascade',
    maxSandboxes: 1000,
    sandboxIdle: 3600,
    adminOrigins: [],
    allowedHosts: [],
    forwardOperations: [],
    cors: true,
    magicValues: true,
    journalEntries: 1000,
    logLevel: 'info',
    logTransaction: false,
    disableBanner: false,
    watch: false,
    webhookUrl: [],
    webhookHosts: [],
  });
});

it('has samples of every setting that takes a value', () => {
  expect(Object.keys(samples)).toEqual(valued);
});

it.each(valued)(
  'takes %s from the flag before the environment, and from it before the file',
  async (flag) => {
    const [one, two, three] = samples[flag] as [
      [string, unknown],
      [string, unknown],
      [string, unknown],
    ];
    const name = toName(flag);
    const config = await writeJson({ [flag]: three[0] });
    const env = { TWIN_CONFIG: config, [toVariable(flag)]: two[0] };
    expect(configOf([`--${flag}`, one[0]], env)[name]).toEqual(one[1]);
    expect(configOf([], env)[name]).toEqual(two[1]);
    expect(configOf([], { TWIN_CONFIG: config })[name]).toEqual(three[1]);
  },
);

it('takes more than one URL for webhooks', () => {
  const { webhookUrl } = configOf([
    '--webhook-url',
    'http://a.test/',
    '--webhook-url=b=http://b.test/',
  ]);
  expect(webhookUrl).toEqual([{ url: 'http://a.test/' }, { event: 'b', url: 'http://b.test/' }]);
});

it('takes a switch from each of them too', async () => {
  expect(configOf(['--disable-banner'], { TWIN_DISABLE_BANNER: 'off' }).disableBanner).toBe(true);
  expect(configOf([], { TWIN_DISABLE_BANNER: '1' }).disableBanner).toBe(true);
  expect(configOf(['--config', await writeJson({ 'disable-banner': true })]).disableBanner).toBe(
    true,
  );
  expect(configOf(['--config', await writeJson({ 'disable-banner': false })]).disableBanner).toBe(
    false,
  );
});

it('takes an empty variable for one that is not set', () => {
  expect(
    configOf([], Object.fromEntries([...valued, 'config'].map((flag) => [toVariable(flag), '']))),
  ).toEqual(configOf([]));
});

it('leaves variables alone that containers get beside a service called "twin"', () => {
  const ofService = {
    TWIN_SERVICE_HOST: '10.0.0.7',
    TWIN_SERVICE_PORT: '4010',
    TWIN_PORT: 'tcp://10.0.0.7:4010',
    TWIN_SERVICE_PORT_HTTP: '4010',
    TWIN_PORT_4010_TCP: 'tcp://10.0.0.7:4010',
    TWIN_PORT_4010_TCP_PROTO: 'tcp',
    TWIN_PORT_4010_TCP_PORT: '4010',
    TWIN_PORT_4010_TCP_ADDR: '10.0.0.7',
    TWIN_API_SERVICE_HOST: '10.0.0.1',
    TWIN_API_SERVICE_PORT_HTTP: '80',
    TWIN_API_PORT: 'tcp://10.0.0.1:80',
    TWIN_STAGING_EU_PORT_4010_TCP_ADDR: '10.0.0.2',
  };
  expect(configOf([], ofService)).toEqual(configOf([]));
});

it('takes the file of the flag before that of the environment', async () => {
  const env = { TWIN_CONFIG: await writeJson({ seed: 2 }) };
  expect(configOf(['--config', await writeJson({ seed: 3 })], env).seed).toBe(3);
});

it('shows the help and the version whatever else is set', () => {
  expect(parseConfig(['-h', '--port', 'x'], {}).print).toBe('help');
  expect(parseConfig(['--version', '--port', 'x'], {}).print).toBe('version');
});

it('names every setting with its default in the help', () => {
  const help = toHelpText('npm start --');
  for (const { flag, value, default: defaultValue, help: text } of settingList) {
    const line = help.split('\n').find((one) => one.startsWith(`  --${flag}`));
    expect(line).toContain(value ? `--${flag} ${value}` : `--${flag}`);
    expect(line).toContain(text);
    if (value && defaultValue) expect(line).toContain(`(default ${defaultValue})`);
  }
});

describe('says in one line what is wrong', () => {
  it.each([
    [['--colour'], "Unknown option '--colour'. See --help."],
    [['--stor', 'memory'], "Unknown option '--stor'. Did you mean --store? See --help."],
    [['--stor=memory'], "Unknown option '--stor'. Did you mean --store? See --help."],
    [['--pet', '3'], "Unknown option '--pet'. Did you mean --pets? See --help."],
    [
      ['--ratelimits', 'off'],
      "Unknown option '--ratelimits'. Did you mean --rate-limits? See --help.",
    ],
    [['--hlep'], "Unknown option '--hlep'. Did you mean --help? See --help."],
    [['-x'], "Unknown option '-x'. See --help."],
    [['extra'], /^Unexpected argument 'extra'.* See --help\.$/],
    [['--port'], '--port needs a value. See --help.'],
    [
      ['--webhook-url', 'order.paid'],
      '--webhook-url must be URL or NAME=URL, such as http://127.0.0.1:3000/hook, or several, separated by commas, but is "order.paid".',
    ],
    [['--keys', '--watch'], '--keys needs a value. See --help.'],
    [['--config', '-h'], '--config needs a value. See --help.'],
    [['--port', '65536'], '--port must be a whole number from 0 to 65535, but is "65536".'],
    [['--port', '1e3'], '--port must be a whole number from 0 to 65535, but is "1e3".'],
    [['--port='], '--port must be a whole number from 0 to 65535, but is "".'],
    [['--pets=-1'], '--pets must be a whole number from 0 to 5000000, but is "-1".'],
    [['--port=-1'], '--port must be a whole number from 0 to 65535, but is "-1".'],
    [
      ['--sandbox-idle=-0.5'],
      '--sandbox-idle must be a whole number from 0 to 31536000, but is "-0.5".',
    ],
    [['--seed=-1'], '--seed must be a whole number from 0 to 4294967295, but is "-1".'],
    [['--pets', '5000001'], '--pets must be a whole number from 0 to 5000000, but is "5000001".'],
    [
      ['--items', '7', '--pets', '8'],
      '--items and --pets are the same setting. Leave one of them out.',
    ],
    [
      ['--data', 'a.json', '--items', '7'],
      '--data gives all items, so --items has no effect. Leave one of them out.',
    ],
    [['--rate-limits', 'on'], '--rate-limits must be one of enforce, observe, off, but is "on".'],
    [['--cors', 'maybe'], '--cors must be on or off, but is "maybe".'],
    ...[
      '*',
      'http://*',
      'http://*.test',
      'null',
      'localhost:6006',
      'http://a.test//',
      'http://a.test/x',
      'http://a\\b',
      'chrome-extension://abc/x',
      '-extension://abc',
      'http://a@b.test',
      'file://',
    ].map(
      (origins) =>
        [
          [`--admin-origins=${origins}`],
          `--admin-origins must be origins such as http://localhost:6006, separated by commas, without a path and never *, but is "${origins}".`,
        ] as [string[], string],
    ),
    [
      ['--log-level', 'loud'],
      '--log-level must be one of silent, error, warn, info, debug, but is "loud".',
    ],
    [
      ['--store', 'file'],
      '--store must be memory, sqlite:FILE, redis://[USER:PASSWORD@]HOST[:PORT][/DATABASE], or rediss://..., but is "file".',
    ],
    [
      ['--store', 'postgres://me:s3cret@db/x'],
      '--store must be memory, sqlite:FILE, redis://[USER:PASSWORD@]HOST[:PORT][/DATABASE], or rediss://..., but is "postgres://[Filtered]@db/x".',
    ],
    [['--host='], '--host must be a non-empty string, but is "".'],
    [['--disable-banner=off'], "Option '--disable-banner' does not take an argument. See --help."],
  ])('with the flags %j', (args, expected) => {
    expect(problemOf(args)).toMatch(expected);
  });

  it('with the environment', () => {
    expect(problemOf([], { TWIN_PORT: 'http' })).toBe(
      'TWIN_PORT must be a whole number from 0 to 65535, but is "http".',
    );
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
  ])('with the unknown variable %s', (unknown, nearest) => {
    const problem = problemOf([], { PATH: '/bin', TWIN_SEED: '7', [unknown]: 's3cret' });
    expect(problem).toBe(`There is no setting ${unknown}. Did you mean ${nearest}? See --help.`);
  });

  it.each(['TWIN_', 'TWIN_ID', 'TWIN_PORTAL_ADDRESS', 'TWIN_SERVER_NAME'])(
    'with the unknown variable %s, which is like no setting',
    (unknown) => {
      expect(problemOf([], { [unknown]: 's3cret' })).toBe(
        `There is no setting ${unknown}. Unset it, or see --help.`,
      );
    },
  );

  it('with an admin token, without showing it', () => {
    expect(problemOf(['--admin-token', ''])).toContain('only, but is "".');
    expect(problemOf(['--admin-token', 's3cret token'])).toBe(
      '--admin-token must be made of letters, digits and -._~+/ only, but is "[Filtered]".',
    );
  });

  it.each([
    [{ colour: 1 }, 'FILE has an unknown setting "colour". See --help, which lists them all.'],
    [{ 'rate-limit': 1 }, / setting "rate-limit"\. Did you mean "rate-limits"\? See --help/],
    [{ __proto__: null, constructor: 1 }, /^FILE has an unknown setting "constructor"\./],
    [{ port: 'x' }, '"port" in FILE must be a whole number from 0 to 65535, but is "x".'],
    [{ port: 1.5 }, '"port" in FILE must be a whole number from 0 to 65535, but is 1.5.'],
    [{ port: null }, '"port" in FILE must be a string, a number or true or false.'],
    [
      { 'allowed-hosts': ['a'] },
      '"allowed-hosts" in FILE must be a string, a number or true or false.',
    ],
    [{ 'disable-banner': 'maybe' }, '"disable-banner" in FILE must be on or off, but is "maybe".'],
    [['port'], 'FILE must hold a JSON object.'],
    [null, 'FILE must hold a JSON object.'],
  ])('with the file %j', async (content, expected) => {
    const file = await writeJson(content);
    expect(problemOf(['--config', file]).replace(file, 'FILE')).toMatch(expected);
  });

  it.each([
    ['', 'Unexpected end of JSON input'],
    ['{\n"port": x\n}', "Unexpected token 'x'"],
    [
      '{"port": 1,}',
      'Expected double-quoted property name in JSON at position 11 (line 1 column 12)',
    ],
  ])('with the file %j, which is no JSON', async (text, reason) => {
    const file = await writeText(text);
    expect(problemOf([], { TWIN_CONFIG: file })).toBe(
      `--config ${file} is not valid JSON: ${reason}.`,
    );
  });

  it('with a log of exchanges that nobody would see', () => {
    expect(problemOf(['--log-transaction', '--log-level', 'silent'])).toBe(
      '--log-transaction writes at the level info, and --log-level is silent. Leave one of them out.',
    );
  });

  it('with a file that is not there', () => {
    expect(problemOf(['--config', '/nowhere.json'])).toBe(
      '--config /nowhere.json cannot be read: there is no such file.',
    );
    expect(problemOf(['--config', projectFile('tests')])).toMatch(
      /^--config .* cannot be read: it is a folder, and a file is expected\.$/,
    );
  });

  it('with a file of secrets, without showing them', async () => {
    expect(problemOf(['--config', await writeText('{"admin-token": s3cret}')])).not.toContain(
      'cret',
    );
  });
});

it('is what the table of docs/options.md says', async () => {
  const docs = await readFile(projectFile('docs/options.md'), 'utf8');
  const cells = (row: string) =>
    row.split(/(?<!\\)\|/).map((cell) => /`([^`]*)`/.exec(cell)?.[1]?.replaceAll('\\|', '|') ?? '');
  const rows = docs.split('\n').filter((line) => /^\| `--/.test(line));
  const table = rows
    .map((row) => cells(row).slice(1, 4))
    .filter(([option]) => !/^--(config|help|version)\b/.test(option ?? ''));
  expect(table).toEqual(
    settingList.map(({ flag, variable, value, default: defaultValue = '' }) => [
      value ? `--${flag} ${value}` : `--${flag}`,
      variable,
      value ? defaultValue : '',
    ]),
  );
});
