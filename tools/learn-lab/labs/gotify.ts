import { check, equal, type Loose, need, refuses } from '../../sdks/lab.ts';
import type { Steps } from '../subject.ts';

/** Gotify: applications, messages, clients and users, by a client that is made of its document. */
export const runGotify: Steps = async ({ origin, key, step, load, document }) => {
  const { default: Swagger } = await load('swagger-client');
  const connect = async (headers: Record<string, string>): Promise<Loose> => {
    const spec = { ...document, host: new URL(origin).host, schemes: ['http'] };
    const requestInterceptor = (request: Loose) => {
      Object.assign(request.headers, headers);
      return request;
    };
    return (await new Swagger({ spec, requestInterceptor })).apis;
  };
  const api = await connect({ authorization: key });
  const made: Loose = {};
  const hasStatus = (status: number) => (error: Loose) =>
    equal(error.status ?? error.response?.status, status, 'status');
  const app = () => need(made.app, 'create an application');
  const person = () => need(made.user, 'create a user');

  await step('read the version', async () => {
    check((await api.version.getVersion()).body.version, 'no version');
  });
  await step('read the health', async () => {
    equal((await api.health.getHealth()).body.health, 'green');
  });
  await step('read the own user', async () => {
    equal((await api.user.currentUser()).body.name, 'admin');
  });
  await step('create an application', async () => {
    const body = { name: 'Backup', description: 'Tells of backups' };
    made.app = (await api.application.createApp({ body })).body;
    equal([made.app.name, made.app.description], ['Backup', 'Tells of backups']);
    equal([made.app.internal, made.app.defaultPriority], [false, 0]);
    check(made.app.token.startsWith('A'), `token: ${made.app.token}`);
  });
  await step('create an application with a priority, and change it', async () => {
    const { id } = (
      await api.application.createApp({ body: { name: 'Watch', defaultPriority: 8 } })
    ).body;
    made.other = id;
    const body = { name: 'Night watch', description: 'By night', defaultPriority: 4 };
    const changed = (await api.application.updateApplication({ id, body })).body;
    equal([changed.name, changed.defaultPriority], ['Night watch', 4]);
    const { body: all } = await api.application.getApps();
    equal(all.find((one: Loose) => one.id === id)?.name, 'Night watch');
  });
  await step('send messages', async () => {
    for (const message of ['First text', 'Second text', 'Third text'])
      made.message = await send(message, { title: 'News', priority: 2 });
    equal([made.message.message, made.message.title], ['Third text', 'News']);
    equal([made.message.appid, made.message.priority], [made.app.id, 2]);
  });
  await step('a message without a title has the name of its application', async () => {
    const plain = await send('Plain text');
    equal([plain.title, plain.priority], ['Backup', 0]);
  });
  await step('list messages, the newest first', async () => {
    const { messages, paging } = (await api.message.getMessages({ limit: 10 })).body;
    equal(messages[0].message, 'Plain text');
    equal(paging.size, messages.length, 'size');
  });
  await step('list the messages of an application', async () => {
    const { messages } = (await api.message.getAppMessages({ id: app().id })).body;
    equal(messages.map(({ message }: Loose) => message).at(-1), 'First text');
  });
  await step('delete a message', async () => {
    await api.message.deleteMessage({ id: need(made.message, 'send messages').id });
    const { messages } = (await api.message.getMessages()).body;
    check(!messages.some(({ id }: Loose) => id === made.message.id), 'listed');
    await refuses(() => api.message.deleteMessage({ id: made.message.id }), hasStatus(404));
  });
  await step('delete the messages of an application', async () => {
    await api.message.deleteAppMessages({ id: app().id });
    equal((await api.message.getAppMessages({ id: app().id })).body.messages, []);
  });
  await step('create, change, list and delete a client', async () => {
    const { id, name, token } = (await api.client.createClient({ body: { name: 'Phone' } })).body;
    equal([name, token.startsWith('C')], ['Phone', true]);
    await api.client.updateClient({ id, body: { name: 'Tablet' } });
    const { body: all } = await api.client.getClients();
    equal(all.find((one: Loose) => one.id === id)?.name, 'Tablet');
    await api.client.deleteClient({ id });
    await refuses(() => api.client.deleteClient({ id }), hasStatus(404));
  });
  await step('create a user', async () => {
    const body = { name: 'anna', pass: 'lab-Pass-1', admin: false };
    made.user = (await api.user.createUser({ body })).body;
    equal([made.user.name, made.user.admin], ['anna', false]);
  });
  await step('read and change the user', async () => {
    const { id } = person();
    equal((await api.user.getUser({ id })).body.name, 'anna');
    await api.user.updateUser({ id, body: { name: 'annabel', admin: true } });
    const { name, admin } = (await api.user.getUser({ id })).body;
    equal([name, admin], ['annabel', true]);
  });
  await step('a name is taken once', () =>
    refuses(
      () => api.user.createUser({ body: { name: 'annabel', pass: 'lab-Pass-1', admin: false } }),
      hasStatus(400),
    ),
  );
  await step('list users', async () => {
    check(
      (await api.user.getUsers()).body.some(({ id }: Loose) => id === person().id),
      'not listed',
    );
  });
  await step('delete the user, which is 404 then', async () => {
    await api.user.deleteUser({ id: person().id });
    await refuses(() => api.user.getUser({ id: person().id }), hasStatus(404));
  });
  await step('an application without a name is a 400', () =>
    refuses(() => api.application.createApp({ body: {} }), hasStatus(400)),
  );
  await step('an unknown application is a 404', () =>
    refuses(
      () => api.application.updateApplication({ id: 99999, body: { name: 'None' } }),
      hasStatus(404),
    ),
  );
  await step('a wrong password is a 401', async () => {
    const other = await connect({ authorization: `Basic ${btoa('admin:wrong')}` });
    await refuses(() => other.application.getApps(), hasStatus(401));
  });
  await step('delete the applications', async () => {
    for (const id of [app().id, made.other]) await api.application.deleteApp({ id });
    await refuses(() => api.application.deleteApp({ id: app().id }), hasStatus(404));
  });

  /** Sends a message in the name of the application. */
  async function send(message: string, others: object = {}): Promise<Loose> {
    const { message: sender } = await connect({ 'X-Gotify-Key': app().token });
    return (await sender.createMessage({ body: { message, ...others } })).body;
  }
};
