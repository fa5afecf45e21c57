import { readFile } from 'node:fs/promises';
import { expect, it } from 'vitest';
import { toVariable } from '../../../common/cli/read-options.ts';
import { toHelpText } from '../../../mock/process/serve.ts';
import { parseConfig } from '../../../mock/settings/config.ts';
import type { Config } from '../../../mock/settings/settings.ts';
import { settingList } from '../../../mock/settings/settings.ts';
import { projectFile } from '../../support/twin.ts';
import { writeJson } from '../../support/write-json.ts';

type Env = Record<string, string>;

function configOf(args: string[], env: Env = {}): Config {
  const { config } = parseConfig(args, env);
  if (!config) throw new Error('There is no configuration');
  return config;
}

type Sample = [text: string, value: unknown];
const texts = (...all: string[]) => all.map((text): Sample => [text, text]);
const numbers = (...all: string[]) => all.map((text): Sample => [text, Number(text)]);
const switches: Sample[] = [
  ['off', false],
  ['on', true],
  ['off', false],
];

const hosts: Sample[] = [
  ['a.test', ['a.test']],
  ['a, b', ['a', 'b']],
  ['', []],
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
  'allowed-hosts': hosts,
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
  auth: texts('any', 'check', 'any'),
  'base-path': texts('optional', 'required', 'optional'),
  'unknown-ids': texts('example', 'refuse', 'example'),
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
  'webhook-hosts': hosts,
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
    stateless: false,
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
    const [one, two, three] = samples[flag] as [Sample, Sample, Sample];
    const name = toName(flag);
    const config = await writeJson({ [flag]: three[0] });
    const env = { TWIN_CONFIG: config, [toVariable(flag)]: two[0] };
    expect(configOf([`--${flag}`, one[0]], env)[name]).toEqual(one[1]);
    expect(configOf([], env)[name]).toEqual(two[1]);
    expect(configOf([], { TWIN_CONFIG: config })[name]).toEqual(three[1]);
  },
);

it('takes more than one URL for webhooks', () => {
  const flags = ['--webhook-url', 'http://a.test/', '--webhook-url=b=http://b.test/'];
  const { webhookUrl } = configOf(flags);
  expect(webhookUrl).toEqual([{ url: 'http://a.test/' }, { event: 'b', url: 'http://b.test/' }]);
});

it('takes a switch from each of them too', async () => {
  expect(configOf(['--disable-banner'], { TWIN_DISABLE_BANNER: 'off' }).disableBanner).toBe(true);
  expect(configOf([], { TWIN_DISABLE_BANNER: '1' }).disableBanner).toBe(true);
  for (const isSet of [true, false]) {
    const file = await writeJson({ 'disable-banner': isSet });
    expect(configOf(['--config', file]).disableBanner).toBe(isSet);
  }
});

it('takes an empty variable for one that is not set', () => {
  const empty = [...valued, 'config'].map((flag) => [toVariable(flag), '']);
  expect(configOf([], Object.fromEntries(empty))).toEqual(configOf([]));
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

it('is what the table of docs/options.md says', async () => {
  const docs = await readFile(projectFile('docs/options.md'), 'utf8');
  const cells = (row: string) =>
    row.split(/(?<!\\)\|/).map((cell) => /`([^`]*)`/.exec(cell)?.[1]?.replaceAll('\\|', '|') ?? '');
  const rows = docs.split('\n').filter((line) => /^\| `--/.test(line));
  const table = rows
    .map((row) => cells(row).slice(1, 4))
    .filter(([option]) => !/^--(config|help|version)\b/.test(option ?? ''));
  const stated = settingList.map(({ flag, variable, value, default: defaultValue = '' }) =>
    value ? [`--${flag} ${value}`, variable, defaultValue] : [`--${flag}`, variable, ''],
  );
  expect(table).toEqual(stated);
});
