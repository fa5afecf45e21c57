import { load } from 'js-yaml';
import { expect, it } from 'vitest';
import { toOverlayText } from '../../../contracts/verify/learned.ts';
import { compile } from '../../../openapi/index.ts';
import { documentOf, schemaOf } from '../../support/document-of.ts';
import { Deployment } from '../../support/shared-deployment.ts';
import { type Reply, startServer } from '../../support/start-server.ts';
import { verify, verifyWrites } from '../../support/verify-writes.ts';
import { writeJson } from '../../support/write-json.ts';

const notFound: Reply = { status: 404, body: { message: 'none' } };

const shop = `GET /orders -> [Order]
  POST /orders Order -> 201 Order, 400
  GET /orders/{id} -> Order, 404
  DELETE /orders/{id} -> 204, 404
  POST /orders/{id}/ship -> object, 404
  PUT /orders/{id}/labels {names: [text]} -> object, 404
  DELETE /orders/{id}/labels -> 204, 404`;
const order = { Order: '{id: int, note}' };

it('calls actions on items of its own, and none on those of others', async () => {
  const deployment = Object.assign(new Deployment('/orders'), { field: 'note' });
  const url = await deployment.start(({ method, path }) => {
    const [, of] = /^(.*\/\d+)\/(ship|labels)$/.exec(path) ?? [];
    if (of === undefined) return undefined;
    if (!deployment.items.has(of)) return notFound;
    return method === 'DELETE' ? { status: 204 } : { status: 200, body: {} };
  });
  const report = await verifyWrites(url, documentOf(shop, order));
  const changes = deployment.asked
    .filter(({ method }) => !['GET', 'HEAD'].includes(method))
    .map(({ method, path }) => `${method} ${path}`);
  const actions = changes.filter((one) => /ship|labels/.test(one));
  expect(actions.map((one) => one.replace(/\d+/, '#')).toSorted()).toEqual([
    'DELETE /orders/#/labels',
    'POST /orders/#/ship',
    'PUT /orders/#/labels',
  ]);
  expect(changes.filter((one) => /\/[1-9](\/|$)/.test(one))).toEqual([]);
  expect(report.residue).toEqual([]);
});

it.each([
  ['nothing', undefined],
  ['an update that is answered and not done', 'update'],
  ['a deletion that is answered and not done', 'deletion'],
] as const)(
  'looks for changes in lists where nothing reads an item, and finds %s',
  async (_, fault) => {
    const orders = new Map([['1', { id: 1, note: 'of Anna' }]]);
    const url = await startServer(({ method, segments: [, id = ''], sent }) => {
      const note = sent?.note;
      if (id === '' && method !== 'POST') return { status: 200, body: [...orders.values()] };
      if (method !== 'DELETE' && typeof note !== 'string') return { status: 400, body: {} };
      const made = { id: id === '' ? orders.size + 10 : Number(id), note: String(note) };
      if (id === '') orders.set(String(made.id), made);
      if (id === '') return { status: 201, body: made };
      if (!orders.has(id)) return notFound;
      if (method === 'PUT' && fault !== 'update') orders.set(id, made);
      if (method === 'DELETE' && fault !== 'deletion') orders.delete(id);
      return method === 'DELETE' ? { status: 204 } : { status: 200, body: made };
    });
    const lines = `GET /orders -> [Order]
    POST /orders Order -> 201 Order, 400
    PUT /orders/{id} Order -> Order, 404
    DELETE /orders/{id} -> 204, 404`;
    const report = await verifyWrites(url, documentOf(lines, { Order: '{id: int, note!}' }));
    const checks = { update: ['replaced'], deletion: ['deleted'] };
    expect(report.findings.map(({ check }) => check)).toEqual(fault ? checks[fault] : []);
    expect(orders.get('1')).toEqual({ id: 1, note: 'of Anna' });
  },
);

