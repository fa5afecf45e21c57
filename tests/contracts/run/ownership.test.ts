import { expect, it } from 'vitest';
import type { Case } from '../../../contracts/cases/case.ts';
import { Ownership } from '../../../contracts/run/ownership.ts';
import type { Exchange } from '../../../contracts/transcript/exchange.ts';
import { type Api, compile } from '../../../openapi/index.ts';
import { documentOf } from '../../support/document-of.ts';

const document: Api = compile(
  documentOf(`
    list: GET /teams -> [Team]
    create: POST /teams Team! -> Team
    deleteAll: DELETE /teams -> Team
    changeAll: PATCH /teams Team! -> Team
    read: GET /teams/{id} -> Team
    replace: PUT /teams/{id} Team! -> Team
    update: PATCH /teams/{id} Team! -> Team
    remove: DELETE /teams/{id} -> Team
    archive: POST /teams/{id}/archive -> Team
    merge: POST /teams/{id}/merge/{other} -> Team
    bulk: POST /teams/bulk Team! -> Team
    logout: POST /logout -> Team
    updateMe: PUT /me Team! -> Team
    me: GET /me -> Team
    reset: DELETE /reset -> Team
    Team: { readonly id!: int, name! }
  `),
);

type Options = ConstructorParameters<typeof Ownership>[0];

const open = (more: Partial<Options> = {}, of = document) => {
  const exchanges: Exchange[] = [];
  const ownership = new Ownership({
    transcript: { document: of, exchanges },
    allowed: [],
    writes: true,
    isMarked: (value) => String(value).includes('f00ba4'),
    ...more,
  });
  const learn = (exchange: Exchange) => {
    exchanges.push(exchange);
    ownership.learn(exchange);
  };
  return { ownership, learn };
};

function caseOf(operationId: string, kind: 'call' | 'create' = 'call', of = document): Case {
  const operation = of.operations.find(({ id }) => id === operationId);
  if (!operation) throw new Error(`The document has no ${operationId}.`);
  const { id, method, path } = operation;
  return {
    ...{ id, operation, method, path, credential: 'valid', purpose: { kind } },
    ...{ priority: 1, writes: true },
  };
}

/** Returns what a target answered to a call, as a run records it. */
function exchangeOf(
  one: Case,
  path: string,
  {
    sent,
    got,
    at = 1,
    status = 200,
  }: {
    sent?: object;
    got: unknown;
    at?: number;
    status?: number;
  },
): Exchange {
  const text = JSON.stringify(got);
  return {
    ...{ number: at, case: one, sentAt: at, endedAt: at + 1 },
    request: { method: one.method, path, headers: {}, body: JSON.stringify(sent ?? {}) },
    response: { status, headers: [], text, json: got, size: text.length },
  } as unknown as Exchange;
}

const created = { sent: { name: 'one f00ba4' }, got: { id: 7, name: 'one f00ba4' } };
const why = (
  ownership: Ownership,
  operationId: string,
  path: string,
  sent: string | undefined = undefined,
) => ownership.whyNot(caseOf(operationId), { path, body: sent })?.code;

it('lets a run create what it can find again, and nothing that may change what is there', () => {
  const { ownership } = open();
  expect(why(ownership, 'create', '/teams', '{"name":"one f00ba4"}')).toBeUndefined();
  expect(why(ownership, 'create', '/teams', '{"name":"Ours"}')).toBe('unmarked');
  const changes = {
    ...{ deleteAll: '/teams', changeAll: '/teams', bulk: '/teams/bulk', logout: '/logout' },
    ...{ updateMe: '/me', reset: '/reset', replace: '/teams/1', update: '/teams/1' },
    ...{ remove: '/teams/1', archive: '/teams/1/archive' },
  };
  for (const [operationId, path] of Object.entries(changes))
    expect(why(ownership, operationId, path), operationId).toBe('may-change-others');
  expect(why(ownership, 'list', '/teams')).toBeUndefined();
});

it('takes the id of an own item that is gone for that of no other', () => {
  const { ownership, learn } = open();
  const read = exchangeOf(caseOf('read'), '/teams/7', { got: created.got, at: 3 });
  learn(exchangeOf(caseOf('list'), '/teams', { got: [{ id: 1 }] }));
  const create = exchangeOf(caseOf('create', 'create'), '/teams', { ...created, at: 2 });
  ownership.claim(create, created.got);
  for (const path of ['/teams/7', '/teams/1'])
    learn(exchangeOf(caseOf('remove'), path, { got: null, at: 4, status: 204 }));
  learn(read);
  expect(['1', '7'].map((id) => ownership.isOthersId(id))).toEqual([true, false]);
});

