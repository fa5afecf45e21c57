import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { UsageError } from '../../contracts/cli/usage-error.ts';
import { createAuthority, type IssuedIdentity } from '../domains/authority.ts';
import type { Config } from '../settings/settings.ts';
import { readDomainCa } from './read-identity.ts';

/** The identity of a twin, the authority that issued it, and the file with the certificate of that. */
export type OwnIdentity = { identity: IssuedIdentity; authority: IssuedIdentity; file: string };

/**
 * Issues a certificate for the names that a twin is called by, by the authority that is given or by
 * the one that is kept for this user, which is made at first. Throws {@link UsageError}.
 */
export async function issueIdentity({
  host,
  allowedHosts,
  domainCa,
}: Pick<Config, 'host' | 'allowedHosts' | 'domainCa'>): Promise<OwnIdentity> {
  const { authority, file } = await openAuthority(domainCa);
  const any = ['0.0.0.0', '::', '*'];
  const names = ['127.0.0.1', '::1', host, ...allowedHosts].filter((name) => !any.includes(name));
  const identity = await createAuthority(authority).issue('localhost', names);
  return { identity, authority, file };
}

async function openAuthority(given: string | undefined): Promise<Omit<OwnIdentity, 'identity'>> {
  const domainCa = given ?? join(dataFolder(), 'petstore-twin', 'authority.pem');
  const place = `--${given === undefined ? 'tls, whose authority is' : 'domain-ca'} ${domainCa}`;
  try {
    if (given === undefined) await mkdir(dirname(domainCa), { recursive: true, mode: 0o700 });
    const authority = (await readDomainCa({ domainCa }, place)) as IssuedIdentity;
    if (given !== undefined) return { authority, file: given };
    // Clients need no key, so it is in no file that they are given.
    const file = join(dirname(domainCa), 'authority-certificate.pem');
    const written = await readFile(file, 'utf8').catch(() => undefined);
    if (written !== authority.cert) await writeFile(file, authority.cert);
    return { authority, file };
  } catch (error) {
    if (error instanceof UsageError) throw error;
    throw new UsageError(`${place}, cannot be made: ${(error as Error).message}.`);
  }
}

/** Where programs keep what is of a user, as the system has it. */
function dataFolder(): string {
  const { platform, env } = process;
  if (platform === 'darwin') return join(homedir(), 'Library', 'Application Support');
  if (platform === 'win32') return env.LOCALAPPDATA ?? join(homedir(), 'AppData', 'Local');
  return env.XDG_DATA_HOME || join(homedir(), '.local', 'share');
}
