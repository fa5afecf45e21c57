import { okta as oktaLab } from '../sdks/labs/okta.ts';
import { stripe as stripeLab } from '../sdks/labs/stripe.ts';
import { runResend } from './labs/resend.ts';
import { runSlack } from './labs/slack.ts';
import { runTwilio } from './labs/twilio.ts';
import type { Subject } from './subject.ts';

/** The version of the emulators that were tried; the newest has others. */
export const emulate = 'emulate@0.12.2';

const account = `AC${'0123456789abcdef'.repeat(2)}`;

/** How an emulator is started, of what its configuration says. */
type Emulator = Omit<Subject, 'server' | 'start'> & { key: string; seed?: object };

const configured: readonly Emulator[] = [
  {
    ...{ name: 'stripe', sdk: stripeLab.sdk, document: { of: stripeLab }, basePath: '' },
    key: 'sk_test_lab',
    run: (bench) => stripeLab.run(bench),
    words: 'Ada ada Gold Once LAB25 1000 2000 500 order example'.split(' '),
  },
  {
    ...{ name: 'okta', sdk: oktaLab.sdk, document: { of: oktaLab }, basePath: '' },
    key: 'lab-token',
    seed: { tokens: { 'lab-token': { login: 'admin', scopes: [] } } },
    run: (bench) => oktaLab.run(bench),
    words:
      'Ada ada Lovelace Countess Engineers build Builders Londoners Wiki shop user1 user2 user3 user4 user5'.split(
        ' ',
      ),
  },
  {
    ...{ name: 'resend', sdk: 'resend@6.38.0', document: { given: 'resend.yaml' }, basePath: '' },
    key: 're_lab',
    run: runResend,
    words: 'ada eve Eve Order One Two Hi lab Reports Readers'.split(' '),
  },
  {
    ...{ name: 'slack', sdk: '@slack/web-api@8.2.0', document: { given: 'slack.json' } },
    basePath: '/api',
    key: 'xoxb-lab',
    seed: {
      slack: {
        users: [{ name: 'developer', email: 'developer@example.com' }],
        tokens: [{ token: 'xoxb-lab', user: 'developer', scopes: [] }],
      },
    },
    run: runSlack,
    words: 'plans newplans Summer plan Hello all everyone Reply one'.split(' '),
  },
  {
    ...{ name: 'twilio', sdk: 'twilio@6.2.0', document: { given: 'twilio.json' }, basePath: '' },
    key: `${account}:lab-token`,
    twinKey: `${account}:demo-enterprise`,
    seed: {
      twilio: {
        account: { sid: account, auth_token: 'lab-token' },
        phone_numbers: [{ phone_number: '+15005550006' }],
      },
    },
    run: runTwilio,
    words: 'Hello there Others Desk Front 15551234567 15557654321 15558889999'.split(' '),
  },
];

/** The emulators of services that cannot run here. */
export const emulators: readonly Subject[] = configured.map(({ key, seed, ...subject }) => ({
  ...subject,
  server: `${subject.name.replace(/^./, (first) => first.toUpperCase())}, emulated`,
  async start({ port, load }) {
    const { createEmulator } = await load('emulate');
    const service = await createEmulator({ service: subject.name, port, ...(seed && { seed }) });
    return { origin: service.url, key, stop: service.close };
  },
}));
