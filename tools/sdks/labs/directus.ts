import { check, equal, type Lab, type Loose, need, refuses } from '../lab.ts';

/** Directus: users, items of own collections, files and automations. */
export const directus: Lab = {
  name: 'directus',
  service: 'Directus',
  sdk: '@directus/sdk@26.0.0',
  packages: ['@directus/specs@15.2.0'],
  document: { from: '@directus/specs', file: 'dist/openapi.json' },
  basePath: '',
  connect: `createDirectus('http://127.0.0.1:4010').with(staticToken('demo-enterprise')).with(rest())`,
  reasons: {
    ping: 'The document has the media type `application/text`, which the SDK does not read. The overlay corrects it.',
    'create a role and read it':
      'The document does not let a new role have an icon. The overlay does.',
    'upload a file, with its name and size': 'The document describes no upload, only JSON.',
    'download the file': 'The document describes no upload, only JSON.',
    'create a flow with an operation':
      'The document does not say that an operation has a flow. The overlay does.',
    'delete several users at once': 'The document does not say that this `DELETE` has a body.',
  },

  async run({ base, key, load, step }) {
    const sdk = await load('@directus/sdk');
    const connect = (token: string) =>
      sdk.createDirectus(base).with(sdk.staticToken(token)).with(sdk.rest());
    const client = connect(key);
    const call = (command: Loose): Promise<Loose> => client.request(command);
    const isError = (status: number) => (error: Loose) => {
      check(sdk.isDirectusError(error), `class of the error: ${error?.message ?? error}`);
      equal(error.response.status, status, 'status');
      check(error.errors[0]?.message, `no message: ${JSON.stringify(error.errors)}`);
    };
    const made: Loose = {};
    const user = () => need(made.user, 'create a user');
    const role = () => need(made.role, 'create a role and read it');
    const ada = { first_name: 'Ada', last_name: 'Lovelace', email: 'ada@example.com' };

    await step('ping', async () => check((await call(sdk.serverPing())) === 'pong', 'no pong'));
    await step('log in with a password', async () => {
      const login = sdk.login({ email: 'admin@example.com', password: 'secret' });
      check((await call(login)).access_token, 'no access_token');
    });
    await step('read the own user', async () => check((await call(sdk.readMe())).id, 'no id'));
    await step('create a user', async () => {
      const created = await call(sdk.createUser(ada));
      made.user = created.id;
      equal([created.first_name, created.email], ['Ada', ada.email]);
      check(created.id, 'no id');
    });
    await step('read the user', async () => {
      const read = await call(sdk.readUser(user()));
      equal([read.id, read.last_name], [made.user, 'Lovelace']);
    });
    await step('read some fields of the user', async () => {
      const fields = ['id', 'first_name'];
      const read = await call(sdk.readUser(user(), { fields }));
      equal(read, { id: made.user, first_name: 'Ada' });
    });
    await step('update the user, and keep the rest', async () => {
      const { title } = await call(sdk.updateUser(user(), { title: 'Countess' }));
      equal(title, 'Countess', 'title');
      const read = await call(sdk.readUser(user()));
      equal([read.title, read.first_name], ['Countess', 'Ada']);
    });
    await step('list users by a filter with _eq', async () => {
      const filter = { email: { _eq: ada.email } };
      equal((await call(sdk.readUsers({ filter }))).map(idOf), [user()]);
    });
    await step('page through users to the last page', async () => {
      const expected = [user()];
      for (const n of [1, 2, 3, 4, 5])
        expected.push((await call(sdk.createUser({ email: `user${n}@example.com` }))).id);
      const seen = [];
      for (let page = 1; page < 50; page += 1) {
        const users = await call(sdk.readUsers({ limit: 2, page }));
        if (users.length === 0) break;
        check(users.length <= 2, `a page of ${users.length}`);
        seen.push(...users.map(idOf));
      }
      for (const id of expected) check(seen.includes(id), `${id} is not among ${seen.length}`);
      equal(new Set(seen).size, seen.length, 'distinct');
    });
    await step('all users with limit -1', async () => {
      const ids = (await call(sdk.readUsers({ limit: -1 }))).map(idOf);
      check(ids.includes(user()) && ids.length > 5, `${ids.length} users`);
    });
    await step('sort users, backwards', async () => {
      const query = { filter: { email: { _contains: 'user' } }, sort: ['-email'], limit: 1 };
      equal((await call(sdk.readUsers(query)))[0]?.email, 'user5@example.com', 'first');
    });
    await step('search for users', async () => {
      equal((await call(sdk.readUsers({ search: 'Lovelace' }))).map(idOf), [user()]);
    });
    await step('create a role and read it', async () => {
      made.role = (await call(sdk.createRole({ name: 'Editors', icon: 'edit' }))).id;
      const read = await call(sdk.readRole(role()));
      equal([read.name, read.icon], ['Editors', 'edit']);
    });
    await step('update a role and list roles', async () => {
      await call(sdk.updateRole(role(), { name: 'Authors' }));
      const roles = await call(sdk.readRoles());
      equal(roles.find(({ id }: Loose) => id === role())?.name, 'Authors', 'name in the list');
    });
    await step('create, read and delete a folder', async () => {
      const { id } = await call(sdk.createFolder({ name: 'Pictures' }));
      equal((await call(sdk.readFolder(id))).name, 'Pictures');
      await call(sdk.deleteFolder(id));
      await refuses(() => call(sdk.readFolder(id)), isError(404));
    });
    await step('upload a file, with its name and size', async () => {
      const form = new FormData();
      form.set('title', 'Greeting');
      form.set('file', new Blob(['hello'], { type: 'text/plain' }), 'hello.txt');
      const file = await call(sdk.uploadFiles(form));
      made.file = file.id;
      equal([file.title, file.filename_download], ['Greeting', 'hello.txt']);
      equal([String(file.filesize), file.type], ['5', 'text/plain'], 'size, type');
    });
    await step('download the file', async () => {
      const id = need(made.file, 'upload a file, with its name and size');
      const blob = await call(sdk.readAssetBlob(id));
      equal(await blob.text(), 'hello', 'content');
    });
    await step('create an own collection', async () => {
      const meta = { special: ['uuid'] };
      const id = { field: 'id', type: 'uuid', meta, schema: { is_primary_key: true } };
      const text = (field: string) => ({ field, type: 'string', schema: {}, meta: {} });
      const fields = [id, text('title'), text('status')];
      const wanted = { collection: 'articles', fields, schema: {}, meta: { icon: 'article' } };
      await call(sdk.createCollection(wanted));
      equal((await call(sdk.readCollection('articles'))).collection, 'articles');
    });
    await step('create and read an item of the collection', async () => {
      const created = await call(sdk.createItem('articles', { title: 'Hello', status: 'draft' }));
      made.item = need(created?.id, 'create an item');
      equal((await call(sdk.readItem('articles', made.item))).title, 'Hello');
    });
    await step('update and list items', async () => {
      const id = need(made.item, 'create and read an item of the collection');
      await call(sdk.updateItem('articles', id, { title: 'Hello again' }));
      const items = await call(sdk.readItems('articles'));
      equal(items.find((item: Loose) => item.id === id)?.title, 'Hello again');
    });
    await step('comment on an item and change the comment', async () => {
      const wanted = { collection: 'articles', item: '1', comment: 'Nice' };
      const { id, comment } = await call(sdk.createComment(wanted));
      equal(comment, 'Nice');
      await call(sdk.updateComment(id, { collection: 'articles', comment: 'Very nice' }));
      const all = await call(sdk.readComments());
      equal(all.find((one: Loose) => one.id === id)?.comment, 'Very nice', 'in the list');
    });
    await step('create a preset and delete it', async () => {
      const preset = { collection: 'articles', layout: 'cards' };
      const { id, layout } = await call(sdk.createPreset(preset));
      equal(layout, 'cards');
      await call(sdk.deletePreset(id));
      await refuses(() => call(sdk.readPreset(id)), isError(404));
    });
    await step('create a flow with an operation', async () => {
      const flow = await call(
        sdk.createFlow({ name: 'Mail', trigger: 'manual', status: 'active' }),
      );
      const operation = { flow: flow.id, key: 'mail', type: 'mail', position_x: 1, position_y: 1 };
      const { id } = await call(sdk.createOperation(operation));
      equal((await call(sdk.readFlow(flow.id))).name, 'Mail', 'flow');
      const read = await call(sdk.readOperation(id));
      equal([read.flow, read.key], [flow.id, 'mail'], 'operation');
    });
    await step('change the settings and read them', async () => {
      await call(sdk.updateSettings({ project_name: 'Lab' }));
      equal((await call(sdk.readSettings())).project_name, 'Lab');
    });
    await step('delete several users at once', async () => {
      const email = { _contains: 'user' };
      const ids = (await call(sdk.readUsers({ filter: { email } }))).map(idOf).slice(0, 2);
      check(ids.length === 2, 'no two users');
      await call(sdk.deleteUsers(ids));
      for (const id of ids) await refuses(() => call(sdk.readUser(id)), isError(404));
    });
    await step('a comment on nothing is a DirectusError 400', () =>
      refuses(() => call(sdk.createComment({ comment: 'Nice' })), isError(400)),
    );
    await step('an unknown user is a DirectusError 404', () =>
      refuses(() => call(sdk.readUser('0e1c5fb5-2d1a-4b6a-9d3a-6ac1b7b0e2f7')), isError(404)),
    );
    await step('a wrong token is a DirectusError 401', () =>
      refuses(() => connect('wrong').request(sdk.readUsers()), isError(401)),
    );
    await step('delete the user, which is 404 then', async () => {
      await call(sdk.deleteUser(user()));
      await refuses(() => call(sdk.readUser(user())), isError(404));
    });
  },
};

const idOf = ({ id }: Loose) => id;
