import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { runCommand as fidelity } from '../../../contracts/fidelity/command.ts';
import { runCommand as learn } from '../../../contracts/learn/command.ts';
import { createRandom } from '../../../tools/random.ts';
import { capture } from '../../support/capture.ts';
import { jsonOf, toDocument } from '../../support/serve-document.ts';
import { toEntry, toHar } from '../har/samples.ts';

const text = { type: 'string' };
const note = { type: 'object', additionalProperties: true, properties: { id: text, title: text } };
const parameters = [{ name: 'id', in: 'path', required: true, schema: text }];
const paths = {
  '/me': { get: { responses: { 200: jsonOf(note) } } },
  '/notes': {
    get: { responses: { 200: jsonOf({ type: 'array', items: note }) } },
    post: { requestBody: jsonOf({ type: 'object' }), responses: { 201: jsonOf(note) } },
  },
  '/notes/{id}': { parameters, get: { responses: { 200: jsonOf(note) } } },
  '/notes/{id}/close': { parameters, post: { responses: { 200: jsonOf(note) } } },
};

/** Makes texts that nobody else has, and notes them. */
function createTexts(seed: number) {
  const random = createRandom(seed);
  const all: string[] = [];
  const pick = (from: string, length: number) =>
    Array.from({ length }, () => from[Math.floor(random() * from.length)]).join('');
  const word = () =>
    `${pick('bdfgkl', 1)}${pick('aeiou', 1)}x${pick('aeiou', 1)}q${pick('bdfgkl', 2)}`;
  const name = () => word().replace(/^./, (first) => first.toUpperCase());
  const kept = (one: string) => {
    all.push(...one.split(/[\s@.]+/).filter((part) => /q/.test(part)));
    return one;
  };
  return {
    all,
    random,
    email: () => kept(`${word()}@${word()}.example`),
    name: () => kept(`${name()} ${name()}`),
    login: () => kept(word()),
    token: () => kept(`${pick('abcdefghiq', 12)}q${pick('0123456789', 6)}`),
    sentence: () => kept(`please call ${word()} back about the ${word()}`),
    phone: () => kept(`+43 ${pick('123456789', 8)}`),
    street: () => kept(`${name()} Street 12`),
  };
}

type Texts = ReturnType<typeof createTexts>;

/** Gives texts about persons: the same in all of a run or not, and more or less deep. */
function toPersonal(texts: Texts) {
  const { email, name, login, token, sentence, phone, street } = texts;
  return {
    ...{ contact_email: email(), reviewer: login(), author_name: name(), assigned_to: name() },
    ...{ memo: sentence(), api_token: token(), phone: phone(), address: { street: street() } },
    ...{ likes: [{ username: login(), comment: sentence() }], mailto: `mailto:${email()}` },
    ...{ headline: `News of ${name()}`, link: `https://${login()}.example/x` },
    ...{ owner: { login: login(), full_name: name() }, labels: { [`${login()}@x.example`]: 1 } },
  };
}

/** A recording of notes in which persons are wherever a service may show them. */
function toRecording(texts: Texts): string {
  const shared = toPersonal(texts);
  const { owner, reviewer, author_name: author, contact_email: email } = shared;
  const entries: unknown[] = [];
  const add = (method: string, path: string, body: unknown, status: number, answer: unknown) => {
    const headers = [{ name: 'Content-Type', value: 'application/json' }];
    const key = { name: 'Authorization', value: `Bearer ${shared.api_token}` };
    entries.push(
      toEntry({
        startedDateTime: new Date(Date.UTC(2026, 10, 5, 9, 0, entries.length)).toISOString(),
        request: {
          ...{ method, url: `https://notes.example/v1${path}`, headers: [key, ...headers] },
          ...(body !== undefined && {
            postData: { mimeType: 'application/json', text: JSON.stringify(body) },
          }),
        },
        response: {
          ...{ status, headers: [...headers, { name: 'X-Owner', value: author }] },
          content: { size: 1, mimeType: 'application/json', text: JSON.stringify(answer) },
        },
      }),
    );
  };
  add('GET', '/me', undefined, 200, { id: '1', name: owner.full_name, ...shared });
  for (let at = 0; at < 5; at++) {
    const own = at < 3 ? shared : toPersonal(texts);
    const sent = { title: texts.sentence(), reviewer: own.reviewer, by: own.author_name };
    const made = { id: `n_${at}a7b9c${at}`, ...sent, ...own, status: 'open', kind: 'note' };
    add('POST', '/notes', sent, 201, made);
    add('GET', `/notes/${made.id}?for=${email}`, undefined, 200, made);
    if (at < 3) add('POST', `/notes/${made.id}/close`, {}, 200, { ...made, closed_by: author });
    const error = (message: string) => ({ error: { message, user: reviewer, contact: email } });
    add('POST', '/notes', { title: '' }, 400, error(`${author} may not do that`));
    add('POST', '/notes', { name: 1 }, 422, error(`Ask ${email} about it`));
    add('GET', `/notes/${owner.login}`, undefined, 404, error(`There is no note of ${author}`));
    add('POST', `/notes/${made.id}/close`, {}, 409, error(`Closed by ${reviewer} before`));
  }
  add('GET', '/notes', undefined, 200, []);
  return toHar(entries);
}

