import { expect, it } from 'vitest';
import { builtInDocument } from '../../../common/built-in-document.ts';
import { keyFieldsOf } from '../../../contracts/traffic/credentials.ts';
import { createKeyBook } from '../../../contracts/traffic/key-book.ts';
import { createMemory } from '../../../contracts/traffic/settle.ts';
import { toCall } from '../../../contracts/traffic/to-call.ts';
import type { RawHeader } from '../../../contracts/transcript/exchange.ts';
import { compile } from '../../../openapi/index.ts';
import { judgeTraffic, type PassedCall, passed } from '../../support/traffic.ts';

const document = await compile(builtInDocument);
const baseUrl = 'http://127.0.0.1:4010/v1';
const secret = 'sk_live_9f8e7d6c5b4a';
const bearer: RawHeader = ['Authorization', 'Bearer abcdefghijk'];

type Call = Partial<PassedCall> & { message?: string };

/** A call that is answered with a message. */
const toRecorded = ({ url = '/pets', message = '', ...call }: Call) =>
  passed({
    ...{ status: 500, answer: { message }, ...call },
    url: URL.parse(url)?.href ?? baseUrl + url,
  });

const basic = Buffer.from(`user:${secret}`).toString('base64');

it.each<[string, Call]>([
  ['in a header for keys', { sent: [['X-Api-Key', secret]] }],
  ['in the query', { url: `/pets?api_key=${secret}` }],
  ['as a parameter of the query', { url: `/pets?password=${secret}`, sent: [bearer] }],
  ['without a scheme', { sent: [['Authorization', secret]] }],
  ['of another scheme', { sent: [['Authorization', `Token ${secret}`]] }],
  ['beside another', { sent: [['Authorization', `Bearer ${secret}`], bearer] }],
  ['as a password', { sent: [['Authorization', `Basic ${basic}`]] }],
  ['in a cookie', { sent: [['Cookie', `a=b; session=${secret}`]] }],
  ['in a new cookie', { sent: [bearer], headers: [['Set-Cookie', `session=${secret}; Path=/`]] }],
  ['in the URL', { url: `http://user:${secret}@127.0.0.1:4010/v1/pets`, sent: [bearer] }],
  [
    'in a body',
    {
      sent: [bearer, ['Content-Type', 'application/json']],
      body: JSON.stringify({ name: 'x', categoryId: 1, password: secret }),
    },
  ],
])('shows no secret that was sent %s, though it is repeated', async (_, call) => {
  const report = await judgeTraffic([toRecorded({ ...call, message: `no such key ${secret}` })], {
    baseUrl,
  });
  expect(report.findings).not.toEqual([]);
  expect(JSON.stringify(report)).not.toContain(secret);
});

it('shows the name of a user that a target repeats, and hides a key that is sent as one', async () => {
  const report = async (pair: string) => {
    const sent: [string, string][] = [['Authorization', `Basic ${btoa(pair)}`]];
    const { findings } = await judgeTraffic(
      [toRecorded({ sent, message: 'admin, secret-key-1' })],
      {
        baseUrl,
      },
    );
    return JSON.stringify(findings);
  };
  expect(await report('admin:secret-key-1')).toContain('admin, $KEY');
  expect(await report('secret-key-1:')).toContain('admin, $KEY');
});

it.each([
  ['Basic dXNlcjpwYXNzd29yZA==', 'Authorization: Basic $KEY'],
  ['Token sk_live_9f8e7d6c5b4a', 'Authorization: Token $KEY'],
  ['sk_live_9f8e7d6c5b4a', 'Authorization: $KEY'],
  ['correct horse-battery', 'Authorization: $KEY'],
  ['Bearer undefined', 'Authorization: Bearer undefined'],
  ['Bearer', 'Authorization: Bearer'],
  ['', 'Authorization;'],
])('sends a credential again in the form in which it was sent: "%s"', async (value, shown) => {
  const call = toRecorded({ sent: [['authorization', value]] });
  const { findings } = await judgeTraffic([call], { baseUrl });
  const [line = ''] = findings.flatMap(({ curl }) => curl ?? []);
  expect(line.replace(/['"]/g, ' ')).toContain(` -H  ${shown} `);
});

it.each([[[]], [[{ secret }]]])(
  'sends a key in a header for keys again, once: %j',
  async (keys) => {
    const call = toRecorded({ sent: [['api-key', secret]] });
    const { findings } = await judgeTraffic([call], { baseUrl, keys });
    expect(findings[0]?.curl).toBe(`curl -i -H "api-key: $KEY" '${baseUrl}/pets'`);
  },
);

it.each([
  ['minute', '2 minutes: minute, %3Dminute, "minute"', '2 minutes: $KEY, %3D$KEY, "$KEY"'],
  ['hour', '2 hours: hour, %3Dhour, "hour"', '2 hours: hour, %3Dhour, "$KEY"'],
])(
  'hides a password that is a word, and no part of its own sentences: %s',
  async (word, text, shown) => {
    const { response: _, ...call } = toRecorded({
      sent: [['Authorization', `Basic ${btoa(`somebody:${word}`)}`]],
    });
    const failure = { kind: 'timeout', message: `no answer within ${text}` } as const;
    const { findings } = await judgeTraffic([{ ...call, failure }], { baseUrl });
    expect(findings).toMatchObject([{ message: `calls got no answer within ${shown}` }]);
  },
);

it('shows no key, however many others were made up before', async () => {
  const others = Array.from({ length: 510 }, (_, index) =>
    toRecorded({ sent: [['Authorization', `Bearer made-up-${index}`]] }),
  );
  const last = toRecorded({
    status: 200,
    sent: [['Authorization', `Bearer ${secret}`]],
    message: secret,
  });
  const report = await judgeTraffic([...others, last], { baseUrl });
  expect(report.findings.some(({ check }) => check === 'body-schema')).toBe(true);
  expect(JSON.stringify(report)).not.toContain(secret);
});

it('retains no long text', async () => {
  const memory = createMemory(document);
  const seen = async (name: string) => {
    const exchange = {
      ...toRecorded({ sent: [bearer] }),
      response: {
        status: 200,
        headers: [['Content-Type', 'application/json']] as RawHeader[],
        body: { bytes: Buffer.from(JSON.stringify([{ id: name.length, name, categoryId: 1 }])) },
      },
    };
    memory.note(
      await toCall(exchange, '/pets', 1, {
        ...{
          document,
          bodies: () => undefined,
          fields: keyFieldsOf(document),
          keys: createKeyBook([]),
        },
      }),
    );
    return memory.uses(name);
  };
  expect(await seen('Rex')).toBe(1);
  expect(await seen('x'.repeat(400_000))).toBe(0);
});
