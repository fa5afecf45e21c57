import { setTimeout as sleep } from 'node:timers/promises';
import { createTwin } from 'petstore-twin';

type Patience = { attempts?: number; wait?: (milliseconds: number) => Promise<unknown> };

/**
 * Retries after a 429, as the interface asks of clients (§8): it waits as long as Retry-After says,
 * and with exponential backoff. The random part keeps many clients from retrying at the same time.
 */
export async function fetchPatiently(
  url: string,
  init: RequestInit = {},
  { attempts = 5, wait = sleep }: Patience = {},
) {
  for (let attempt = 1; ; attempt++) {
    const response = await fetch(url, init);
    if (response.status !== 429 || attempt === attempts) return response;
    await response.body?.cancel();
    const asked = Number(response.headers.get('Retry-After')) * 1000;
    const backoff = 250 * 2 ** attempt * (1 + Math.random());
    await wait(Math.max(asked, backoff));
  }
}

/**
 * Calls a mock whose free plan allows three calls a minute. It moves the mock's clock instead of
 * waiting.
 */
async function demonstrate(): Promise<void> {
  await using twin = await createTwin({ plans: { free: { perMinute: 3, perDay: 1000 } } });
  const headers = { Authorization: `Bearer ${twin.key('free')}` };
  const wait = async (milliseconds: number) => {
    console.log(`429: waiting ${Math.ceil(milliseconds / 1000)} s`);
    await twin.clock.advance(milliseconds);
  };
  for (let call = 1; call <= 5; call++) {
    const response = await fetchPatiently(`${twin.url}/pets?limit=1`, { headers }, { wait });
    console.log(
      `call ${call}: ${response.status}, ${response.headers.get('X-RateLimit-Remaining')} left`,
    );
  }
}

// Runs the demonstration for `node examples/backoff.ts`, but not for an import.
if (import.meta.main) await demonstrate();