it.each<[string, Reply['body'], (sent: Record<string, unknown>) => boolean]>([
  ['that is missing, by its name', { message: 'PasswordIsRequired' }, (sent) => 'password' in sent],
  [
    'that is missing, by a list of its errors',
    { region: ['This field is required.'] },
    (sent) => 'region' in sent,
  ],
  [
    'that is missing, by its place',
    { detail: [{ loc: ['body', 'region'] }] },
    (sent) => 'region' in sent,
  ],
  ['that is refused', { error: '[HomePage]: bad value' }, (sent) => !('home_page' in sent)],
  [
    'that is missing, by its column',
    { status: 404, detail: 'NULL not allowed for column "USER_REGION"' },
    (sent) => 'region' in sent,
  ],
])('learns from a refusal of a member %s', async (_, body, isRight) => {
  const taken: Record<string, unknown>[] = [];
  const url = await startServer(({ method, path, sent = {} }) => {
    if (method !== 'POST') return { status: 200, body: path === '/users' ? taken : taken[0] };
    if (!isRight(sent)) return { status: 422, ...(body as object), body };
    taken.push({ ...sent, id: taken.length + 1 });
    return { status: 201, body: taken.at(-1) };
  });
  const lines = `GET /users -> [User]
    POST /users {home_page, name!, password, region} -> 201 User, 422`;
  await verifyWrites(url, documentOf(lines, { User: '{id: int, name, home_page}' }));
  // Without learning, bodies of a few cases alone have what it wants.
  expect(taken.length).toBeGreaterThan(12);
});

it('sends all members where a create is refused without them, and nothing says why', async () => {
  const visits = new Map<string, object>();
  const url = await startServer(({ method, segments: [, id = ''], sent = {} }) => {
    if (method === 'POST') {
      if (typeof sent.name !== 'string' || !('date' in sent))
        return { status: 500, body: { message: 'Something went wrong.' } };
      const made = { ...sent, id: visits.size + 1 };
      visits.set(String(made.id), made);
      return { status: 201, body: made };
    }
    if (method === 'DELETE' && visits.has(id)) return { status: 204 };
    if (id === '') return { status: 200, body: [...visits.values()] };
    return visits.has(id) ? { status: 200, body: visits.get(id) } : notFound;
  });
  const lines = `GET /visits -> [Visit]
    POST /visits {name!, date: date} -> 201 Visit, 400
    GET /visits/{id} -> Visit, 404
    DELETE /visits/{id} -> 204, 404`;
  await verifyWrites(url, documentOf(lines, { Visit: '{id: int, name, date}' }));
  expect(visits.size).toBeGreaterThan(12);
});

it('leaves out no member that alone marks its items, though one was refused', async () => {
  const notes = new Map<string, object>();
  let refused = 0;
  const url = await startServer(({ method, segments: [, id = ''], sent = {} }) => {
    if (method === 'POST') {
      if (refused === 0 || typeof sent.name !== 'string') {
        refused += 1;
        return { status: 422, body: { message: 'name has already been taken' } };
      }
      const made = { id: notes.size + 1, name: sent.name };
      notes.set(String(made.id), made);
      return { status: 201, body: made };
    }
    if (id === '') return { status: 200, body: [...notes.values()] };
    return notes.has(id) ? { status: 200, body: notes.get(id) } : notFound;
  });
  const lines = `GET /notes -> [Note]
    POST /notes {name} -> 201 Note, 422
    GET /notes/{id} -> Note, 404
    DELETE /notes/{id} -> 204, 404`;
  await verifyWrites(url, documentOf(lines, { Note: '{id: int, name}' }));
  expect(notes.size).toBeGreaterThan(1);
});