it.each([1, 2])(
  'writes nothing of a person or secret, wherever it stood (%i)',
  async (seed) => {
    const texts = createTexts(seed);
    const folder = mkdtempSync(join(tmpdir(), 'privacy-'));
    const at = (name: string) => join(folder, name);
    const files = ['a.har', 'b.har'].map((name) => at(name));
    for (const file of files) writeFileSync(file, toRecording(texts));
    writeFileSync(at('notes.json'), JSON.stringify(toDocument(paths)));
    const base = ['--base-url', 'https://notes.example/v1', '--spec', at('notes.json')];
    const context = { env: {}, command: 'x' };
    const ran = await capture(() => learn([...files, ...base, '--out', at('out.yaml')], context));
    expect(ran.code).toBe(0);
    const args = [...base, '--json', at('r.json'), '--html', at('r.html')];
    const report = await capture(() => fidelity([...files, ...args], context));
    expect(report.code).toBe(0);
    const written = ['out.yaml', 'r.json', 'r.html'].map((name) => readFileSync(at(name), 'utf8'));
    expect(written[0]).toContain('kind: note');
    const found = [...written, ran.out, ran.err, report.out, report.err].flatMap((one, index) =>
      texts.all.filter((text) => one.includes(text)).map((text) => `${text} in ${index}`),
    );
    expect(found).toEqual([]);
  },
  60_000,
);

const parts = ['name="title"\r\n\r\ngreeting', 'name="file"; filename="hello.txt"\r\n\r\nhi'];
const multipart = parts.map((one) => `--X\r\nContent-Disposition: form-data; ${one}\r\n`);

it.each([
  ['application/json', '{"title":"greeting","file":{"filename":"hello.txt"}}'],
  ['application/x-www-form-urlencoded', 'title=greeting&filename=hello.txt'],
  ['multipart/form-data; boundary=X', `${multipart.join('')}--X--\r\n`],
])('learns no constant of what a client sends each time as %s', async (mimeType, sent) => {
  const folder = mkdtempSync(join(tmpdir(), 'privacy-'));
  const headersOf = (value: string) => [{ name: 'Content-Type', value }];
  const toCall = (made: { id: string }, request: object) =>
    toEntry({
      startedDateTime: `2026-11-05T09:00:0${made.id[2]}Z`,
      request: { url: 'https://notes.example/v1/notes', headers: [], ...request },
      response: {
        ...{ status: 201, headers: headersOf('application/json') },
        content: { size: 1, mimeType: 'application/json', text: JSON.stringify(made) },
      },
    });
  const entries = [0, 1, 2].map((at) => {
    const id = `n_${at}a7b9c${at}`;
    const made = { id, title: 'greeting', download: 'hello.txt', kind: 'note' };
    const postData = { mimeType, text: sent };
    return toCall(made, { method: 'POST', headers: headersOf(mimeType), postData });
  });
  const at = (name: string) => join(folder, name);
  writeFileSync(at('a.har'), toHar(entries));
  const { post, ...others } = paths['/notes'];
  const own = { '/notes': { ...others, post: { responses: post.responses } } };
  writeFileSync(at('notes.json'), JSON.stringify(toDocument({ ...paths, ...own })));
  const base = ['--base-url', 'https://notes.example/v1', '--spec', at('notes.json')];
  const context = { env: {}, command: 'x' };
  const ran = await capture(() => learn([at('a.har'), ...base, '--out', at('o.yaml')], context));
  expect(ran.code).toBe(0);
  const written = readFileSync(at('o.yaml'), 'utf8');
  expect(written).toContain('kind: note');
  expect(written).not.toMatch(/greeting|hello/);
});