it('lets a run change an item that is its own, and no other that the path names too', () => {
  const { ownership, learn } = open();
  const create = exchangeOf(caseOf('create', 'create'), '/teams', created);
  // An answer may only repeat what was sent; a read shows what is there.
  expect(ownership.claim(create)).toMatchObject({ id: '7', whose: 'unproven' });
  expect(why(ownership, 'remove', '/teams/7')).toBe('may-change-others');
  expect(ownership.claim(create, created.got)).toMatchObject({ id: '7', whose: 'own' });
  for (const operationId of ['replace', 'update', 'remove'])
    expect(why(ownership, operationId, '/teams/7'), operationId).toBeUndefined();
  expect(why(ownership, 'archive', '/teams/7/archive')).toBeUndefined();
  expect(why(ownership, 'remove', '/teams/77')).toBe('may-change-others');
  expect(why(ownership, 'merge', '/teams/7/merge/1')).toBe('may-change-others');
  expect(why(ownership, 'deleteAll', '/teams')).toBe('may-change-others');
  learn(exchangeOf(caseOf('remove'), '/teams/7', { got: null, at: 5 }));
  expect(why(ownership, 'remove', '/teams/7')).toBe('may-change-others');
});

it.each([
  ['PUT /films', '/films', undefined],
  ['PATCH /films', '/films', undefined],
  ['PUT /films', '/films/add', undefined],
  ['PATCH /films?filterOfNobody', '/films', undefined],
  ['PATCH /films?name', '/films', 'may-change-others'],
])('takes no collection for its own where %s changes items of %s', (change, add, expected) => {
  const films = compile(
    documentOf(`
      list: GET /films -> [Film]
      create: POST ${add} Film! -> 201 Film
      read: GET /films/{id} -> Film
      change: ${change} Film! -> Film
      clear: DELETE /films?name -> 204
      reset: POST /films/reset -> 204
      Film: { id!: int, name! }
    `),
  );
  const { ownership } = open({}, films);
  const create = exchangeOf(caseOf('create', 'create', films), add, created);
  const whyIn = (operationId: string, path: string) =>
    ownership.whyNot(caseOf(operationId, 'call', films), { path, body: undefined })?.code;
  expect(whyIn('change', '/films')).toBe('may-change-others');
  expect(ownership.claim(create, created.got)).toMatchObject({ id: '7', whose: 'own' });
  expect(whyIn('change', '/films')).toBe(expected);
  expect(whyIn('clear', '/films')).toBe('may-change-others');
  expect(whyIn('reset', '/films/reset')).toBe('may-change-others');
});

it.each([
  ['that was listed before', { list: [{ id: 7, name: 'Ours' }] }, {}, 'others'],
  ['that does not show what was sent', {}, { got: { id: 7, name: 'Ours' } }, 'unproven'],
  [
    'that says it was created before',
    {},
    { got: { ...created.got, createdAt: '2001-01-01T00:00:00Z' } },
    'others',
  ],
  ['whose id is nowhere', {}, { got: { name: 'one f00ba4' } }, 'unproven'],
  ['whose name is a slug of what was sent', {}, { got: { id: 7, name: 'One-F00BA4' } }, 'own'],
])(
  'takes an item %s for nothing but what it is',
  (_, before: { list?: object[] }, answer, whose) => {
    const { ownership, learn } = open();
    if (before.list) learn(exchangeOf(caseOf('list'), '/teams', { got: before.list, at: 1 }));
    const create = exchangeOf(caseOf('create', 'create'), '/teams', {
      ...created,
      ...answer,
      at: 9,
    });
    const shown = (create.response?.json ?? {}) as object;
    expect(ownership.claim(create, { ...shown }).whose).toBe(whose);
  },
);

it.each([
  [1212805337, 'own'],
  ['+12 1280-5337', 'own'],
  ['1212 in f00ba4', 'unproven'],
])('takes the counted id 1212 for one that is cut from no number: %j', (agent, whose) => {
  const isMarked = (value: unknown) => value === agent || String(value).includes('f00ba4');
  const { ownership } = open({ isMarked });
  const sent = { name: 'one f00ba4', agent };
  const got = { id: 1212, ...sent };
  const create = exchangeOf(caseOf('create', 'create'), '/teams', { sent, got });
  expect(ownership.claim(create, got).whose).toBe(whose);
});

