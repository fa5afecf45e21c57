import { expect, it } from 'vitest';
import { compareAnswers } from '../../../contracts/fidelity/compare-answers.ts';
import { Correspondence } from '../../../contracts/fidelity/correspondence.ts';

type Given = {
  status?: number;
  type?: string;
  body: unknown;
  headers?: Record<string, string>;
  unjudged?: string;
};

function toAnswer({ status = 200, type = 'application/json', body, headers = {}, ...rest }: Given) {
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  return {
    status,
    text,
    json: typeof body === 'string' ? undefined : body,
    headers: Object.entries({ 'Content-Type': type, ...headers }),
    ...rest,
  };
}

function compare(recorded: Given, twin: Given, itemsAt: readonly string[] = []) {
  const bases = { recorded: 'https://a/v1', twin: 'http://b/v1' };
  const ids = new Correspondence({ bases, nouns: new Map(), names: new Set() });
  const thing = { noun: 'pets', idProperty: 'id', itemsAt };
  return compareAnswers(toAnswer(recorded), toAnswer(twin), { ids, thing, headers: ['etag'] }).map(
    ({ kind, at }) => [kind, at],
  );
}

it.each([
  [{ a: 1 }, { a: 1 }, []],
  [{ a: 1 }, { a: '1' }, [['type', '/a']]],
  [{ a: 1 }, { a: 2 }, [['value', '/a']]],
  [{ a: null }, { a: 1 }, [['type', '/a']]],
  [{ a: 1, b: 2 }, { a: 1 }, [['missing member', '/b']]],
  [{ a: 1 }, { a: 1, b: 2 }, [['extra member', '/b']]],
  [{ id: 17 }, { id: 1 }, []],
  [{ id: 'cus_9s6XKzkNRiz8i3' }, { id: '1' }, [['form', '/id']]],
  [{ created: '2026-01-02T03:04:05Z' }, { created: '2027-01-02T03:04:05Z' }, []],
  [
    { created: '2026-01-02T03:04:05Z' },
    { created: '2027-01-02T03:04:05.123Z' },
    [['form', '/created']],
  ],
  [[{ id: 17 }, { id: 18 }], [{ id: 1 }, { id: 2 }], []],
  [[{ id: 17 }, { id: 18 }], [{ id: 1 }], [['missing item', '/1']]],
  [[{ id: 17 }], [{ id: 1 }, { id: 2 }], [['extra item', '/1']]],
  [[{ id: 5 }, { id: 6 }], [{ id: 6 }, { id: 5 }], [['order', '']]],
  [{ pet_id: '17', other: { pet_id: 17 } }, { pet_id: '1', other: { pet_id: 1 } }, []],
  [{ owner: { id: 5 }, other: { owner_id: 5 } }, { owner: { id: 1 }, other: { owner_id: 1 } }, []],
  [
    { owner: { id: 5 }, other: { owner_id: 5 } },
    { owner: { id: 1 }, other: { owner_id: 2 } },
    [['value', '/other/owner_id']],
  ],
])('compares %j with %j', (recorded, twin, differences) => {
  expect(compare({ body: recorded }, { body: twin })).toEqual(differences);
});

it('compares items of lists with those that stand for them, and their order', () => {
  const ids = new Correspondence({
    bases: { recorded: 'https://a/v1', twin: 'http://b/v1' },
    nouns: new Map(),
    names: new Set(),
  });
  const thing = { noun: 'pets', idProperty: 'id', itemsAt: [] };
  const look = (recorded: unknown, twin: unknown) =>
    compareAnswers(toAnswer({ body: recorded }), toAnswer({ body: twin }), {
      ...{ ids, thing, headers: [] },
    }).map(({ kind }) => kind);
  expect(look({ id: 17, a: 'x' }, { id: 1, a: 'x' })).toEqual([]);
  expect(look({ id: 18, a: 'y' }, { id: 2, a: 'y' })).toEqual([]);
  const recorded = [
    { id: 18, a: 'y' },
    { id: 17, a: 'x' },
  ];
  expect(
    look(recorded, [
      { id: 2, a: 'y' },
      { id: 1, a: 'x' },
    ]),
  ).toEqual([]);
  expect(
    look(recorded, [
      { id: 1, a: 'x' },
      { id: 2, a: 'y' },
    ]),
  ).toEqual(['order']);
});

it.each([
  [{ status: 201, body: {} }, { status: 200, body: {} }, [['status', '']]],
  [{ body: {} }, { type: 'text/plain', body: 'x' }, [['media type', '']]],
  [{ type: 'text/plain', body: 'a' }, { type: 'text/plain', body: 'b' }, [['text', '']]],
  [{ body: {}, headers: { Link: 'x' } }, { body: {} }, [['header', 'link']]],
  [{ body: {} }, { body: {}, headers: { ETag: 'x' } }, [['header', 'etag']]],
  [{ body: {}, headers: { Vary: 'x' } }, { body: {} }, []],
  [
    { body: {}, headers: { Location: 'https://a/v1/pets/x' } },
    { body: {}, headers: { Location: 'http://b/v1/pets/x' } },
    [],
  ],
  [
    { body: {}, headers: { Location: '/pets/x' } },
    { body: {}, headers: { Location: '/pets/y' } },
    [['header', 'location']],
  ],
])('compares the answers %j and %j', (recorded, twin, differences) => {
  expect(compare(recorded as Given, twin as Given)).toEqual(differences);
});

it('knows the items in the member that holds them', () => {
  const body = { data: [{ id: 17, pet_id: 17 }] };
  expect(compare({ body }, { body: { data: [{ id: 1, pet_id: 1 }] } }, ['data'])).toEqual([]);
});

it('compares nothing but headers where the body was not recorded', () => {
  const recorded = { body: '', unjudged: 'no body was recorded', headers: { ETag: '1' } };
  expect(compare(recorded, { body: { a: 1 } })).toEqual([['header', 'etag']]);
});

it('compares no media types of answers without content', () => {
  expect(compare({ body: '' }, { type: '', body: '' })).toEqual([]);
});

it('takes an item of the same id for the one that is meant, if the one that stands for it is not there', () => {
  const ids = new Correspondence({
    bases: { recorded: 'https://a/v1', twin: 'http://b/v1' },
    nouns: new Map(),
    names: new Set(),
  });
  const thing = { noun: 'users', idProperty: 'id', itemsAt: [] };
  const look = (recorded: unknown, twin: unknown) =>
    compareAnswers(toAnswer({ body: recorded }), toAnswer({ body: twin }), {
      ...{ ids, thing, headers: [] },
    });
  look({ id: 1 }, { id: 9 });
  expect(look([{ id: 1, name: 'x' }], [{ id: 1, name: 'x' }])).toEqual([]);
});

it('names no more than a hundred items of a list that the twin alone shows', () => {
  const twin = Array.from({ length: 1000 }, (_, id) => ({ id }));
  expect(compare({ body: [] }, { body: twin })).toHaveLength(100);
});
