import { expect, it } from 'vitest';
import { type Repeat, toShellLine } from '../../../contracts/domains/to-shell-line.ts';

const own = { address: '192.0.2.53', port: 53 };
const name = 'docs.example.com';
const v4 = '192.0.2.7';
const v6 = '2001:db8::7';

const openssl = (address: string, isOnly: boolean): Repeat => ({
  ...{ tool: 'openssl', name, port: 443 },
  place: { address, isOnly },
});

const curl = (url: string, address: string, isOnly: boolean): Repeat => ({
  tool: 'curl',
  exchange: { case: 'redirect', request: { method: 'GET', url, headers: {} } },
  place: { address, isOnly },
});

it('leaves it to the shell where a name with one address leads', () => {
  expect(toShellLine({ tool: 'dig', name, type: 'CAA' }, undefined)).toBe(
    `dig +noall +answer ${name} CAA`,
  );
  expect(toShellLine(openssl(v4, true), undefined)).toBe(
    `openssl s_client -connect ${name}:443 -servername ${name} </dev/null`,
  );
  expect(toShellLine(curl(`http://${name}/`, v4, true), undefined)).toBe(
    `curl -i 'http://${name}/'`,
  );
});

it('names the address that was wrong where a name has several', () => {
  expect(toShellLine(openssl(v6, false), undefined)).toBe(
    `openssl s_client -connect '[${v6}]:443' -servername ${name} </dev/null`,
  );
  expect(toShellLine(curl(`https://${name}/`, v6, false), undefined)).toBe(
    `curl -i 'https://${name}/' --insecure --connect-to '::[${v6}]:'`,
  );
});

it('names the address and the name server where the machine may look up another', () => {
  expect(toShellLine({ tool: 'dig', name, type: 'A' }, { ...own, port: 5353 })).toBe(
    `dig +noall +answer @192.0.2.53 -p 5353 ${name} A`,
  );
  expect(toShellLine(openssl(v4, true), own)).toBe(
    `openssl s_client -connect ${v4}:443 -servername ${name} </dev/null`,
  );
  expect(toShellLine(curl(`http://${name}/`, v4, true), own)).toBe(
    `curl -i 'http://${name}/' --connect-to ::${v4}:`,
  );
});
