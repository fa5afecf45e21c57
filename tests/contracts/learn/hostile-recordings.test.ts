import { expect, it } from 'vitest';
import { documentOf } from '../../support/document-of.ts';
import { inFolder, toRecording } from './recorded-calls.ts';

type Call = [method: string, path: string, body: unknown, status: number, answer: unknown];

const origin = 'https://things.example/v1';
const things = documentOf(`
  GET /things -> [Thing]
  POST /things object -> 201 Thing
  GET /things/{id:text} -> Thing
  GET /boxes -> [object]
  POST /boxes object -> 201 object
  GET /boxes/{id:text} -> object
  POST /things/{id:text}/close -> Thing
  Thing: { id, name, title, memo, contact, owner, status, settings: object, big: int }
`);

/** Learns from calls of things, and gives what was written. */
async function learnFrom(calls: readonly Call[]): Promise<string> {
  const sent = { Authorization: 'Bearer keyOfService' };
  const har = toRecording(
    origin,
    calls.map(([method, path, body, status, json]) => ({
      ...{ line: `${method} ${path}`, body, status, json, sent },
    })),
  );
  // JSON.stringify rounds integers beyond 2^53.
  const exact = har.replaceAll('4242424242', '9007199254740993');
  const recorded = inFolder(things, origin, [exact], () => 'calls of "me".har');
  const ran = await recorded.learn();
  expect(ran).toMatchObject({ code: 0, err: '' });
  return ran.out.startsWith('Wrote') ? recorded.read() : '';
}

it('keeps nothing of persons and no secrets, wherever a recording has them', async () => {
  const item = (id: string, name: string) => ({
    ...{ id, name, big: 4242424242, owner: 'key of keyOfService' },
    settings: { api_token: 'abcdefgh', label: 'x' },
  });
  const written = await learnFrom([
    ['POST', '/things', { name: 'Alpha' }, 201, item('thg_1a2b3c4d', 'Alpha')],
    ['POST', '/things', { name: 'Beta' }, 201, item('thg_2a2b3c4e', 'Beta')],
    [
      ...(['POST', '/things', { name: 'Ada Lovelace', password: 'hunterhunter' }, 400] as const),
      {
        ...{ error: 'Ada Lovelace is blocked', token: 'wordsOnly', user: { login: 'adalove' } },
        ...{ hint: 'Ask for Grace Hopper', account: 4711 },
      },
    ],
  ]);
  expect(written).toContain('settings.label: x');
  expect(written).not.toMatch(/Ada|ada|Grace|keyOf|abcdefgh|wordsOnly|hunter|4711|900719/);
}, 60_000);

it('keeps no parts of texts and ids that were seen once', async () => {
  const made = {
    ...{ id: 'ada-lovelace-9f8e7d6c', name: 'Solo', title: 'Solo, PIN of Carla Cole' },
    ...{ memo: 'ada-lovelace-1f8e7d6c', contact: 'ada-x@corp.example' },
  };
  const written = await learnFrom([['POST', '/things', { name: 'Solo' }, 201, made]]);
  expect(written).not.toMatch(/ada|Carla|corp/);
}, 60_000);

it('learns no refusal that the recording contradicts', async () => {
  const [one, two, three] = ['1', '2', '3'].map((id) => ({ id, name: `n${id}`, status: 'open' }));
  const written = await learnFrom([
    // The item that is closed without a refusal was not shown before, and is open too.
    ['POST', '/things/3/close', undefined, 200, { ...three, title: 'x' }],
    ['GET', '/things/1', undefined, 200, one],
    ['POST', '/things/1/close', undefined, 409, { error: 'busy' }],
    ['GET', '/things/2', undefined, 200, two],
    ['POST', '/things/2/close', undefined, 409, { error: 'busy' }],
    ['GET', '/things/3', undefined, 200, three],
    ['GET', '/things/4', undefined, 200, { id: '4', name: 'n4', status: 'new' }],
    ['POST', '/things/4/close', undefined, 200, { id: '4', name: 'n4', status: 'new' }],
  ]);
  expect(written).not.toContain('refuses');
}, 60_000);

it('keeps what the mock shows of an error where the recording has values that nothing explains', async () => {
  const refusals = [12, 40, 7].map(
    (code): Call => ['GET', '/things/none', undefined, 404, { code, about: 'thing' }],
  );
  expect(await learnFrom(refusals)).not.toContain('about');
}, 60_000);

it('learns codes of errors and the form of what they make up', async () => {
  const refusals = ['4f6a', '81c2', '93b7'].map(
    (one): Call => [
      ...(['GET', `/things/none${one}`, undefined, 404] as const),
      { code: 'E0000007', errorId: `E0000007-17960156${one}` },
    ],
  );
  const written = await learnFrom(refusals);
  expect(written).toContain('code: E0000007');
  expect(written).toContain("errorId: '{random 21}'");
}, 60_000);

it('learns of what kind values made up and ids are', async () => {
  const sids = ['4f', '81', '93'].map((one) => `SM${one.repeat(16)}`);
  const creates = sids.map((memo, at): Call => {
    const name = String(at + 1);
    return ['POST', '/things', { name }, 201, { id: `00u8d0a1806ec5145${at}`, name, memo }];
  });
  const written = await learnFrom(creates);
  // An id of letters and digits is none of digits alone.
  expect(written).toContain('newId: a00000000000000000');
  expect(written).toContain('memo: SM{random 32}');
}, 60_000);

it('learns no filter of lists that show nothing', async () => {
  const written = await learnFrom([
    ['POST', '/things', { name: 'a' }, 201, { id: '1', name: 'a' }],
    ['GET', '/things?search=b', undefined, 200, []],
  ]);
  expect(written).not.toContain('filters');
}, 60_000);

it('takes out what makes answers worse than those of the document alone', async () => {
  const ids = ['4685c570-54e1-4cf0-b60e-71f618b2bab8', '5685c570-54e1-4cf0-b60e-71f618b2bab9'];
  const written = await learnFrom(
    ids.flatMap((id, at): Call[] => {
      const made = { name: `n${at}` };
      return [
        // The document has the item itself in the answer, so that no id is seen.
        ['POST', '/boxes', made, 201, { data: { id, ...made } }],
        ['GET', `/boxes/${id}`, undefined, 200, { id, ...made }],
      ];
    }),
  );
  expect(written).not.toContain('data.id');
}, 60_000);
