import { createHash } from 'node:crypto';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { UsageError } from '../../common/cli/usage-error.ts';
import { createAuthority, type IssuedIdentity } from '../domains/authority.ts';
import type { Config } from '../settings/settings.ts';
import { readDomainCa } from './read-identity.ts';

/** The identity of a twin, and the file with the certificate of the authority that issued it. */
export type OwnIdentity = { identity: IssuedIdentity; file: string };

type NamedHosts = Pick<Config, 'host' | 'allowedHosts' | 'domainCa'>;

/** Lists the names that each authority may vouch for, with all names below them. */
const local = ['localhost', '127.0.0.1', '::1'];

/**
 * Issues a certificate for the names that a twin is called by, by the authority that is given or by
 * the one that is kept for this user and these names, which is made at first. Throws {@link UsageError}.
 */
export async function issueIdentity(
  { host, allowedHosts, domainCa }: NamedHosts,
  warn: (message: string) => void,
): Promise<OwnIdentity> {
  const any = ['0.0.0.0', '::', '*'];
  const further = [host, ...allowedHosts].filter((name) => ![...any, ...local].includes(name));
  const { authority, file } = await openAuthority(domainCa, further.toSorted(), warn);
  const [name = '', ...others] = [...local, ...further];
  return { identity: await createAuthority(authority).issue(name, others), file };
}

async function openAuthority(
  given: string | undefined,
  further: readonly string[],
  warn: (message: string) => void,
): Promise<{ authority: IssuedIdentity; file: string }> {
  const others = further.filter((name) => !name.endsWith('.localhost'));
  const hash = createHash('sha256').update(others.join()).digest('hex').slice(0, 12);
  const suffix = others.length === 0 ? '' : `-${hash}`;
  const domainCa = given ?? join(dataFolder(), 'petstore-twin', `authority${suffix}.pem`);
  const place = `--${given === undefined ? 'tls, whose authority is' : 'domain-ca'} ${domainCa}`;
  try {
    if (given === undefined) await mkdir(dirname(domainCa), { recursive: true, mode: 0o700 });
    const names = given === undefined ? { names: [...local, ...others] } : {};
    const read = await readDomainCa({ domainCa }, { place, warn, ...names });
    const authority = read as IssuedIdentity;
    if (given !== undefined) return { authority, file: given };
    // Clients need no key, so it is in no file that they are given.
    const file = join(dirname(domainCa), `authority-certificate${suffix}.pem`);
    const written = await readFile(file, 'utf8').catch(() => undefined);
    if (written !== authority.cert) await writeFile(file, authority.cert);
    return { authority, file };
  } catch (error) {
    if (error instanceof UsageError) throw error;
    throw new UsageError(`${place}, cannot be made: ${(error as Error).message}.`);
  }
}

/** Returns the system's folder for a user's application data. */
function dataFolder(): string {
  const { platform, env } = process;
  if (platform === 'darwin') return join(homedir(), 'Library', 'Application Support');
  if (platform === 'win32') return env.LOCALAPPDATA ?? join(homedir(), 'AppData', 'Local');
  return env.XDG_DATA_HOME || join(homedir(), '.local', 'share');
}
