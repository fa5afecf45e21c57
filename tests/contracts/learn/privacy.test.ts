import { expect, it } from 'vitest';
import { createRandom } from '../../../tools/random.ts';
import { documentOf } from '../../support/document-of.ts';
import { inFolder, type RecordedCall, toRecording } from './recorded-calls.ts';

const origin = 'https://notes.example/v1';
const document = documentOf(`
  GET /me -> Note
  GET /notes -> [Note]
  POST /notes object -> 201 Note
  GET /notes/{id:text} -> Note
  POST /notes/{id:text}/close -> Note
  Note: { id, title }(additionalProperties=true)
`);

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
function recordNotes(texts: Texts): string {
  const shared = toPersonal(texts);
  const { owner, reviewer, author_name: author, contact_email: email } = shared;
  const calls: RecordedCall[] = [];
  const add = (method: string, path: string, body: unknown, status: number, json: unknown) =>
    calls.push({
      ...{ line: `${method} ${path}`, body, status, json, made: { 'X-Owner': author } },
      sent: { Authorization: `Bearer ${shared.api_token}` },
    });
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
  return toRecording(origin, calls);
}

it.each([1, 2])(
  'writes nothing of a person or secret, wherever it stood (%i)',
  async (seed) => {
    const texts = createTexts(seed);
    const recorded = inFolder(document, origin, [recordNotes(texts), recordNotes(texts)]);
    const ran = await recorded.learn();
    expect(ran.code).toBe(0);
    const files = ['--json', recorded.at('r.json'), '--html', recorded.at('r.html')];
    const report = await recorded.report(...files);
    expect(report.code).toBe(0);
    const written = ['out.yaml', 'r.json', 'r.html'].map((name) => recorded.read(name));
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
  const calls = [0, 1, 2].map((at): RecordedCall => {
    const id = `n_${at}a7b9c${at}`;
    const json = { id, title: 'greeting', download: 'hello.txt', kind: 'note' };
    return { line: 'POST /notes', form: { mimeType, text: sent }, status: 201, json };
  });
  const { requestBody: _, ...post } = document.paths['/notes']?.post ?? {};
  const own = { ...document.paths, '/notes': { ...document.paths['/notes'], post } };
  const spec = { ...document, paths: own };
  const recorded = inFolder(spec, origin, [toRecording(origin, calls)]);
  expect((await recorded.learn()).code).toBe(0);
  const written = recorded.read();
  expect(written).toContain('kind: note');
  expect(written).not.toMatch(/greeting|hello/);
});
