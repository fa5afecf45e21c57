import { check, equal, type Loose, need, refuses } from '../../sdks/lab.ts';
import type { Steps } from '../subject.ts';

/** Twilio: messages, calls and phone numbers of an account. */
export const runTwilio: Steps = async ({ base, key, load, step }) => {
  const { default: Twilio } = await load('twilio');
  const [sid = '', secret = ''] = key.split(':');
  const connect = (password: string) => {
    const client = Twilio(sid, password, { autoRetry: false });
    const request = client.request.bind(client);
    client.request = (options: Loose) =>
      request({ ...options, uri: options.uri.replace('https://api.twilio.com', base) });
    return client;
  };
  const api = connect(secret);
  const made: Loose = {};
  const message = () => need(made.message, 'send a message');
  const call = () => need(made.call, 'make a call');
  const phone = () => need(made.phone, 'buy a number');
  const ways = { from: '+15005550006', to: '+15551234567' };
  const hasCode = (status: number, code: number) => (error: Loose) =>
    equal([error.status, error.code], [status, code], 'status, code');

  await step('read the account', async () => {
    const account = await api.api.v2010.accounts(sid).fetch();
    equal([account.sid, account.status], [sid, 'active']);
  });
  await step('send a message', async () => {
    const sent = await api.messages.create({ ...ways, body: 'Hello there' });
    made.message = sent.sid;
    equal([sent.to, sent.from, sent.body], [ways.to, ways.from, 'Hello there']);
    equal([sent.direction, sent.accountSid], ['outbound-api', sid]);
    check(sent.sid.startsWith('SM'), `sid: ${sent.sid}`);
  });
  await step('read the message', async () => {
    const { sid: id, body, numSegments } = await api.messages(message()).fetch();
    equal([id, body, numSegments], [message(), 'Hello there', '1']);
  });
  await step('list messages', async () => {
    const all = await api.messages.list({ limit: 20 });
    check(
      all.some((one: Loose) => one.sid === message()),
      'not listed',
    );
  });
  await step('list messages by their receiver', async () => {
    await api.messages.create({ ...ways, to: '+15557654321', body: 'Others' });
    const all = await api.messages.list({ to: '+15557654321' });
    equal([...new Set(all.map(({ to }: Loose) => to))], ['+15557654321']);
  });
  await step('take the text out of the message', async () => {
    equal((await api.messages(message()).update({ body: '' })).body, '');
    equal((await api.messages(message()).fetch()).body, '');
  });
  await step('delete the message, which is 404 then', async () => {
    equal(await api.messages(message()).remove(), true);
    await refuses(() => api.messages(message()).fetch(), hasCode(404, 20404));
  });
  await step('make a call', async () => {
    const started = await api.calls.create({ ...ways, url: 'https://example.com/voice' });
    made.call = started.sid;
    equal([started.to, started.from, started.direction], [ways.to, ways.from, 'outbound-api']);
    check(started.sid.startsWith('CA'), `sid: ${started.sid}`);
  });
  await step('read and list calls', async () => {
    equal((await api.calls(call()).fetch()).sid, call());
    check(
      (await api.calls.list()).some((one: Loose) => one.sid === call()),
      'not listed',
    );
  });
  await step('end the call', async () => {
    equal((await api.calls(call()).update({ status: 'completed' })).status, 'completed');
    equal((await api.calls(call()).fetch()).status, 'completed');
  });
  await step('delete the call', async () => {
    equal(await api.calls(call()).remove(), true);
    await refuses(() => api.calls(call()).fetch(), hasCode(404, 20404));
  });
  await step('buy a number', async () => {
    const bought = await api.incomingPhoneNumbers.create({
      phoneNumber: '+15558889999',
      friendlyName: 'Desk',
    });
    made.phone = bought.sid;
    equal([bought.phoneNumber, bought.friendlyName], ['+15558889999', 'Desk']);
    check(bought.sid.startsWith('PN'), `sid: ${bought.sid}`);
  });
  await step('change and list the number', async () => {
    const changed = await api.incomingPhoneNumbers(phone()).update({ friendlyName: 'Front' });
    equal(changed.friendlyName, 'Front');
    const all = await api.incomingPhoneNumbers.list();
    equal(all.find((one: Loose) => one.sid === phone())?.friendlyName, 'Front');
  });
  await step('give the number back', async () => {
    equal(await api.incomingPhoneNumbers(phone()).remove(), true);
    await refuses(() => api.incomingPhoneNumbers(phone()).fetch(), hasCode(404, 20404));
  });
  await step('a message without a receiver is a 400', () =>
    refuses(
      () =>
        api
          .request({
            method: 'post',
            uri: `https://api.twilio.com/2010-04-01/Accounts/${sid}/Messages.json`,
            data: { Body: 'x', From: ways.from },
          })
          .then((answer: Loose) => {
            if (answer.statusCode >= 400)
              throw Object.assign(new Error('refused'), { status: answer.statusCode });
          }),
      (error) => equal(error.status, 400, 'status'),
    ),
  );
  await step('an unknown message is a 404', () =>
    refuses(() => api.messages(`SM${'0'.repeat(32)}`).fetch(), hasCode(404, 20404)),
  );
  await step('a wrong token is a 401', () =>
    refuses(
      () => connect('wrong').messages.list(),
      (error) => equal(error.status, 401, 'status'),
    ),
  );
};
