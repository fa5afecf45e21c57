import { check, equal, type Loose, need, refuses } from '../../sdks/lab.ts';
import type { Steps } from '../subject.ts';

/** Chroma: tenants, databases, collections and their records. */
export const runChroma: Steps = async ({ origin, key, step, load }) => {
  const { AdminClient, ChromaClient } = await load('chromadb');
  const { hostname: host, port } = new URL(origin);
  const headers = { 'x-chroma-token': key };
  const place = { host, port: Number(port), ssl: false, headers };
  const api = new ChromaClient(place);
  const admin = new AdminClient(place);
  const tenant = 'default_tenant';
  const made: Loose = {};
  const plans = () => need(made.plans, 'create a collection');
  const hasName = (name: string) => (error: Loose) => equal(error.constructor.name, name, 'error');
  const open = (name: string) => api.getCollection({ name, embeddingFunction: null });

  await step('read the version', async () => check(await api.version(), 'no version'));
  await step('create a collection', async () => {
    const metadata = { topic: 'summer' };
    made.plans = await api.createCollection({ name: 'plans', metadata, embeddingFunction: null });
    equal([made.plans.name, made.plans.metadata], ['plans', metadata]);
  });
  await step('read the collection', async () => {
    const { id, metadata } = await open('plans');
    equal([id, metadata], [plans().id, { topic: 'summer' }]);
  });
  await step('a name is taken once', () =>
    refuses(
      () => api.createCollection({ name: 'plans', embeddingFunction: null }),
      hasName('ChromaUniqueError'),
    ),
  );
  await step('get or create gives what is there', async () => {
    const same = await api.getOrCreateCollection({ name: 'plans', embeddingFunction: null });
    equal(same.id, plans().id);
  });
  await step('list and count collections', async () => {
    await api.createCollection({ name: 'drafts', embeddingFunction: null });
    const names = (await api.listCollections()).map(({ name }: Loose) => name);
    check(names.includes('plans') && names.includes('drafts'), `${names}`);
    equal(await api.countCollections(), names.length);
  });
  await step('rename the collection', async () => {
    await plans().modify({ name: 'newplans', metadata: { topic: 'winter' } });
    const { id, metadata } = await open('newplans');
    equal([id, metadata], [plans().id, { topic: 'winter' }]);
    await refuses(() => open('plans'), hasName('ChromaNotFoundError'));
  });
  await step('add records and count them', async () => {
    await plans().add({
      ...{ ids: ['one', 'two'], documents: ['First text', 'Second text'] },
      ...{
        embeddings: [
          [1, 2],
          [3, 4],
        ],
        metadatas: [{ page: 111 }, { page: 222 }],
      },
    });
    equal(await plans().count(), 2);
  });
  await step('read a record', async () => {
    const { ids, documents, metadatas } = await plans().get({ ids: ['one'] });
    equal([ids, documents, metadatas], [['one'], ['First text'], [{ page: 111 }]]);
  });
  await step('change a record', async () => {
    await plans().update({ ids: ['one'], documents: ['Other text'], embeddings: [[5, 6]] });
    equal((await plans().get({ ids: ['one'] })).documents, ['Other text']);
  });
  await step('find the nearest record', async () => {
    const { ids } = await plans().query({ queryEmbeddings: [[3, 4]], nResults: 1 });
    equal(ids, [['two']]);
  });
  await step('delete a record', async () => {
    await plans().delete({ ids: ['one'] });
    equal(await plans().count(), 1);
  });
  await step('create a database, read and list it', async () => {
    await admin.createDatabase({ name: 'shop', tenant });
    const { id, ...database } = await admin.getDatabase({ name: 'shop', tenant });
    equal(database, { name: 'shop', tenant });
    const all = await admin.listDatabases({ tenant });
    check(
      all.some((one: Loose) => one.id === id),
      'not listed',
    );
  });
  await step('a database is created once', () =>
    refuses(() => admin.createDatabase({ name: 'shop', tenant }), hasName('ChromaUniqueError')),
  );
  await step('collections of a database are its own', async () => {
    const other = new ChromaClient({ ...place, tenant, database: 'shop' });
    await other.createCollection({ name: 'orders', embeddingFunction: null });
    equal(
      (await other.listCollections()).map(({ name }: Loose) => name),
      ['orders'],
    );
    await refuses(() => open('orders'), hasName('ChromaNotFoundError'));
    await other.deleteCollection({ name: 'orders' });
  });
  await step('delete the database, which is not found then', async () => {
    await admin.deleteDatabase({ name: 'shop', tenant });
    const read = () => admin.getDatabase({ name: 'shop', tenant });
    await refuses(read, hasName('ChromaNotFoundError'));
  });
  await step('create a tenant and read it', async () => {
    await admin.createTenant({ name: 'acme' });
    equal(await admin.getTenant({ name: 'acme' }), 'acme');
  });
  await step('an unknown tenant is not found', () =>
    refuses(() => admin.getTenant({ name: 'nobody' }), hasName('ChromaNotFoundError')),
  );
  await step('a name of one letter is refused', () =>
    refuses(
      () => api.createCollection({ name: 'x', embeddingFunction: null }),
      (error) => check(error.message.length > 0, 'no message'),
    ),
  );
  await step('delete the collections', async () => {
    for (const name of ['newplans', 'drafts']) await api.deleteCollection({ name });
    await refuses(() => open('newplans'), hasName('ChromaNotFoundError'));
    await refuses(() => api.deleteCollection({ name: 'drafts' }), hasName('ChromaNotFoundError'));
  });
};
