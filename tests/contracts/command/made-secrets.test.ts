import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { jsonOf, pathParameter, toDocument } from '../../support/serve-document.ts';
import { startServer } from '../../support/start-server.ts';
import { useVerify } from '../../support/verify-command.ts';
import { writeJson } from '../../support/write-json.ts';

const verify = useVerify();

const user = {
  type: 'object',
  required: ['name', 'password', 'pin'],
  properties: {
    name: { type: 'string' },
    password: { type: 'string', writeOnly: true },
    pin: { type: 'string', format: 'password', writeOnly: true },
  },
};
const shown = {
  type: 'object',
  required: ['id', 'name', 'role'],
  properties: { id: { type: 'integer' }, name: user.properties.name, role: { type: 'string' } },
};
const none = { description: 'None.' };
const document = toDocument({
  '/users': {
    get: { responses: { 200: jsonOf({ type: 'array', items: shown }) } },
    post: {
      requestBody: { required: true, ...jsonOf(user) },
      responses: { 201: jsonOf(shown), 400: none },
    },
  },
  '/users/{id}': {
    parameters: [pathParameter('id')],
    get: { responses: { 200: jsonOf(shown), 404: none } },
    delete: { responses: { 204: none, 404: none } },
  },
});

it('shows no password that the run made up in any report', async () => {
  const secrets = new Set<string>();
  const users = new Map<number, object>();
  const url = await startServer(({ method, segments, sent }) => {
    const id = Number(segments[1]);
    if (method === 'POST') {
      const { name, password, pin } = sent ?? {};
      for (const one of [password, pin])
        if (typeof one === 'string' && one.length > 6) secrets.add(one);
      if (![name, password, pin].every((one) => typeof one === 'string')) return { status: 400 };
      const made = { ...sent, id: users.size + 1, note: `Welcome, your password is ${password}.` };
      users.set(made.id, made);
      return { status: 201, body: made };
    }
    if (segments.length === 1) return { status: 200, body: [...users.values()] };
    if (!users.has(id)) return { status: 404 };
    return method === 'DELETE' ? { status: 403 } : { status: 200, body: users.get(id) };
  });
  const folder = await mkdtemp(join(tmpdir(), 'made-secrets-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const files = ['json', 'junit', 'html', 'markdown', 'har'].map(
    (one) => [`--${one}`, join(folder, one)] as const,
  );
  const spec = await writeJson(document);
  const args = ['--spec', spec, '--target', url, '--no-mock', '--allow-writes', ...files.flat()];
  const { out, err, code } = await verify(args);
  const texts = await Promise.all(files.map(([, file]) => readFile(file, 'utf8')));
  const { out: plan } = await verify([...args.slice(0, 5), '--allow-writes', '--plan']);
  expect([code, secrets.size > 0]).toEqual([1, true]);
  for (const secret of secrets)
    for (const text of [out, err, ...texts]) expect(text.includes(secret)).toBe(false);
  expect(texts[0]).toContain('[Filtered]');
  expect(plan).toMatch(/"password":"\[Filtered\]/);
});
