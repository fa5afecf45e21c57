import { Webhook } from 'standardwebhooks';
import { expect, it } from 'vitest';
import type { WebhooksView } from '../../../../mock/extras/webhooks/webhook-handlers.ts';
import { adminOf } from '../../../support/admin-requests.ts';
import { documentOf, schemaOf } from '../../../support/document-of.ts';
import { jsonOf, serveDocument } from '../../../support/serve-document.ts';
import { startReceiver } from '../../../support/webhook-receiver.ts';

/** The lines of a collection whose items have the names that clients give them. */
function linesOf(path: string, item = '{ name! }') {
  const own = `${path}/{${path.split('/').at(-1)}Name:text}`;
  return `
    GET ${path} -> [${item}]
    POST ${path} ${item} -> 201 ${item}
    GET ${own} -> ${item}
    PATCH ${own} ${item} -> ${item}
    DELETE ${own} -> 204`;
}

const told = {
  post: {
    requestBody: jsonOf(schemaOf('{ name! }')),
    responses: { 204: { description: 'Done.' } },
  },
};
const hooks = '/orgs/{orgsName:text}/hooks';
const orgLines = linesOf('/orgs') + linesOf(hooks, '{ name!, url!, events!: [text], secret }');
const webhooks = { 'pet.created': told };
const document = documentOf(orgLines + linesOf('/pets'), {}, { webhooks });

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
  const view = (): Promise<WebhooksView> => adminOf({ origin }).ask('webhooks');
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

const watchedLines = `${orgLines}
  ${linesOf('/orgs/{orgsName:text}/toys')}
  POST /orgs/{orgsName:text}/toys/{toysName:text}/watch { to } -> 204
  POST /orgs/{orgsName:text}/watch { to } -> 204`;
const calling = (name: string) => ({ callbacks: { [name]: { '{$request.body#/to}': told } } });
const watched = documentOf(
  watchedLines,
  {},
  {
    operations: {
      'POST /orgs/{orgsName}/toys/{toysName}/watch': calling('toyUpdated'),
      'POST /orgs/{orgsName}/watch': calling('toyDeleted'),
    },
    webhooks: { 'toy.created': told },
  },
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
    const view: WebhooksView = await adminOf({ origin }).ask('webhooks');
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
