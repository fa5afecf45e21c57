import { check, equal, type Loose, need, refuses } from '../../sdks/lab.ts';
import type { Steps } from '../subject.ts';

/** Kinto: buckets, collections, records and groups, their versions, and what another user may do. */
export const runKinto: Steps = async ({ base, key, step, load }) => {
  const { default: KintoClient } = (await load('kinto-http')).default;
  const connect = (authorization: string): Loose =>
    new KintoClient(base, { headers: { Authorization: authorization } });
  const api = connect(key);
  const shop = api.bucket('shop');
  const plants = shop.collection('plants');
  const made: Loose = {};
  const rose = () => need(made.rose, 'create a record');
  const otherKey = `Basic ${btoa('ada:lab-Pass-1')}`;
  const other = () => need(made.other, 'create an account');
  const hasStatus = (status: number) => (error: Loose) =>
    equal(error.response?.status, status, 'status');

  await step('read what the server offers', async () => {
    const { project_name: name, settings } = await api.fetchServerInfo();
    equal([name, settings.readonly], ['kinto', false]);
  });
  await step('create a bucket', async () => {
    const { data } = await api.createBucket('shop', { data: { town: 'Lisbon' } });
    equal([data.id, data.town, typeof data.last_modified], ['shop', 'Lisbon', 'number']);
  });
  await step('a bucket is created once', () =>
    refuses(() => api.createBucket('shop', { safe: true }), hasStatus(412)),
  );
  await step('read, change and list the bucket', async () => {
    const { last_modified: before } = await shop.getData();
    const { data } = await shop.setData({ street: 'Rua' }, { patch: true });
    equal([data.town, data.street], ['Lisbon', 'Rua']);
    check(data.last_modified > before, 'as old as before');
    const { data: all } = await api.listBuckets();
    check(
      all.some(({ id }: Loose) => id === 'shop'),
      'not listed',
    );
  });
  await step('create collections and list them', async () => {
    await shop.createCollection('plants', { data: { season: 'spring' } });
    await shop.createCollection('drafts');
    const { data } = await shop.listCollections({ sort: 'id' });
    equal(
      data.map(({ id }: Loose) => id),
      ['drafts', 'plants'],
    );
  });
  await step('read and change a collection', async () => {
    equal((await plants.getData()).season, 'spring');
    await plants.setData({ season: 'autumn' });
    equal((await plants.getData()).season, 'autumn');
  });
  await step('create a record', async () => {
    made.rose = (await plants.createRecord({ title: 'Rose', price: 120, sold: false })).data;
    equal([made.rose.title, made.rose.price, made.rose.sold], ['Rose', 120, false]);
    check(made.rose.id && made.rose.last_modified, 'neither id nor version');
  });
  await step('create records with ids', async () => {
    for (const [id, price] of Object.entries({ tulip: 340, lily: 560 }))
      made[id] = (await plants.createRecord({ id, title: `A ${id}`, price, sold: true })).data;
    equal([made.tulip.id, made.lily.price], ['tulip', 560]);
  });
  await step('read a record', async () => {
    const { data, permissions } = await plants.getRecord(rose().id);
    equal(data, rose());
    check(permissions.write.length === 1, 'without an owner');
  });
  await step('list records by price', async () => {
    const { data } = await plants.listRecords({ sort: '-price' });
    equal(
      data.map(({ price }: Loose) => price),
      [560, 340, 120],
    );
  });
  await step('find records by a value', async () => {
    const { data } = await plants.listRecords({ filters: { sold: 'false' } });
    equal(
      data.map(({ id }: Loose) => id),
      [rose().id],
    );
  });
  await step('list records by pages', async () => {
    const first = await plants.listRecords({ sort: 'price', limit: 2 });
    equal([first.data.length, first.hasNextPage], [2, true]);
    const second = await first.next();
    equal([second.data.length, second.hasNextPage], [1, false]);
  });
  await step('count the records', async () => {
    equal(await plants.getTotalRecords(), 3);
  });
  await step('replace and change a record', async () => {
    const { data } = await plants.updateRecord({ id: 'tulip', title: 'Black tulip', price: 780 });
    equal([data.title, data.sold], ['Black tulip', undefined]);
    const changed = await plants.updateRecord({ id: 'tulip', sold: false }, { patch: true });
    equal([changed.data.title, changed.data.sold], ['Black tulip', false]);
    made.changed = changed.data;
  });
  await step('an old version is not overwritten', async () => {
    const old = {
      id: 'tulip',
      title: 'Late',
      last_modified: need(made.tulip, 'create').last_modified,
    };
    await refuses(() => plants.updateRecord(old, { safe: true }), hasStatus(412));
    const { data } = await plants.updateRecord({ ...made.changed, price: 910 }, { safe: true });
    equal(data.price, 910);
  });
  await step('delete a record, which is 404 then', async () => {
    const { data } = await plants.deleteRecord('lily');
    equal([data.id, data.deleted], ['lily', true]);
    await refuses(() => plants.getRecord('lily'), hasStatus(404));
    await refuses(() => plants.deleteRecord('lily'), hasStatus(404));
  });
  await step('create, change, list and delete a group', async () => {
    const { data } = await shop.createGroup('writers', ['account:ada']);
    equal(data.members, ['account:ada']);
    const changed = await shop.updateGroup({
      id: 'writers',
      members: ['account:ada', 'account:eve'],
    });
    equal(changed.data.members.length, 2);
    const { data: groups } = await shop.listGroups();
    equal(groups.length, 1);
    await shop.deleteGroup('writers');
    await refuses(() => shop.getGroup('writers'), hasStatus(404));
  });
  await step('another user sees what is shared', async () => {
    const { data } = await api.createAccount('ada', 'lab-Pass-1');
    equal(data.id, 'ada');
    made.other = connect(otherKey);
    const theirs = made.other.bucket('shop').collection('plants');
    await refuses(() => theirs.getRecord(rose().id), hasStatus(403));
    await plants.setPermissions({ read: ['account:ada'] });
    equal((await theirs.getRecord(rose().id)).data.title, 'Rose');
    await refuses(() => theirs.deleteRecord(rose().id), hasStatus(403));
  });
  await step('nobody sees it without a key', async () => {
    const nobody = new KintoClient(base).bucket('shop').collection('plants');
    await refuses(() => nobody.getRecord(rose().id), hasStatus(401));
  });
  await step('an id with a space is a 400', () =>
    refuses(() => plants.createRecord({ id: 'no id', title: 'None' }), hasStatus(400)),
  );
  await step('delete all records', async () => {
    const { data } = await plants.deleteRecords();
    equal(data.length, 2);
    equal((await plants.listRecords()).data, []);
  });
  await step('delete the bucket with its collections', async () => {
    await api.deleteBucket('shop');
    await refuses(() => plants.getData(), hasStatus(403));
    await refuses(() => api.deleteBucket('shop'), hasStatus(403));
  });
  await step('the other user deletes the own account', async () => {
    const { data } = await other().execute({
      ...{ method: 'DELETE', path: '/accounts/ada' },
      headers: { Authorization: otherKey },
    });
    equal([data.id, data.deleted], ['ada', true]);
  });
};
