import { check, equal, type Loose, need, refuses } from '../../sdks/lab.ts';
import type { Steps } from '../subject.ts';

/** Slack: channels, messages, reactions, pins and users. */
export const runSlack: Steps = async ({ base, key, load, step }) => {
  const { WebClient } = await load('@slack/web-api');
  const options = { slackApiUrl: `${base}/`, retryConfig: { retries: 0 } };
  const api = new WebClient(key, options);
  const made: Loose = {};
  const channel = () => need(made.channel, 'create a channel');
  const ts = () => need(made.ts, 'post a message');
  const hasCode = (code: string) => (error: Loose) => equal(error.data?.error, code, 'error');
  const info = async () => (await api.conversations.info({ channel: channel() })).channel;
  const texts = async () =>
    (await api.conversations.history({ channel: channel() })).messages.map(
      ({ text }: Loose) => text,
    );

  await step('test the key', async () => {
    const { ok, user_id, team } = await api.auth.test();
    check(ok && user_id && team, 'no user and team');
    made.user = user_id;
  });
  await step('create a channel', async () => {
    const { channel: one } = await api.conversations.create({ name: 'plans' });
    made.channel = one.id;
    equal([one.name, one.is_channel, one.is_archived], ['plans', true, false]);
    check(one.id.startsWith('C'), `id: ${one.id}`);
  });
  await step('read the channel', async () => equal((await info()).name, 'plans'));
  await step('a name is taken once', () =>
    refuses(() => api.conversations.create({ name: 'plans' }), hasCode('name_taken')),
  );
  await step('list channels', async () => {
    const { channels } = await api.conversations.list();
    check(
      channels.some(({ id }: Loose) => id === channel()),
      'not listed',
    );
  });
  await step('set topic and purpose', async () => {
    await api.conversations.setTopic({ channel: channel(), topic: 'Summer' });
    await api.conversations.setPurpose({ channel: channel(), purpose: 'To plan' });
    const { topic, purpose } = await info();
    equal([topic.value, purpose.value], ['Summer', 'To plan']);
  });
  await step('rename the channel', async () => {
    await api.conversations.rename({ channel: channel(), name: 'newplans' });
    equal((await info()).name, 'newplans');
  });
  await step('post a message', async () => {
    const posted = await api.chat.postMessage({ channel: channel(), text: 'Hello all' });
    made.ts = posted.ts;
    equal([posted.channel, posted.message.text], [channel(), 'Hello all']);
    check(/^\d+\.\d+$/.test(posted.ts), `ts: ${posted.ts}`);
  });
  await step('read the history', async () => equal((await texts())[0], 'Hello all'));
  await step('change the message', async () => {
    await api.chat.update({ channel: channel(), ts: ts(), text: 'Hello everyone' });
    equal((await texts())[0], 'Hello everyone');
  });
  await step('answer in a thread', async () => {
    await api.chat.postMessage({ channel: channel(), text: 'Reply one', thread_ts: ts() });
    const { messages } = await api.conversations.replies({ channel: channel(), ts: ts() });
    equal(
      messages.map(({ text }: Loose) => text),
      ['Hello everyone', 'Reply one'],
    );
  });
  await step('react to the message, and take it back', async () => {
    const target = { channel: channel(), timestamp: ts() };
    await api.reactions.add({ ...target, name: 'tada' });
    await refuses(() => api.reactions.add({ ...target, name: 'tada' }), hasCode('already_reacted'));
    const { message } = await api.reactions.get(target);
    equal(
      message.reactions.map(({ name, count }: Loose) => [name, count]),
      [['tada', 1]],
    );
    await api.reactions.remove({ ...target, name: 'tada' });
  });
  await step('pin the message and list pins', async () => {
    await api.pins.add({ channel: channel(), timestamp: ts() });
    const { items } = await api.pins.list({ channel: channel() });
    equal(
      items.map(({ message }: Loose) => message.ts),
      [ts()],
    );
    await api.pins.remove({ channel: channel(), timestamp: ts() });
  });
  await step('list members and users', async () => {
    const { members } = await api.conversations.members({ channel: channel() });
    check(members.length > 0, 'no members');
    const { members: users } = await api.users.list();
    check(
      users.some(({ id }: Loose) => id === members[0]),
      'not a user',
    );
  });
  await step('read a user', async () => {
    const { user } = await api.users.info({ user: need(made.user, 'test the key') });
    equal(user.id, made.user);
  });
  await step('delete the message', async () => {
    await api.chat.delete({ channel: channel(), ts: ts() });
    check(!(await texts()).includes('Hello everyone'), 'still there');
  });
  await step('archive the channel, and post no more', async () => {
    await api.conversations.archive({ channel: channel() });
    equal((await info()).is_archived, true);
    const post = () => api.chat.postMessage({ channel: channel(), text: 'Too late' });
    await refuses(post, hasCode('is_archived'));
    await api.conversations.unarchive({ channel: channel() });
    equal((await info()).is_archived, false);
  });
  await step('read the team', async () => check((await api.team.info()).team.id, 'no id'));
  await step('an unknown channel is channel_not_found', () =>
    refuses(() => api.conversations.info({ channel: 'C00NOTHING' }), hasCode('channel_not_found')),
  );
  await step('an unknown user is user_not_found', () =>
    refuses(() => api.users.info({ user: 'U00NOTHING' }), hasCode('user_not_found')),
  );
  await step('no key is not_authed', () =>
    refuses(() => new WebClient('', options).auth.test(), hasCode('not_authed')),
  );
};