it('creates, changes and deletes items below a parent that it was given, which stays as it is', async () => {
  const notes = new Map([['1', { id: 1, text: 'of Anna' }]]);
  const changes = new Set<string>();
  const url = await startServer(({ method, path, sent }) => {
    const [, project, id = ''] =
      /^\/teams\/a\/projects\/(\w+)\/notes(?:\/(\d+))?$/.exec(path) ?? [];
    if (method === 'GET' && path === '/teams/a/projects/7') return { status: 200, body: { id: 7 } };
    if (project !== '7') changes.add(`elsewhere: ${method} ${path}`);
    if (project !== '7') return notFound;
    if (id === '' && method === 'GET') return { status: 200, body: [...notes.values()] };
    if (method === 'POST' || method === 'PUT') {
      if (typeof sent?.text !== 'string') return { status: 400, body: {} };
      const made = { id: Number(id || notes.size + 10), text: sent.text };
      changes.add(method === 'PUT' && id === '1' ? 'of Anna' : method);
      notes.set(String(made.id), made);
      return { status: method === 'PUT' ? 200 : 201, body: made };
    }
    if (!notes.has(id)) return notFound;
    if (method === 'DELETE') changes.add(id === '1' ? 'of Anna' : method);
    if (method === 'DELETE') notes.delete(id);
    return method === 'DELETE' ? { status: 204 } : { status: 200, body: notes.get(id) };
  });
  const lines = `GET /teams/{team:text}/projects/{project} -> object, 404
    DELETE /teams/{team:text}/projects/{project} -> 204, 404
    POST /teams/{team:text}/projects/{project}/close -> 204, 404
    GET /teams/{team:text}/projects/{project}/notes -> [Note], 404
    POST /teams/{team:text}/projects/{project}/notes Note -> 201 Note, 400, 404
    GET /teams/{team:text}/projects/{project}/notes/{id} -> Note, 404
    PUT /teams/{team:text}/projects/{project}/notes/{id} Note -> Note, 404
    DELETE /teams/{team:text}/projects/{project}/notes/{id} -> 204, 404`;
  const spec = await writeJson(documentOf(lines, { Note: '{id: int, text!}' }));
  const run = { spec, target: { url, keys: [] }, twin: false, allowWrites: true };
  await verify({ ...run, parent: ['/teams/a/projects/7'] });
  expect([...changes].filter((one) => !one.startsWith('elsewhere: GET')).toSorted()).toEqual([
    'DELETE',
    'POST',
    'PUT',
  ]);
  expect([...notes.keys()]).toEqual(['1']);
  await expect(verify({ ...run, parent: ['/projects/7'] })).rejects.toThrow(/no item/);
});

it('sends the value that the document shows where another is refused', async () => {
  const taken: unknown[] = [];
  const url = await startServer(({ method, sent = {} }) => {
    if (method !== 'POST') return { status: 200, body: taken };
    const message = 'invalid colour: it is a number sign and six digits';
    if (sent.colour !== '#00aa00') return { status: 422, body: { message } };
    taken.push({ ...sent, id: taken.length + 1 });
    return { status: 201, body: taken.at(-1) };
  });
  const lines = `GET /labels -> [Label]
    POST /labels {name!, colour!: Colour} -> 201 Label, 422`;
  const Colour = { type: 'string', example: '#00aa00' };
  await verifyWrites(url, documentOf(lines, { Label: '{id: int, name}', Colour }));
  expect(taken.length).toBeGreaterThan(0);
});

const learned = [{ target: 't', operation: 'addUser', method: 'POST', path: '/users' }].map(
  (one) => ({
    ...one,
    without: ['home_page'],
    with: ['region'],
  }),
);

it.each<[string, object]>([
  [
    'of its own',
    documentOf('addUser: POST /users {home_page, name!, region} -> 201 User', {
      User: '{id: int}',
    }),
  ],
  [
    'that has a name',
    documentOf('addUser: POST /users NewUser -> 201 User', {
      User: '{id: int}',
      NewUser: '{home_page, name!, region}',
    }),
  ],
  [
    'of Swagger 2.0',
    {
      swagger: '2.0',
      info: { title: 'Users', version: '1' },
      paths: {
        '/users': {
          post: {
            operationId: 'addUser',
            parameters: [{ name: 'body', in: 'body', schema: { $ref: '#/definitions/NewUser' } }],
            responses: { 201: { description: 'Made.' } },
          },
        },
      },
      definitions: { NewUser: schemaOf('{ home_page, name!, region }') },
    },
  ],
])('writes what was learned as an overlay for a body %s', async (_, raw) => {
  const spec = await writeJson(raw);
  const text = toOverlayText(await compile(spec), [...learned, ...learned]) ?? '';
  const overlay = await writeJson(load(text) as object);
  const api = await compile(spec, { overlay });
  const { schema = {} } = api.operations[0]?.body ?? {};
  const { properties, required } = api.schemas.describeSent(schema);
  expect(Object.keys(properties)).toEqual(['name', 'region']);
  expect(required).toEqual(['name', 'region']);
  expect(api.written.warnings).toEqual([]);
  // Lines that the document has by now are not written again.
  const again = learned.map((one) => ({ ...one, without: [], with: ['name', 'region'] }));
  expect(toOverlayText(api, again)).toBeUndefined();
});

