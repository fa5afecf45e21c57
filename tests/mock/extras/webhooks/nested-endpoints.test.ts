import { Webhook } from 'standardwebhooks';
import { expect, it } from 'vitest';
import type { WebhooksView } from '../../../../mock/extras/webhooks/webhook-handlers.ts';
import {
  jsonOf,
  pathParameter,
  serveDocument,
  toDocument,
} from '../../../support/serve-document.ts';
import { startReceiver } from '../../../support/webhook-receiver.ts';

const text = { type: 'string' };
const named = { type: 'object', required: ['name'], properties: { name: text } };
const hook = {
  type: 'object',
  required: ['name', 'url', 'events'],
  properties: {
    ...{ name: text, url: text, secret: text },
    events: { type: 'array', items: text },
  },
};
const done = { 204: { description: 'Done.' } };

/** Describes a collection whose items have the names that clients give them. */
function pathsOf(path: string, item: object, above: readonly object[] = []) {
  const own = pathParameter(`${path.split('/').at(-1)}Name`, text);
  return {
    [path]: {
      parameters: above,
      get: { responses: { 200: jsonOf({ type: 'array', items: item }) } },
      post: { requestBody: jsonOf(item), responses: { 201: jsonOf(item) } },
    },
    [`${path}/{${own.name}}`]: {
      parameters: [...above, own],
      get: { responses: { 200: jsonOf(item) } },
      patch: { requestBody: jsonOf(item), responses: { 200: jsonOf(item) } },
      delete: { responses: done },
    },
  };
}

const document = toDocument(
  {
    ...pathsOf('/orgs', named),
    ...pathsOf('/orgs/{orgsName}/hooks', hook, [pathParameter('orgsName', text)]),
    ...pathsOf('/pets', named),
  },
  { webhooks: { 'pet.created': { post: { requestBody: jsonOf(named), responses: done } } } },
);

const orgs = ['a/b', 'c', '%2F'];
const secretOf = (org: string) => `whsec_${Buffer.from(org.padEnd(24)).toString('base64')}`;

it('tells endpoints of the same id below different parents apart, also by their secrets', async () => {
  const { url, received } = await startReceiver();
  const { origin, send } = await serveDocument(document, { pets: 0 });
  const hooksOf = (org: string) => `/orgs/${encodeURIComponent(org)}/hooks`;
  const endpointOf = (org: string) => ({
    ...{ name: 'deploy', url: `${url}/${encodeURIComponent(org)}`, events: ['*'] },
    secret: secretOf(org),
  });
  for (const name of orgs) {
    await send('POST', '/orgs', { name });
    expect((await send('POST', hooksOf(name), endpointOf(name))).status).toBe(201);
  }
  let pets = 0;
  const view = async () =>
    (await (await fetch(`${origin}/__admin/webhooks`)).json()) as WebhooksView;
  /** Creates a pet, and returns the organizations whose endpoints were told, by whose secret each was signed. */
  const createPet = async () => {
    received.length = 0;
    await send('POST', '/pets', { name: `pet-${(pets += 1)}` });
    const states = async () => (await view()).deliveries.map(({ state }) => state);
    await expect.poll(states).not.toContain('pending');
    expect(await states()).not.toContain('refused');
    for (const { url: path, body, headers } of received) {
      const secret = secretOf(decodeURIComponent(path.slice(1)));
      new Webhook(secret).verify(body, headers as Record<string, string>);
    }
    return received.map((one) => decodeURIComponent(one.url.slice(1))).toSorted();
  };
  expect(await createPet()).toEqual(orgs.toSorted());
  const items = (await view()).endpoints.map(({ item }) => item);
  expect(new Set(items).size).toBe(orgs.length);

  await send('DELETE', `${hooksOf('a/b')}/deploy`);
  expect(await createPet()).toEqual(['%2F', 'c']);
  const other = { ...endpointOf('c'), events: ['pet.deleted'] };
  expect((await send('PATCH', `${hooksOf('c')}/deploy`, other)).status).toBe(200);
  expect(await createPet()).toEqual(['%2F']);
});

const told = { post: { requestBody: jsonOf(named), responses: done } };
const toys = pathsOf('/orgs/{orgsName}/toys', named, [pathParameter('orgsName', text)]);
const watched = toDocument(
  {
    ...pathsOf('/orgs', named),
    ...pathsOf('/orgs/{orgsName}/hooks', hook, [pathParameter('orgsName', text)]),
    ...toys,
    '/orgs/{orgsName}/toys/{toysName}/watch': {
      parameters: [pathParameter('orgsName', text), pathParameter('toysName', text)],
      post: {
        requestBody: jsonOf({ type: 'object', properties: { to: text } }),
        responses: done,
        callbacks: { toyUpdated: { '{$request.body#/to}': told } },
      },
    },
    '/orgs/{orgsName}/watch': {
      parameters: [pathParameter('orgsName', text)],
      post: {
        requestBody: jsonOf({ type: 'object', properties: { to: text } }),
        responses: done,
        callbacks: { toyDeleted: { '{$request.body#/to}': told } },
      },
    },
  },
  { webhooks: { 'toy.created': told } },
);

it('tells neither endpoints nor callbacks of one parent what happens below another', async () => {
  const { url, received } = await startReceiver();
  const { origin, send } = await serveDocument(watched, { pets: 0 });
  for (const name of orgs) {
    const own = encodeURIComponent(name);
    const at = (path: string) => `/orgs/${own}${path}`;
    await send('POST', '/orgs', { name });
    await send('POST', at('/hooks'), { name: 'one', url: `${url}/created/${own}`, events: ['*'] });
    await send('POST', at('/toys'), { name: 'ball' });
    await send('POST', at('/watch'), { to: `${url}/deleted/${own}` });
    await send('POST', at('/toys/ball/watch'), { to: `${url}/updated/${own}` });
  }
  const settled = async () => {
    const view = (await (await fetch(`${origin}/__admin/webhooks`)).json()) as WebhooksView;
    return view.deliveries.map(({ state }) => state);
  };
  await expect.poll(settled).not.toContain('pending');
  const created = received.map((one) => one.url).filter((one) => one.startsWith('/created'));
  expect(created.toSorted()).toEqual(['/created/%252F', '/created/a%2Fb', '/created/c']);
  received.length = 0;
  await send('PATCH', '/orgs/c/toys/ball', { name: 'ball' });
  await send('DELETE', '/orgs/a%2Fb/toys/ball');
  await expect.poll(settled).not.toContain('pending');
  const others = received.map((one) => one.url).filter((one) => !one.startsWith('/created'));
  expect(others.toSorted()).toEqual(['/deleted/a%2Fb', '/updated/c']);
});
