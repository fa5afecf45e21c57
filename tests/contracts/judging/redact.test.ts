import { expect, it } from 'vitest';
import { createRedactor } from '../../../common/secrets/texts.ts';
import { redactReport } from '../../../contracts/judging/redact.ts';
import type { Finding } from '../../../contracts/report/events.ts';
import { secretsOf } from '../../../contracts/verify/options.ts';
import { drifted } from '../../support/report.ts';

const redact = createRedactor(['secret-key-1', 'a+b/"c"d']);

it('hides a key in every form in which a deployment may echo it', () => {
  const basic = Buffer.from('secret-key-1:').toString('base64');
  expect(redact('Bearer secret-key-1')).toBe('Bearer $KEY');
  expect(redact('Bearer SECRET-KEY-1')).toBe('Bearer $KEY');
  expect(redact('Bearer secret-key-')).toBe('Bearer $KEY');
  expect(redact('Bearer secret-key-1x')).toBe('Bearer $KEYx');
  // Only the colon behind the key is left of it.
  expect(redact(`Basic ${basic}`)).toBe('Basic $KEYOg==');
  expect(redact('/pets?api_key=a%2Bb%2F%22c%22d')).toBe('/pets?api_key=$KEY');
  expect(redact(JSON.stringify({ got: 'a+b/"c"d' }))).toBe('{"got":"$KEY"}');
});

it('hides what is left of a key where a text was cut', () => {
  expect(redact('got Bearer secret-k...')).toBe('got Bearer $KEY...');
  expect(redact('got Bearer secr...')).toBe('got Bearer $KEY...');
});

it('hides the longest of keys that begin alike, and leaves all else as it is', () => {
  expect(createRedactor(['demo-free', 'demo-free-2'])('demo-free-2 and demo-free, demotic')).toBe(
    '$KEY and $KEY, demotic',
  );
  expect(createRedactor([])('nothing to hide')).toBe('nothing to hide');
});

it('hides a secret of fewer than six characters only where it is a whole value', () => {
  const hide = createRedactor(['ke', 'admin', '12-34']);
  const shown = [
    'take the key, ke or not',
    '{"ke":1,"a":"like","admin":{"username":"admin","login" : "admin"}}',
    String.raw`"{\"admin\":true,\"user\":\"admin\"}"`,
    '/admin?admin=1&user=admin',
    'Bearer admins',
    '{"12-34":12-34}',
  ];
  expect(shown.map(hide)).toEqual(shown);
  expect(hide('{"a":"ke","b":"admin"}')).toBe('{"a":"$KEY","b":"$KEY"}');
  expect(hide(String.raw`"{\"a\":\"ke\"}"`)).toBe(String.raw`"{\"a\":\"$KEY\"}"`);
  expect(hide('/pets?key=ke&limit=1')).toBe('/pets?key=$KEY&limit=1');
  expect(['ke', 'Bearer ke', 'Token admin'].map(hide)).toEqual([
    '$KEY',
    'Bearer $KEY',
    'Token $KEY',
  ]);
});

it('spares names of members that are words, whatever the length of a secret', () => {
  const text = '{"password":"password","my-password":{"Password" : 1}}';
  expect(createRedactor(['password'])(text)).toBe('{"password":"$KEY","my-$KEY":{"Password" : 1}}');
  expect(createRedactor(['sk-live-1234'])('{"sk-live-1234":1}')).toBe('{"$KEY":1}');
});

it('looks for no password that is the name of its user', () => {
  const secretsIn = (secret: string) => secretsOf({ keys: [{ scheme: 'basic', secret }] });
  const hide = createRedactor(secretsIn('administrator:administrator'));
  expect(hide('administrator, administrator:administrator')).toBe('administrator, $KEY');
  expect(hide(`Basic ${btoa('administrator:administrator')}`)).toBe('Basic $KEY');
  expect(secretsIn('me:administrator')).toContain('administrator');
});

it('takes keys out of a request that repeats what a target sent, and of the line that sends it', () => {
  const { exchange, ...finding } = drifted.findings[0] as Finding;
  const request = {
    method: 'POST',
    url: 'http://127.0.0.1/v1/pets?q=SECRET-KEY-1',
    headers: { Authorization: 'Bearer $KEY' },
    body: '{"name":"secret-key-1 and secret-k... (5000 characters)"}',
  };
  const report = {
    ...drifted,
    findings: [{ ...finding, exchange: { case: 'createPet/plain', ...exchange, request } }],
  };
  const [redacted] = redactReport(report, ['secret-key-1']).findings;
  expect(redacted?.exchange?.request).toEqual({
    ...request,
    url: 'http://127.0.0.1/v1/pets?q=$KEY',
    body: '{"name":"$KEY and $KEY... (5000 characters)"}',
  });
  expect(redacted?.curl).toContain('$KEY');
  expect(JSON.stringify(redacted)).not.toMatch(/secret-k/i);
});