it('sends texts that fit a pattern, another one in each body', async () => {
  const orders: { id: number; phone: string; lines: unknown[] }[] = [];
  const fits = (sent: Record<string, unknown> = {}) =>
    /^\+[0-9]{7,15}$/.test(String(sent.phone)) &&
    Array.isArray(sent.lines) &&
    sent.lines.length > 0 &&
    sent.lines.every((line) => /^shp_[0-9]{4}$/.test(line.code));
  const url = await startServer(({ method, sent }) => {
    if (method !== 'POST') return { status: 200, body: orders };
    if (!fits(sent)) return { status: 400, body: {} };
    if (orders.some(({ phone }) => phone === sent?.phone)) return { status: 409, body: {} };
    orders.push({ ...(sent as (typeof orders)[number]), id: orders.length + 1 });
    return { status: 201, body: orders.at(-1) };
  });
  const document = documentOf(
    `GET /orders -> [Order]
     POST /orders Order -> 201 Order, 400, 409`,
    {
      Order: '{ readonly id: int, phone!: Phone, lines!: [{ code!: Code }](minItems=1) }',
      Phone: { type: 'string', pattern: '^\\+[0-9]{7,15}$' },
      Code: { type: 'string', pattern: '^shp_[0-9]{4}$' },
    },
  );
  await verifyWrites(url, document);
  expect(orders.length).toBeGreaterThan(1);
});

it('suggests an item to work in for what needs one', async () => {
  const url = await startServer(({ path }) =>
    path === '/projects' ? { status: 200, body: [{ id: 7, name: 'Cats' }] } : notFound,
  );
  const lines = `GET /projects -> [{id: int, name}]
    GET /projects/{id}/tasks -> [Task], 404
    POST /projects/{id}/tasks Task -> 201 Task, 404
    GET /projects/{id}/tasks/{taskId} -> Task, 404`;
  const report = await verifyWrites(url, documentOf(lines, { Task: '{id: int, title!}' }));
  expect(report.notCalled.map(({ reason }) => reason)).toEqual([
    'it may change items that the run did not create; --parent /projects/{id} makes items below one of yours',
  ]);
});

it('follows the links of an answer', async () => {
  const reached = new Set<string>();
  const answers: Record<string, unknown> = { '/jobs/current': { job: { token: 'j-81' } } };
  const url = await startServer(({ path }) => {
    if (path === '/reports/j-81/of/current') reached.add(path);
    if (path in answers) return { status: 200, body: answers[path] };
    return notFound;
  });
  const links = {
    report: {
      operationId: 'getReport',
      parameters: { 'path.number': '$response.body#/job/token', kind: '$request.path.job' },
    },
  };
  const responses = { 200: { description: 'A job', links }, 404: { description: 'None' } };
  const lines = `GET /jobs -> [{id: text}]
    getJob: GET /jobs/{job:text} -> object
    getReport: GET /reports/{number:text}/of/{kind:text} -> object, 404`;
  const document = documentOf(lines, {}, { operations: { 'GET /jobs/{job}': { responses } } });
  answers['/jobs'] = [{ id: 'current' }];
  await verify({ spec: await writeJson(document), target: { url, keys: [] }, twin: false });
  expect([...reached]).toEqual(['/reports/j-81/of/current']);
});

it('takes no operation for missing that one item alone refuses', async () => {
  const url = await startServer(({ method, path }) => {
    if (method !== 'GET') return { status: 405 };
    if (path === '/repos') return { status: 200, body: [{ id: 1 }, { id: 2 }] };
    if (/^\/repos\/\d$/.test(path)) return { status: 200, body: { id: Number(path.slice(-1)) } };
    return path === '/repos/2/teams' ? { status: 200, body: ['core'] } : { status: 405 };
  });
  const lines = `GET /repos -> [Repo]
    GET /repos/{id} -> Repo, 404
    GET /repos/{repoId}/teams -> [text], 404`;
  const spec = await writeJson(documentOf(lines, { Repo: '{id!: int}' }));
  const { findings } = await verify({ spec, target: { url, keys: [] }, twin: false });
  expect(findings.filter(({ check }) => check === 'operation-exists')).toEqual([]);
});
