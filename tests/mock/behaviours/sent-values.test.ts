import { expect, it } from 'vitest';
import { jsonOf, pathParameter, serveDocument, toDocument } from '../../support/serve-document.ts';

const text = { type: 'string' };
const toObject = (properties: object, more: object = {}) => ({
  type: 'object',
  properties,
  ...more,
});
const answer = (schema: object) => ({ responses: { 200: jsonOf(schema) } });

/** What is read at a path of one item after a body created that. */
async function readCreated(
  paths: Record<string, object>,
  [path, body]: readonly [string, object],
  toItemPath: (created: Record<string, unknown>) => string,
) {
  const { send } = await serveDocument(toDocument(paths));
  const { json } = await send('POST', path, body);
  return (await send('GET', toItemPath(json))).json;
}

it('stores what an operation creates whose other words look as if it asked for something', async () => {
  const profile = toObject({ id: { type: 'integer' }, name: text });
  const paths = {
    '/verify_profiles': {
      post: {
        operationId: 'createVerifyProfile',
        requestBody: jsonOf(toObject({ name: text })),
        ...answer(profile),
      },
    },
    '/verify_profiles/{id}': { parameters: [pathParameter('id')], get: answer(profile) },
  };
  const read = await readCreated(
    paths,
    ['/verify_profiles', { name: 'Two' }],
    ({ id }) => `/verify_profiles/${id}`,
  );
  expect(read.name).toBe('Two');
});

it('stores what schemas require and do not describe', async () => {
  const rule = toObject({ id: { type: 'integer' } }, { required: ['name'] });
  const paths = {
    '/rules': { post: { requestBody: jsonOf(rule), ...answer(rule) } },
    '/rules/{id}': { parameters: [pathParameter('id')], get: answer(rule) },
  };
  const read = await readCreated(
    paths,
    ['/rules', { name: 'Mine', other: 1 }],
    ({ id }) => `/rules/${id}`,
  );
  expect(read).toEqual({ id: expect.any(Number), name: 'Mine' });
});

it('stores what an example of a body has and its schema does not describe', async () => {
  const shown = toObject({ id: { type: 'integer' }, name: text, status: text, owner: text });
  const example = { name: 'One', status: 'Draft' };
  const paths = {
    '/rules': {
      post: { requestBody: jsonOf(toObject({ name: text }), { example }), ...answer(shown) },
    },
    '/rules/{id}': { parameters: [pathParameter('id')], get: answer(shown) },
  };
  const read = await readCreated(
    paths,
    ['/rules', { ...example, status: 'Sent', owner: 'Ann' }],
    ({ id }) => `/rules/${id}`,
  );
  expect(read.status).toBe('Sent');
  expect(read.owner).not.toBe('Ann');
});

it('takes from a body what it holds where answers do, whatever is beside it', async () => {
  const payment = { PaymentId: text, Amount: text, Note: text };
  const shown = toObject({ Data: toObject(payment), Links: toObject({ Self: text }) });
  const { PaymentId: _, ...sent } = payment;
  const body = toObject({ Data: toObject(sent), Risk: toObject({ Code: text }) });
  const paths = {
    '/payments': { post: { requestBody: jsonOf(body), responses: { 201: jsonOf(shown) } } },
    '/payments/{PaymentId}': { parameters: [pathParameter('PaymentId', text)], get: answer(shown) },
  };
  const Data = { Amount: '10.00', Note: 'Rent' };
  const read = await readCreated(
    paths,
    ['/payments', { Data, Risk: { Code: 'x' } }],
    (created) => `/payments/${(created.Data as typeof payment).PaymentId}`,
  );
  expect(read.Data).toMatchObject(Data);
});

it('knows items below others by an Id in any case, and lists them', async () => {
  const address = toObject({ Id: { type: 'integer' }, City: text });
  const parameters = [pathParameter('id')];
  const { send } = await serveDocument(
    toDocument({
      '/customers/{id}': { parameters, get: answer(toObject({ Id: { type: 'integer' } })) },
      '/customers/{id}/addresses': {
        parameters,
        get: answer({ type: 'array', items: address }),
        post: { requestBody: jsonOf(address), ...answer(address) },
      },
    }),
  );
  await send('POST', '/customers/1/addresses', { City: 'Oslo' });
  const { json } = await send('GET', '/customers/1/addresses');
  expect(json.map(({ City }: { City: string }) => City)).toContain('Oslo');
});

it('keeps what is at a path of a parameter that lists what is below it', async () => {
  const category = toObject({ id: { type: 'integer' }, name: text });
  const [team, id] = [pathParameter('team'), pathParameter('id')];
  const paths = {
    '/categories/{team}': {
      parameters: [team],
      get: answer({ type: 'array', items: category }),
      post: { requestBody: jsonOf(toObject({ name: text })), ...answer(category) },
    },
    '/categories/{team}/{id}': { parameters: [team, id], get: answer(category) },
  };
  const read = await readCreated(
    paths,
    ['/categories/7', { name: 'Alerts' }],
    ({ id }) => `/categories/7/${id}`,
  );
  expect(read.name).toBe('Alerts');
});
