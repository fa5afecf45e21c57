import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import { serveMock } from '../../../support/run-mock.ts';
import { startTwin } from '../../../support/twin.ts';
import { writeJson } from '../../../support/write-json.ts';
import { oauthDocument } from '../oauth/oauth-twin.ts';
import { toSecuredDocument } from './secured-document.ts';

const document = toSecuredDocument({
  header: [{ header: [] }],
  query: [{ query: [] }],
  cookie: [{ cookie: [] }],
  basic: [{ basic: [] }],
  hawk: [{ hawk: [] }],
  both: [{ bearer: [], header: [], query: [], cookie: [] }],
  optional: [{ header: [] }, {}],
  certified: [{ certificate: [] }],
});

const lines: [id: string, curl: string][] = [
  ['header', "curl -H 'X-Shop-Key: demo-free' ORIGIN/v2/header"],
  ['query', "curl 'ORIGIN/v2/query?appid=demo-free'"],
  ['cookie', "curl -b 'session=demo-free' ORIGIN/v2/cookie"],
  ['basic', 'curl -u demo:demo-free ORIGIN/v2/basic'],
  ['hawk', "curl -H 'Authorization: Hawk demo-free' ORIGIN/v2/hawk"],
  [
    'both',
    "curl -H 'Authorization: Bearer demo-free' -H 'X-Shop-Key: demo-free' -b 'session=demo-free' 'ORIGIN/v2/both?appid=demo-free'",
  ],
  ['optional', 'curl ORIGIN/v2/optional'],
  ['certified', 'curl ORIGIN/v2/certified'],
];

it('shows at the start how keys are sent, in lines that succeed', async () => {
  const { stdout } = await serveMock(['--spec', await writeJson(document)]);
  const [origin = ''] = /http:[^\s]+:\d+/.exec(stdout) ?? [];
  expect(stdout).toContain(`
  Auth   header: "X-Shop-Key: <key>"
         query: the query parameter "appid=<key>"
         cookie: the cookie "session=<key>"
         basic: basic credentials with a key as the password
         hawk: "Authorization: Hawk <key>"
         bearer: "Authorization: Bearer <key>"
         not checked: certificate (mutualTLS)
`);
  for (const [id, curl] of lines)
    expect(stdout).toMatch(
      new RegExp(` ${id} +${RegExp.escape(curl.replace('ORIGIN', origin))}\n`),
    );
});

it('shows in pages how keys are sent, and in the admin what is not checked', async () => {
  const twin = await startTwin({ spec: await writeJson(document) });
  const page = await (await fetch(`${twin.origin}/`, { headers: { Accept: 'text/html' } })).text();
  expect(page).toContain('basic credentials with a key as the password');
  const version = await (await fetch(`${twin.origin}/__admin/version`)).json();
  expect(version).toMatchObject({ document: { notChecked: ['certificate (mutualTLS)'] } });
  const view = await (await fetch(`${twin.origin}/__pages/operation.json?id=both`)).json();
  expect(view).toMatchObject({
    keyPlaces: [
      { in: 'authorization', scheme: 'Bearer' },
      { in: 'header', name: 'X-Shop-Key' },
      { in: 'query', name: 'appid' },
      { in: 'cookie', name: 'session' },
    ],
  });
});

it('shows at the start and in pages where clients get tokens, in a line that succeeds', async () => {
  const { stdout } = await serveMock(['--spec', await writeJson(oauthDocument)]);
  const [origin = ''] = /http:[^\s]+:\d+/.exec(stdout) ?? [];
  const line = `curl -u demo-free:demo-free -d grant_type=client_credentials -d scope=read ${origin}/oauth/token`;
  expect(stdout).toContain(`
  Tokens ${line}
  Login  ${origin}/oauth/authorize
`);
  const words = line.replaceAll("'", '').split(' ').slice(1);
  const { stdout: answer } = await promisify(execFile)('curl', ['-s', ...words]);
  expect(JSON.parse(answer)).toMatchObject({ scope: 'read' });
  const page = await (await fetch(`${origin}/`, { headers: { Accept: 'text/html' } })).text();
  expect(page).toContain(`${origin}/oauth/token`);
});
