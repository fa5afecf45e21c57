import { createSend } from './create-send.ts';
import type { TestTwin } from './twin.ts';

/** Calls the admin of a twin about its domains. */
export function createDomainsClient({ origin }: Pick<TestTwin, 'origin'>, sandbox = '') {
  const call = createSend(`${origin}${sandbox}/__admin/`);
  return {
    call,
    publish: (change: object = {}) =>
      call('PUT', 'project', { plan: 'pro', deploy: 'succeeded', ...change }),
    add: (domain: string) => call('POST', 'domains', { domain }),
    show: async (domain: string) => (await call('GET', `domains/${domain}`)).json,
    setDns: (records: object[]) => call('PUT', 'dns', { records }),
    freeze: (instant: string) => call('PUT', 'clock', { action: 'freeze', instant }),
    advance: (durationMillis: number) =>
      call('PUT', 'clock', { action: 'advance', durationMillis }),
    redirect: (from: string, to: string, status?: number) =>
      call('POST', 'redirects', { from, to, ...(status !== undefined && { status }) }),
    /** Brings domains to the state active, each with its record. */
    async activate(...names: string[]) {
      await this.freeze('2030-01-01T00:00:00Z');
      await this.publish({ propagationHours: 0, issuanceMinutes: 0 });
      for (const name of names) await this.add(name);
      await this.setDns(
        names.map((name) => ({
          name,
          type: name.split('.').length === 2 ? 'ALIAS' : 'CNAME',
          value: 'domains.petstore.example',
        })),
      );
      await this.advance(60_000);
    },
  };
}