it('takes an id that two creates were answered with for neither', () => {
  const { ownership } = open();
  const create = caseOf('create', 'create');
  const first = ownership.claim(exchangeOf(create, '/teams', created), created.got);
  const other = { sent: { name: 'two f00ba4' }, got: { id: 7, name: 'two f00ba4' }, at: 4 };
  expect(ownership.claim(exchangeOf(create, '/teams', other)).whose).toBe('shared');
  expect(first.whose).toBe('shared');
  const third = exchangeOf(create, '/teams', { ...other, sent: { name: 'three f00ba4' }, at: 6 });
  expect(ownership.claim(third, other.got).whose).toBe('shared');
  expect(why(ownership, 'remove', '/teams/7')).toBe('may-change-others');
});

it.each([
  ['was sent twice', created.sent],
  ['named its id', { id: '7', name: 'two f00ba4' }],
])('takes an item for its own still whose create %s', (_, sent) => {
  const { ownership } = open();
  const create = caseOf('create', 'create');
  ownership.claim(exchangeOf(create, '/teams', created), created.got);
  const again = exchangeOf(create, '/teams', { ...created, sent, at: 4 });
  expect(ownership.claim(again).whose).toBe('own');
});

it.each([
  ['a7', false],
  ['123456789012', false],
  ['a7-123456789', true],
])('takes the id %s for one that no other item has: %s', (id, expected) => {
  const { ownership } = open();
  const got = { ...created.got, id };
  const create = exchangeOf(caseOf('create', 'create'), '/teams', { ...created, got });
  expect(ownership.claim(create, got).whose).toBe('own');
  expect(ownership.isOwnName(id)).toBe(expected);
});

it.each([
  ['PUT /films/{id} Film! -> Film', 'unproven'],
  ['PATCH /films/{id} Film! -> Film', 'unproven'],
  ['DELETE /films/{id} -> 204', 'unproven'],
  ['GET /films -> [Film]', 'own'],
])('takes an answer alone for proof only where nothing changes items: %s', (line, whose) => {
  const films = compile(
    documentOf(`
      create: POST /films Film! -> Film
      GET /films/{id} -> Film
      ${line}
      Film: { readonly id!: int, name! }
    `),
  );
  const create = exchangeOf(caseOf('create', 'create', films), '/films', created);
  expect(open({}, films).ownership.claim(create).whose).toBe(whose);
});

it.each([
  [200, 'others'],
  [201, 'own'],
])(
  'takes %i for the answer of an item that %s have where 201 is described too',
  (status, whose) => {
    const films = compile(
      documentOf(`
      create: POST /films Film! -> 201 Film, 200 Film
      GET /films/{id} -> Film
      Film: { readonly id!: int, name! }
    `),
    );
    const create = exchangeOf(caseOf('create', 'create', films), '/films', { ...created, status });
    expect(open({}, films).ownership.claim(create, created.got).whose).toBe(whose);
  },
);

const nested = compile(
  documentOf(`
    createTeam: POST /teams { name! }! -> 201 Team
    readTeam: GET /teams/{team} -> Team
    DELETE /teams/{team} -> 204
    greet: POST /teams/{team}/greet { text } -> object
    createLog: POST /logs { name! }! -> 201 Team
    DELETE /logs/{id} -> 204
    createProject: POST /projects { name! }! -> 201 Team
    GET /projects/{id} -> Team
    createNote: POST /teams/{team}/notes { name!, projectId: int, of } -> 201 Team
    GET /teams/{team}/notes/{id} -> Team
    DELETE /teams/{team}/notes/{id} -> 204
    Team: { readonly id!: int, name! }
  `),
);
const note = (more: object = {}) => JSON.stringify({ name: 'one f00ba4', ...more });

it.each([
  ['createNote', '/teams/7/notes', note({ projectId: 8 }), undefined],
  ['createNote', '/teams/7/notes', note({ projectId: 7 }), 'refers-to-others'],
  ['createNote', '/teams/7/notes', note({ of: 'ours-1' }), 'refers-to-others'],
  ['createNote', '/teams/7/notes?of=ours-1&of=', note(), 'refers-to-others'],
  ['createNote', '/teams/8/notes', note(), 'below-others'],
  ['createNote', '/teams/12/notes', note(), undefined],
  ['createNote', '/teams/1/notes', note(), 'below-others'],
  ['createLog', '/logs', note(), 'may-change-others'],
  ['greet', '/teams/7/greet', '{"text":"bob@example.com"}', undefined],
  ['greet', '/teams/7/greet', '{"text":"bob@corp.test"}', 'refers-to-others'],
])(
  'names no item of others, reaches nobody, and makes what it finds again: %s %s %s',
  (operationId, path, body, expected) => {
    const { ownership, learn } = open({ parents: ['/teams/12'] }, nested);
    const shown = { id: 'ours-1', name: 'Ours' };
    learn(exchangeOf(caseOf('readTeam', 'call', nested), '/teams/ours-1', { got: shown, at: 0 }));
    const own = { createTeam: ['/teams', 7], createProject: ['/projects', 8] } as const;
    for (const [id, [at, made]] of Object.entries(own)) {
      const got = { ...created.got, id: made };
      const create = exchangeOf(caseOf(id, 'create', nested), at, { ...created, got });
      expect(ownership.claim(create, got).whose).toBe('own');
    }
    const one = caseOf(operationId, 'call', nested);
    expect(ownership.whyNot(one, { path, body })?.code).toBe(expected);
  },
);

