import { expect, it } from 'vitest';
import { documentOf } from '../../support/document-of.ts';
import { startServer } from '../../support/start-server.ts';
import { useVerify } from '../../support/verify-command.ts';
import { writeJson } from '../../support/write-json.ts';

const runVerify = useVerify();

const operations = {
  'GET /notes': { security: [{ basic: [] }, { token: [], app: [] }] },
  'POST /notes': { security: [{ basic: [] }] },
};
const securitySchemes = {
  basic: { type: 'http', scheme: 'basic' },
  token: { type: 'apiKey', in: 'header', name: 'Authorization' },
  app: { type: 'apiKey', in: 'query', name: 'app' },
};

const writeNotes = () =>
  writeJson(
    documentOf(
      `
      Note: { id: int, text }
      list: GET /notes -> [Note], 401
      add: POST /notes Note -> 201 Note, 401
      open: GET /open -> Note
      `,
      {},
      { operations, components: { securitySchemes } },
    ),
  );

/** A deployment that accepts what `isAllowed` does, and what it was asked. */
async function startNotes(isAllowed: (sent: { authorization: string; url: string }) => boolean) {
  const asked: { method: string; url: string; authorization: string; tenant: string }[] = [];
  const origin = await startServer(({ method, path, query, headers }) => {
    const { authorization = '', 'x-tenant': tenant = '' } = headers;
    const url = query.size > 0 ? `${path}?${query}` : path;
    asked.push({ method, url, authorization, tenant: String(tenant) });
    return {
      status: isAllowed({ authorization, url }) ? 200 : 401,
      body: path === '/open' ? { id: 1 } : [],
      headers: { 'WWW-Authenticate': 'Basic realm="n"' },
    };
  });
  return { url: origin, asked };
}

const basic = `Basic ${Buffer.from('ann:secret').toString('base64')}`;

it('sends a key by the security scheme that it is given for, and shows it nowhere', async () => {
  const { url, asked } = await startNotes(({ authorization }) => authorization === basic);
  const spec = await writeNotes();
  const { code, out } = await runVerify([
    ...['--spec', spec, '--target', url, '--no-mock', '--key', 'basic=ann:secret', '--strict'],
    ...['--header', 'X-Tenant: tenant-one'],
  ]);
  expect(out).not.toMatch(/ann:secret|tenant-one/);
  expect(out).not.toContain(basic);
  expect(code).toBe(0);
  expect(asked.filter(({ authorization }) => authorization === basic).length).toBeGreaterThan(3);
  expect(asked.every(({ tenant }) => tenant === 'tenant-one')).toBe(true);
});

it('sends values for several schemes together, as a way in needs them', async () => {
  const { url, asked } = await startNotes(
    (sent) => sent.authorization === 'Token 42' && sent.url.includes('app=shop'),
  );
  const { code } = await runVerify([
    ...['--spec', await writeNotes(), '--target', url, '--no-mock', '--only', 'list'],
    ...['--key', 'token=Token 42', '--key', 'app=shop'],
  ]);
  expect(code).toBe(0);
  expect(asked.some(({ authorization }) => authorization === 'Token no-such-key-5f2c91d07a')).toBe(
    true,
  );
});

it('leaves out an operation of a scheme that no key was given for, and says so', async () => {
  const { url, asked } = await startNotes(
    (sent) => sent.authorization === 'Token 42' && sent.url.includes('app=shop'),
  );
  const { code, out } = await runVerify([
    ...['--spec', await writeNotes(), '--target', url, '--no-mock', '--allow-writes'],
    ...['--skip', 'open', '--key', 'token=Token 42', '--key', 'app=shop'],
  ]);
  expect(out).toMatch(/add .*no key was given for its security scheme basic/);
  expect(
    asked.filter(({ method, authorization }) => method === 'POST' && authorization.includes('42')),
  ).toEqual([]);
  expect(code).toBe(0);
});

it('sends no key and judges none where the target runs without', async () => {
  const { url, asked } = await startNotes(() => true);
  const { code, out } = await runVerify([
    ...['--spec', await writeNotes(), '--target', url, '--no-mock', '--no-key'],
  ]);
  expect(code).toBe(0);
  expect(out).toContain('the document asks for no credentials');
  expect(asked.every(({ authorization }) => authorization === '')).toBe(true);
  // Nothing is created without permission.
  expect(asked.filter(({ method }) => method === 'POST')).toEqual([]);
});

it('lists the calls of a run, and sends none', async () => {
  const { url, asked } = await startNotes(() => true);
  const { code, out } = await runVerify([
    ...['--spec', await writeNotes(), '--target', url, '--no-key', '--allow-writes', '--plan'],
  ]);
  expect(code).toBe(0);
  expect(asked).toEqual([]);
  expect(out).toMatch(/^A run would make about \d+ calls\. None was sent to http:/);
  expect(out).toContain('POST /notes (add): ');
  expect(out).toContain('; adds items, which stay, as no operation deletes them\n  POST /notes {');
});

it.each([
  [['--key', 'basic=a:b', '--no-key'], '--no-key and --key are opposites. Leave one of them out.'],
  [
    ['--key', 'nobody=x'],
    'neither a plan nor a security scheme of the document (basic, token, app)',
  ],
  [['--header', 'X-Tenant'], "A --header must be a name and a value, such as 'X-Tenant: t1'."],
  [['--no-key', '--call', 'nothing'], '--call nothing is not an operation of the document.'],
])('explains what is wrong with %j', async (args, message) => {
  const { code, err } = await runVerify([
    ...['--spec', await writeNotes(), '--target', 'http://127.0.0.1:9', '--no-mock', ...args],
  ]);
  expect([code, err]).toEqual([2, expect.stringContaining(message)]);
});

it('hides a header in the lines that send a call again', async () => {
  const { url } = await startNotes(({ url: asked }) => !asked.startsWith('/open'));
  const { out } = await runVerify([
    ...['--spec', await writeNotes(), '--target', url, '--no-mock', '--no-key', '--json', '-'],
    ...['--header', 'Authorization: Token 4711-secret'],
  ]);
  expect(out).toContain('Authorization: $KEY');
  expect(out).not.toContain('4711');
});

it('lets the mock beside a target ask for no key either', async () => {
  const { url } = await startNotes(() => true);
  const { code, out } = await runVerify([
    ...['--spec', await writeNotes(), '--target', url, '--no-key', '--json', '-'],
  ]);
  const { findings, targets } = JSON.parse(out);
  expect(code).toBe(0);
  expect(targets.map(({ name }: { name: string }) => name)).toEqual(['twin', 'target']);
  expect(findings.filter(({ verdict }: { verdict: string }) => verdict === 'mock')).toEqual([]);
});

it('fails no run against a target for what the mock beside it breaks', async () => {
  const { url } = await startNotes(() => true);
  const brokenMock = await startServer(() => ({ status: 418, body: {} }));
  const args = ['--spec', await writeNotes(), '--no-key', '--mock-url', brokenMock, '--json', '-'];
  const beside = await runVerify([...args, '--target', url, '--strict', '--fail-on-incomplete']);
  expect(beside.code).toBe(0);
  const { findings } = JSON.parse(beside.out);
  const ofMock = findings.filter(({ target }: { target: string }) => target === 'twin');
  expect(ofMock.map(({ verdict }: { verdict: string }) => verdict)).toContain('mock');
  const alone = await runVerify(args);
  expect(alone.code).toBe(1);
});
