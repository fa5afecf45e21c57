import { check, equal, type Loose, need } from '../../sdks/lab.ts';
import type { Steps } from '../subject.ts';

/** Resend: e-mails, domains, keys, audiences and their contacts. */
export const runResend: Steps = async ({ base, key, load, step }) => {
  const { Resend } = await load('resend');
  const connect = (secret: string) => new Resend(secret, { baseUrl: base });
  const api = connect(key);
  const made: Loose = {};
  const email = () => need(made.email, 'send an e-mail');
  const domain = () => need(made.domain, 'create a domain');
  const audience = () => need(made.audience, 'create an audience');
  /** Gives the data of an answer, which is no error. */
  const dataOf = async (answer: Promise<Loose>) => {
    const { data, error } = await answer;
    check(!error, JSON.stringify(error));
    return data;
  };
  /** Gives the last event of an e-mail; the emulator puts `email.` before it. */
  const lastOf = async (id: string) =>
    (await dataOf(api.emails.get(id))).last_event.replace('email.', '');
  const refusal = async (answer: Promise<Loose>, status: number, name: string) => {
    const { error } = await answer;
    equal([error?.statusCode, error?.name], [status, name], 'error');
    check(error.message, 'no message');
  };
  const letter = { from: 'shop@example.com', to: ['ada@example.com'], subject: 'Order' };

  await step('send an e-mail', async () => {
    made.email = (await dataOf(api.emails.send({ ...letter, html: '<p>Hi</p>' }))).id;
    check(/^[0-9a-f-]{36}$/.test(made.email), `id: ${made.email}`);
  });
  await step('read the e-mail', async () => {
    const { id, from, to, subject, html, last_event } = await dataOf(api.emails.get(email()));
    equal({ id, from, to, subject, html }, { id: made.email, ...letter, html: '<p>Hi</p>' });
    check(last_event.endsWith('delivered'), `last_event: ${last_event}`);
  });
  await step('schedule an e-mail and cancel it', async () => {
    const scheduledAt = new Date(Date.now() + 3_600_000).toISOString();
    const { id } = await dataOf(api.emails.send({ ...letter, text: 'Later', scheduledAt }));
    equal(await lastOf(id), 'scheduled');
    equal((await dataOf(api.emails.cancel(id))).id, id);
    equal(await lastOf(id), 'canceled');
  });
  await step('a sent e-mail cannot be canceled', async () => {
    await refusal(api.emails.cancel(email()), 422, 'validation_error');
  });
  await step('send a batch', async () => {
    const letters = ['One', 'Two'].map((subject) => ({ ...letter, subject, text: 'Hi' }));
    const { data } = await dataOf(api.batch.send(letters));
    equal(data.length, 2);
    equal((await dataOf(api.emails.get(data[1].id))).subject, 'Two');
  });
  await step('list e-mails', async () => {
    const { object, data } = await dataOf(api.emails.list());
    equal(object, 'list');
    check(
      data.some(({ id }: Loose) => id === email()),
      'not listed',
    );
  });
  await step('create a domain', async () => {
    const { id, name, status, region } = await dataOf(
      api.domains.create({ name: 'lab.example.com' }),
    );
    made.domain = id;
    equal([name, region], ['lab.example.com', 'us-east-1']);
    equal(status, 'pending');
  });
  await step('read the domain with its records', async () => {
    const { object, name, records } = await dataOf(api.domains.get(domain()));
    equal([object, name], ['domain', 'lab.example.com']);
    check(records.length > 0, 'no records');
  });
  await step('verify the domain', async () => {
    equal((await dataOf(api.domains.verify(domain()))).id, domain());
    equal((await dataOf(api.domains.get(domain()))).status, 'verified');
  });
  await step('list domains and delete one', async () => {
    const isIt = ({ id }: Loose) => id === domain();
    check((await dataOf(api.domains.list())).data.some(isIt), 'not listed');
    equal((await dataOf(api.domains.remove(domain()))).deleted, true);
    check(!(await dataOf(api.domains.list())).data.some(isIt), 'listed');
  });
  await step('a deleted domain is a 404', () =>
    refusal(api.domains.get(domain()), 404, 'not_found'),
  );
  await step('create, list and delete a key', async () => {
    const { id, token } = await dataOf(api.apiKeys.create({ name: 'Reports' }));
    check(token.startsWith('re_'), `token: ${token}`);
    const { data } = await dataOf(api.apiKeys.list());
    equal(data.find((one: Loose) => one.id === id)?.name, 'Reports');
    await dataOf(api.apiKeys.remove(id));
  });
  await step('create an audience', async () => {
    const { id, object, name } = await dataOf(api.post('/audiences', { name: 'Readers' }));
    made.audience = id;
    equal([object, name], ['audience', 'Readers']);
    check((await dataOf(api.get('/audiences'))).data.length > 0, 'not listed');
  });
  await step('create, list and delete a contact', async () => {
    const audienceId = audience();
    const person = { email: 'eve@example.com', firstName: 'Eve', unsubscribed: false };
    const { id, object } = await dataOf(api.contacts.create({ ...person, audienceId }));
    equal(object, 'contact');
    const { data } = await dataOf(api.contacts.list({ audienceId }));
    equal(
      data.map(({ email: one, first_name }: Loose) => [one, first_name]),
      [['eve@example.com', 'Eve']],
    );
    equal((await dataOf(api.contacts.remove({ id, audienceId }))).deleted, true);
    equal((await dataOf(api.contacts.list({ audienceId }))).data, []);
  });
  await step('delete the audience', async () => {
    equal((await dataOf(api.delete(`/audiences/${audience()}`))).deleted, true);
  });
  await step('an e-mail without a sender is a 422', () =>
    refusal(api.emails.send({ to: letter.to, subject: 'S', text: 'T' }), 422, 'validation_error'),
  );
  await step('an unknown e-mail is a 404', () =>
    refusal(api.emails.get('00000000-0000-4000-8000-000000000000'), 404, 'not_found'),
  );
};
