import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { documentOf } from '../../support/document-of.ts';
import { makeFolder } from '../../support/make-folder.ts';
import { startServer } from '../../support/start-server.ts';
import { useVerify } from '../../support/verify-command.ts';
import { writeJson } from '../../support/write-json.ts';

const verify = useVerify();

const document = documentOf(
  `
  list: GET /users -> [User]
  add: POST /users?password! User! -> 201 User, 400
  read: GET /users/{id} -> User, 404
  put: PUT /users/{id} User! -> User, 404
  patch: PATCH /users/{id} User! -> User, 404
  remove: DELETE /users/{id} -> 204, 404
  `,
  {
    Long: { type: 'string', minLength: 8 },
    Pin: { type: 'string', format: 'password', minLength: 20 },
    Code: { allOf: [{ $ref: '#/components/schemas/Pin' }] },
    Answer: { type: 'string', minLength: 8, writeOnly: true },
    Token: { type: 'string', maxLength: 12 },
    Keys: { type: 'array', minItems: 1, items: { type: 'string', pattern: '^[A-Z]{8}$' } },
    User: `{
      readonly id: int, name!, password!, auth!: { password!: Long, kind! }, pin!: Pin, code!: Code,
      answer!: Answer, access_token!: Token, client_secret!: uuid, api_keys!: Keys
    }`,
  },
);
document.paths['/users']?.post.parameters.push({
  ...{ name: 'X-Access-Token', in: 'header', required: true, schema: { type: 'string' } },
});

it('makes up secrets that nobody guesses, wherever a request has one, and shows none', async () => {
  const secrets = new Map<string, Set<string>>();
  const users = new Map<number, Record<string, unknown>>();
  const note = (from: string, value: unknown) => {
    if (typeof value === 'string' && value !== '')
      secrets.set(from, (secrets.get(from) ?? new Set()).add(value));
  };
  let last = 0;
  const url = await startServer(({ method, segments, sent, query, headers }) => {
    const id = Number(segments[1]);
    const { password, auth, pin, code, answer, access_token, client_secret, api_keys } =
      Object(sent);
    const made = { password, pin, code, answer, access_token, client_secret };
    const isWhole = [...Object.values(made), auth?.password, api_keys?.[0]].every(
      (one) => typeof one === 'string' && one.length >= 8,
    );
    if (isWhole) {
      for (const [name, one] of Object.entries(made)) note(`${method} ${name}`, one);
      note(`${method} auth.password`, auth.password);
      note(`${method} api_keys`, api_keys[0]);
    }
    if (method === 'POST') {
      if (!isWhole || typeof sent?.name !== 'string') return { status: 400 };
      note('POST ?password', query.get('password'));
      note('POST X-Access-Token', headers['x-access-token']);
      const received = `${query.get('password')} ${headers['x-access-token']}`;
      const item = { ...sent, id: ++last, note: `Welcome, your password is ${password}.` };
      users.set(item.id, item);
      return { status: 201, body: { ...item, name: 7, received } };
    }
    if (segments.length === 1) return { status: 200, body: [...users.values()] };
    const item = users.get(id);
    if (!item) return { status: 404 };
    if (method === 'DELETE') return { status: id % 2 === 0 ? 403 : users.delete(id) ? 204 : 404 };
    if (method === 'PUT' && isWhole) users.set(id, { ...sent, id });
    if (method === 'PATCH') Object.assign(item, sent);
    const isReplaced = method === 'PUT';
    return { status: 200, body: isReplaced ? { ...users.get(id), id: 'x', sent } : item };
  });
  const folder = makeFolder();
  const files = ['json', 'junit', 'html', 'markdown', 'har'].map(
    (one) => [`--${one}`, join(folder, one)] as const,
  );
  const args = ['--spec', await writeJson(document), '--target', url, '--no-mock'];
  const { out, err } = await verify([...args, '--allow-writes', ...files.flat()]);
  const { out: plan } = await verify([...args, '--allow-writes', '--plan']);
  const texts = await Promise.all(files.map(([, file]) => readFile(file, 'utf8')));
  expect([...secrets.keys()].toSorted()).toEqual(
    ['POST', 'PUT']
      .flatMap((method) =>
        [
          'password',
          'pin',
          'code',
          'answer',
          'access_token',
          'client_secret',
          'auth.password',
          'api_keys',
        ].map((name) => `${method} ${name}`),
      )
      .concat('POST ?password', 'POST X-Access-Token')
      .toSorted(),
  );
  const shown = [...secrets].flatMap(([from, values]) =>
    [...values]
      .filter((one) => [out, err, ...texts].some((text) => text.includes(one)))
      .map((one) => `${from}: ${one}`),
  );
  // One at random may have any of these by chance.
  const guessed = [...secrets].flatMap(([from, values]) => {
    const alike = [...values].filter((one) => /text|changed|2030|xxxx/.test(one));
    return alike.length * 2 > values.size ? alike.map((one) => `${from}: ${one}`) : [];
  });
  expect({ shown, guessed }).toEqual({ shown: [], guessed: [] });
  expect(texts[0]).toContain('[Filtered]');
  expect(plan).toMatch(/"password":"\[Filtered\]/);
}, 60_000);
