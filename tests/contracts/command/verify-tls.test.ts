import { expect, it } from 'vitest';
import { forLocalhost } from '../../support/tls.ts';
import { startTwin } from '../../support/twin.ts';
import { verifyAlone } from '../../support/verify-command.ts';

/** Returns what verify prints of a target that it cannot judge. */
async function refusalOf(url: string, env: Record<string, string> = {}): Promise<string> {
  const target = ['--no-mock', '--target', url, '--key', 'demo-pro', '--only', 'listPets'];
  const { code, err } = await verifyAlone([...target, '--quiet'], env);
  return `${code} ${err.trim().split('\n').at(-1)}`;
}

it('says what a target that speaks TLS needs', async () => {
  const twin = await startTwin(forLocalhost);
  const url = twin.api.replace('127.0.0.1', 'localhost');
  expect(await refusalOf(url.replace('https:', 'http:'))).toBe(
    `2 petstore-twin verify: The target at ${url.replace('https:', 'http:')} speaks TLS, but was called without it. Give ${url} instead.`,
  );
  expect(await refusalOf(url)).toMatch(
    /^2 .* cannot be reached: the certificate is not trusted on this machine \(\w+\); set NODE_EXTRA_CA_CERTS to a file /,
  );
  const trusting = { NODE_EXTRA_CA_CERTS: forLocalhost.tlsCert };
  expect(await refusalOf(url, trusting)).toMatch(/^0 /);
  expect(await refusalOf(twin.api.replace('127.0.0.1', '[::ffff:127.0.0.1]'), trusting)).toMatch(
    /^2 .* cannot be reached: the certificate is for another name \(ERR_TLS_CERT_ALTNAME_INVALID\); use a name that /,
  );
});