it('takes an item for its own that is found by a list where the create answers with a job', () => {
  const { ownership } = open();
  const job = exchangeOf(caseOf('create', 'create'), '/teams', {
    ...{ sent: created.sent, status: 202 },
    got: { id: 'job-1', done: false },
  });
  expect(ownership.claim(job, created.got, '7')).toMatchObject({ id: '7', whose: 'own' });
  expect(ownership.claim(job, { ...created.got, id: 8 }, '7').shownId).toBe('8');
});

it('takes the id that paths ask for out of a job that a create answers with', () => {
  const clusters = compile(
    documentOf(`
      create: POST /clusters { name! }! -> 202 { id!, done!: bool, clusterId }
      GET /clusters/{clusterId:text} -> { id!, name! }, 404
      GET /clusters -> [{ id!, name! }]
    `),
  );
  const got = { id: 'job-1', done: false, clusterId: 'c-7' };
  const job = exchangeOf(caseOf('create', 'create', clusters), '/clusters', { ...created, got });
  expect(open({}, clusters).ownership.claim(job).id).toBe('c-7');
});

it('takes an item with an id of a text that a change sent for renamed, and for no other', () => {
  const { ownership, learn } = open();
  const create = exchangeOf(caseOf('create', 'create'), '/teams', created);
  const made = ownership.claim(create, created.got);
  const got = { id: 'two-f00ba4', name: 'Two f00ba4' };
  learn(exchangeOf(caseOf('replace'), '/teams/7', { sent: { name: 'Two f00ba4' }, got, at: 5 }));
  expect(made).toMatchObject({ id: '7', whose: 'unproven' });
  expect([made.shownId, made.reason]).toEqual([undefined, 'a change gave it the id two-f00ba4']);
  expect(why(ownership, 'create', '/teams', '{"name":"one f00ba4"}')).toBeUndefined();
});

it('takes an item of a setup for the place of no item below it', () => {
  const { ownership } = open({}, nested);
  ownership.adopt(['/teams/7']);
  expect(ownership.placeAt('/teams/{team}')).toBe('/teams/7');
  expect(ownership.placeAt('/teams/{team}/notes/{id}')).toBeUndefined();
});

it('lets a run call what the user allows by name, and changes nothing without permission', () => {
  expect(why(open({ allowed: ['logout'] }).ownership, 'logout', '/logout')).toBeUndefined();
  expect(why(open({ writes: false }).ownership, 'create', '/teams', '{"name":"f00ba4"}')).toBe(
    'writes-not-allowed',
  );
  expect(why(open({ isTemporary: true }).ownership, 'reset', '/reset')).toBeUndefined();
});

it('calls no operation that only fails, and none again that answered with an item of others', () => {
  const { ownership, learn } = open();
  const body = '{"name":"one f00ba4"}';
  const create = caseOf('create', 'create');
  const fail = () => learn(exchangeOf(create, '/teams', { got: null, status: 500 }));
  for (let times = 0; times < 4; times++) fail();
  expect(why(ownership, 'create', '/teams', body)).toBeUndefined();
  fail();
  expect(why(ownership, 'create', '/teams', body)).toBe('keeps-failing');
  learn(exchangeOf(create, '/teams', created));
  fail();
  expect(why(ownership, 'create', '/teams', body)).toBeUndefined();
  learn(exchangeOf(caseOf('list'), '/teams', { got: [{ id: 1, name: 'Ours' }], at: 3 }));
  ownership.claim(exchangeOf(create, '/teams', { got: { id: 1 }, at: 9 }), { id: 1 });
  expect(why(ownership, 'create', '/teams', body)).toBe('answers-others');
});

it('gives up an operation whose items nothing proves, unless one was proven', () => {
  const { ownership } = open();
  const { operation } = caseOf('create');
  const count = () => Array.from({ length: 5 }, () => ownership.countUnproven(operation));
  expect(count()).toEqual([false, false, false, false, true]);
  ownership.claim(exchangeOf(caseOf('create', 'create'), '/teams', created), created.got);
  expect(count()).not.toContain(true);
  ownership.giveUp(operation);
  expect(why(ownership, 'create', '/teams', '{"name":"f00ba4"}')).toBe('never-proven');
});
